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

expect 0 '' -- warpglass profile "$data/transposes.json" --html report.html
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
    var tip = document.getElementById("tip"), sectors = document.querySelectorAll("#overview th button")[3];
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
for width in 1280 500; do
    browse $width tested.html | grep -oE '(^|<title>)(right|wrong): .*' > said
    grep -q 'right: no wider' said || fail "the page's script did not come to its end at $width: $(cat said; tail -3 browser.log)"
    grep 'wrong: ' said && fail "in a window of $width"
done
finish
