// What the report's page does by itself: meanings by pointer, keyboard and tap; tables sorted by a click on their
// heads; the accesses of a line shown and hidden. Without it the page still shows every figure.
(function () {
  "use strict";

  var tip = document.createElement("div");
  tip.id = "tip";
  tip.setAttribute("role", "tooltip");
  tip.hidden = true;
  document.body.appendChild(tip);
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
    return v === null ? cell.textContent : parseFloat(v);
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

  document.querySelectorAll("button.more").forEach(function (button) {
    button.addEventListener("click", function () {
      var detail = document.getElementById(button.getAttribute("aria-controls"));
      var open = detail.hidden;
      detail.hidden = !open;
      button.setAttribute("aria-expanded", open);
    });
  });
})();
