// What the report's page does by itself: meanings by pointer, keyboard and tap; tables sorted by a click on their
// heads; kernels found by a search and opened where a link leads; the accesses of a line shown and hidden. Without it
// the page still shows every figure.
(function () {
  "use strict";

  var tip = document.createElement("div");
  tip.id = "tip";
  tip.setAttribute("role", "tooltip");
  tip.hidden = true;
  document.body.appendChild(tip);
  // The page holds each text once: "#3" is the one that came fourth.
  var tips = [];
  document.querySelectorAll("span[data-tip]").forEach(function (at) { at.tabIndex = 0; });
  document.querySelectorAll("[data-tip]").forEach(function (at) {
    var text = at.getAttribute("data-tip");
    if (text.charAt(0) !== "#") tips.push(text); else at.setAttribute("data-tip", tips[Number(text.slice(1))]);
  });
  function show(at) {
    tip.textContent = at.getAttribute("data-tip");
    tip.hidden = false;
    var box = at.getBoundingClientRect(), own = tip.getBoundingClientRect();
    var left = Math.min(Math.max(8, box.left), window.innerWidth - own.width - 8);
    var below = box.bottom + 6 + own.height < window.innerHeight;
    tip.style.left = left + "px";
    tip.style.top = (below ? box.bottom + 6 : Math.max(8, box.top - own.height - 6)) + "px";
    at.setAttribute("aria-describedby", "tip");
  }
  function hide() { tip.hidden = true; }
  function tipOf(event) { return event.target.closest ? event.target.closest("[data-tip]") : null; }
  ["mouseover", "focusin", "click"].forEach(function (name) {
    document.addEventListener(name, function (event) { var at = tipOf(event); if (at) show(at); else hide(); });
  });
  document.addEventListener("focusout", hide);
  window.addEventListener("scroll", hide, true);
  document.addEventListener("keydown", function (event) { if (event.key === "Escape") hide(); });

  function value(row, column) {
    var cell = row.cells[column], v = cell.getAttribute("data-value");
    if (v !== null) return parseFloat(v);
    return /^[\d,]+$/.test(cell.textContent) ? parseFloat(cell.textContent.replace(/,/g, "")) : cell.textContent;
  }
  document.querySelectorAll("table.sortable th button").forEach(function (button) {
    button.addEventListener("click", function () {
      var head = button.parentNode, table = head.closest("table"), body = table.tBodies[0];
      var up = head.getAttribute("aria-sort") === "descending";
      table.querySelectorAll("th").forEach(function (th) { th.removeAttribute("aria-sort"); });
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      Array.from(body.rows).sort(function (a, b) {
        var x = value(a, head.cellIndex), y = value(b, head.cellIndex);
        var order = typeof x === "number" ? x - y : String(x).localeCompare(String(y));
        return up ? order : -order;
      }).forEach(function (row) { body.appendChild(row); });
    });
  });

  function expand(button, open) {
    var detail = document.getElementById(button.getAttribute("aria-controls"));
    detail.hidden = !open;
    if (open) detail.dispatchEvent(new Event("shown", {bubbles: true}));
    button.setAttribute("aria-expanded", open);
  }
  document.querySelectorAll("td > button.more").forEach(function (button, i) {
    var detail = button.closest("tr").nextElementSibling;
    detail.id = "d" + i;
    button.setAttribute("aria-controls", detail.id);
    button.setAttribute("aria-expanded", false);
    button.setAttribute("aria-label", "line " + button.textContent + ": show more of it");
  });
  document.querySelectorAll("button.more").forEach(function (button) {
    button.addEventListener("click", function () {
      var open = button.getAttribute("aria-expanded") !== "true";
      if (!button.classList.contains("all")) { expand(button, open); return; }
      button.setAttribute("aria-expanded", open);
      button.closest("h3").nextElementSibling.querySelectorAll("button.more").forEach(function (one) { expand(one, open); });
    });
  });

  function openAt() {
    var at = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    var kernel = at && at.closest("section.kernel"), details = kernel && kernel.querySelector("details");
    if (!details || details.open) return;
    details.open = true;
    at.scrollIntoView();
  }
  window.addEventListener("hashchange", openAt);
  openAt();

  var search = document.getElementById("search"), overview = document.getElementById("overview");
  if (search) search.addEventListener("input", function () {
    var words = search.value.toLowerCase().split(/\s+/);
    Array.from(overview.tBodies[0].rows).forEach(function (row) {
      var name = row.cells[0].title.toLowerCase();
      var found = words.every(function (word) { return name.indexOf(word) >= 0; });
      var kernel = document.getElementById(row.querySelector("a").getAttribute("href").slice(1));
      row.hidden = kernel.hidden = !found;
    });
  });
})();
