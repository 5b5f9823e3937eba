#!/bin/bash
# The HTML report in a browser: nothing is fetched, a line opens by click and key, tables sort, meanings show, and
# nothing is wider than a phone. The page's own document says what happened, after a script of clicks.
. "$(dirname "$0")/../cli/expect.sh"
data=$tests/../report/data
browser=$(command -v chromium || command -v chromium-browser) || { echo "no chromium here"; exit 77; }
export HOME=$scratch

browse() { # browse WIDTH FILE: the document after its scripts
    timeout 120 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --virtual-time-budget=2000 \
        --window-size="$1",900 --dump-dom "file://$PWD/$2" 2> browser.log
}

expect 0 '' -- warpglass profile --sort first "$data/transposes.json" --html report.html
grep -oE '(src|href)="[^#"][^"]*"|url\([^)]*\)|@import|https?://[^" ]*' report.html && fail "the page refers to something outside"
[[ $(wc -c < report.html) -lt 400000 ]] || fail "the page of three kernels is larger than it should be"

{
    cat report.html
    cat << 'END'
<script>
var said = [];
function check(what, good) { said.push((good ? "right: " : "wrong: ") + what); }
function rows() { return Array.from(document.querySelectorAll("#overview tbody tr")).map(r => r.cells[0].textContent); }
try {
    check("three kernels", document.querySelectorAll("section.kernel").length === 3 && rows().length === 3);
    var tip = document.getElementById("tip"), sectors = document.querySelectorAll("#overview th button")[6];
    check("no meaning at first", tip.hidden);
    sectors.click();
    check("most sectors first", rows()[0] === "transpose_naive");
    check("a meaning after a tap", !tip.hidden && /32-byte/.test(tip.textContent));
    sectors.click();
    check("fewest sectors first", rows()[2] === "transpose_naive");
    check("says how it is sorted", sectors.parentNode.getAttribute("aria-sort") === "ascending");
    document.dispatchEvent(new KeyboardEvent("keydown", {key: "Escape"}));
    check("Escape takes the meaning away", tip.hidden);
    var line = document.querySelector("#k1-transpose\\.cu-16 button.more"), detail = document.getElementById(line.getAttribute("aria-controls"));
    check("accesses are hidden at first", detail.hidden);
    line.focus();
    check("a line can be reached by key", document.activeElement === line);
    line.click();
    check("a click shows them", !detail.hidden && line.getAttribute("aria-expanded") === "true");
    check("with pictures", detail.querySelectorAll("svg").length === 2 && detail.querySelectorAll("svg .clash").length === 31);
    line.click();
    check("a click hides them", detail.hidden);
    check("every head has a meaning", Array.from(document.querySelectorAll("thead th")).every(th => !th.textContent || th.querySelector("[data-tip]")));
    check("links lead somewhere", Array.from(document.querySelectorAll("a[href^='#']")).every(a => document.getElementById(a.getAttribute("href").slice(1))));
    document.querySelectorAll("button.more").forEach(b => b.click());
    check("no wider than the window", document.documentElement.scrollWidth <= window.innerWidth);
} catch (error) { said.push("wrong: " + error); }
document.title = said.join("\n");
</script>
END
} > tested.html
try_page() { # in windows of both widths
    for width in 1280 500; do
        browse $width "$1" | grep -oE '(^|<title>)(right|wrong): .*' > said
        grep -q 'right: no wider' said || fail "the script of $1 did not come to its end at $width: $(cat said; tail -3 browser.log)"
        grep 'wrong: ' said && fail "$1 in a window of $width"
    done
}
try_page tested.html

# Many kernels: closed, found by a search, opened by a link, and drawn only then.
python3 - "$data/transposes.json" > twelve.json << 'END'
import copy, json, sys
report = json.load(open(sys.argv[1]))
kernels = report["kernels"]
report["kernels"] = [copy.deepcopy(kernels[i % 3]) for i in range(12)]
for i, kernel in enumerate(report["kernels"]):
    kernel["name"], kernel["display"] = f"{kernel['name']}_{i}", kernel["display"].replace("transpose_", f"Part{i}::transpose_")
    kernel["launches"][0]["index"] = i
json.dump(report, sys.stdout)
END
expect 0 '' -- warpglass profile --sort first twelve.json --html twelve.html
{
    cat twelve.html
    cat << 'END'
<script>
var said = [];
function check(what, good) { said.push((good ? "right: " : "wrong: ") + what); }
function visible() { return Array.from(document.querySelectorAll("#overview tbody tr")).filter(r => !r.hidden).length; }
try {
    var search = document.getElementById("search"), kernels = document.querySelectorAll("section.kernel");
    function find(text) { search.value = text; search.dispatchEvent(new Event("input")); }
    check("all are closed", kernels.length === 12 && !document.querySelector("section.kernel > details[open]"));
    check("nothing is drawn", document.querySelectorAll("svg").length === 0);
    check("the table says what all of the name is", /^void Part1::transpose_tiled<0>\(const int/.test(document.querySelectorAll("#overview td:first-child")[1].title));
    find("Part1::");
    check("one is found", visible() === 1 && !kernels[1].hidden && kernels[2].hidden);
    find("tiled PART");
    check("all words, in any order and case", visible() === 8);
    find("");
    check("all again", visible() === 12);
    location.hash = "#k4";
    window.dispatchEvent(new HashChangeEvent("hashchange"));
    check("a link opens one", kernels[4].querySelector("details").open && !kernels[5].querySelector("details").open);
    window.dispatchEvent(new Event("beforeprint"));
    check("pictures are drawn", document.querySelectorAll("div.picture").length === document.querySelectorAll("div.picture > svg").length);
    check("shares are of the time", /^[0-9.]+ %$/.test(document.querySelector("#overview td.heat").textContent));
    check("no wider than the window", document.documentElement.scrollWidth <= window.innerWidth);
} catch (error) { said.push("wrong: " + error); }
document.title = said.join("\n");
</script>
END
} > tested.html
try_page tested.html

# Two runs side by side: the conflicts of one transpose are gone in the other.
sed 's/transpose_tiled<0>/transpose_tile<>/; s/transpose_tiled<1>/transpose_tiled<0>/' "$data/transposes.json" > padded.json
expect 0 '' -- warpglass compare "$data/transposes.json" padded.json --kernel 'naive|tiled<0>' --html compared.html
grep -oE '(src|href)="[^#"][^"]*"|url\([^)]*\)|@import|https?://[^" ]*' compared.html && fail "the page refers to something outside"
{
    cat compared.html
    cat << 'END'
<script>
var said = [];
function check(what, good) { said.push((good ? "right: " : "wrong: ") + what); }
try {
    var pairs = document.querySelectorAll("section.kernel"), tiled = pairs[1];
    check("two pairs", pairs.length === 2);
    check("nothing changed in the one", /No counter changed/.test(pairs[0].textContent) && !pairs[0].querySelector(":scope > .pictures"));
    check("the other is better", tiled.querySelector(".statement.good") && /[1-9] counters are better, 0 worse/.test(tiled.textContent));
    var row = Array.from(tiled.querySelectorAll("tbody tr")).filter(r => r.cells[0].textContent === "shared_conflicts")[0];
    check("its conflicts are gone", row.cells[1].textContent === "16,252,928" && row.cells[2].textContent === "0" && row.cells[3].textContent === "gone");
    window.dispatchEvent(new Event("beforeprint")); // draws what is not in sight yet
    var figures = tiled.querySelectorAll(":scope > .pictures figure");
    check("an access before and after", figures.length === 2 && /^Before/.test(figures[0].textContent) && /^After/.test(figures[1].textContent));
    check("with its conflicts and without", figures[0].querySelectorAll(".clash").length === 31 && figures[1].querySelectorAll(".clash").length === 0);
    check("both sources", tiled.querySelectorAll(".sides > section table.source").length === 2);
    var head = tiled.querySelector("table.figures th button");
    head.focus();
    head.click();
    check("a head sorts by key", document.activeElement === head && head.parentNode.getAttribute("aria-sort") === "descending");
    check("a meaning after a tap", !document.getElementById("tip").hidden);
    var more = tiled.querySelectorAll("button.more"), last = more[more.length - 1], detail = document.getElementById(last.getAttribute("aria-controls"));
    last.click();
    check("accesses of a line after", !detail.hidden && last.closest("section").getAttribute("aria-label") === "source, After");
    check("names are there once", new Set(Array.from(document.querySelectorAll("[id]")).map(e => e.id)).size === document.querySelectorAll("[id]").length);
    check("links lead somewhere", Array.from(document.querySelectorAll("a[href^='#']")).every(a => document.getElementById(a.getAttribute("href").slice(1))));
    document.querySelectorAll("button.more").forEach(b => b.click());
    document.querySelectorAll("details").forEach(d => d.open = true);
    check("no wider than the window", document.documentElement.scrollWidth <= window.innerWidth);
} catch (error) { said.push("wrong: " + error); }
document.title = said.join("\n");
</script>
END
} > tested.html
try_page tested.html
# Against a GPU: what is equal, and the source of the side that has one.
expect 0 '' -- warpglass compare "$data/transposes.json" "$data/gpu.csv" --html gpu.html
grep -q '<p class="statement good">Of those that are exact, 5 are equal, 0 differ' gpu.html || fail "a page without what is equal"
[[ $(grep -o '<section aria-label="source, [A-Za-z]*"' gpu.html | sort -u) == '<section aria-label="source, Warpglass"' ]] || fail "whose source is it?"
finish
