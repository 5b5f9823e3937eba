// The memory chart of a kernel, from what report/html_light.c writes: hit rates of L1 and L2, and for each kind of access
// its requests and the bytes between the kernel and L1 (or shared memory), L1 and L2, L2 and DRAM.
(function () {
  "use strict";
  var NAMES = ["loads", "stores", "atomics", "local accesses", "accesses"], LOADS = 0, LOCAL = 3;
  var BOX = 84, GAP = 132, ROW = 46, TOP = 8, WIDTH = 4 * BOX + 3 * GAP;

  function bytes(x) {
    var units = ["B", "KiB", "MiB", "GiB", "TiB"], i = 0;
    while (x >= 1000 && i < 4) { x /= 1024; i++; }
    return Number(x.toPrecision(3)) + " " + units[i];
  }
  function left(column) { return column * (BOX + GAP); }
  function box(column, from, to, name, hits) {
    var x = left(column), middle = TOP + (from + to) * ROW / 2;
    return '<rect class="part" x="' + x + '" y="' + (TOP + from * ROW + 3) + '" width="' + BOX + '" height="' + ((to - from) * ROW - 6) +
      '" rx="6"/><text class="name" x="' + (x + BOX / 2) + '" y="' + (middle + (hits ? -2 : 4)) + '">' + name + "</text>" +
      (hits ? '<text class="ruler" x="' + (x + BOX / 2) + '" y="' + (middle + 14) + '">' + hits + "</text>" : "");
  }
  function arrow(column, row, back, moved, most, above, below) {
    var x0 = left(column) + BOX + 4, x1 = left(column + 1) - 4, y = TOP + (row + 0.5) * ROW, thick = 1.2 + 5 * moved / most, head = thick + 3;
    var from = back ? x1 : x0, to = back ? x0 : x1, inner = back ? to + head : to - head, middle = (x0 + x1) / 2;
    return '<path class="flow" stroke-width="' + thick.toFixed(1) + '" d="M' + from + " " + y + "H" + inner + '"/><path class="tip" d="M' +
      to + " " + y + "L" + inner + " " + (y - head) + "V" + (y + head) + 'Z"/><text class="ruler ink" x="' + middle + '" y="' +
      (y - thick / 2 - 4) + '">' + above + '</text><text class="ruler" x="' + middle + '" y="' + (y + thick / 2 + 12) + '">' + below + "</text>";
  }
  function percent(hits) { return hits < 0 ? "" : Number((100 * hits).toPrecision(3)) + " % hits"; }
  function draw(at) {
    if (at.firstChild) return;
    var rows = at.getAttribute("data-chart").split(";").map(function (row) { return row.split(" ").map(Number); }), hits = rows.shift();
    var most = Math.max.apply(null, rows.map(function (r) { return r[2]; })) || 1, out = "";
    var near = rows.filter(function (r) { return r[0] <= LOCAL; }).length, deep = rows.filter(function (r) { return r[0] < LOCAL; }).length;
    out += box(0, 0, rows.length, "kernel", "");
    if (near) out += box(1, 0, near, "L1", percent(hits[0]));
    if (near < rows.length) out += box(1, near, rows.length, "shared", "");
    if (deep) out += box(2, 0, deep, "L2", percent(hits[1])) + box(3, 0, deep, "DRAM", "");
    rows.forEach(function (r, i) {
      var back = r[0] === LOADS;
      out += arrow(0, i, back, r[2], most, bytes(r[2]), r[1].toLocaleString("en-US") + " " + NAMES[r[0]]);
      if (r[0] >= LOCAL) return;
      out += arrow(1, i, back, r[3], most, bytes(r[3]), (r[3] / 32).toLocaleString("en-US", {maximumFractionDigits: 0}) + " sectors");
      if (r[4] > 0) out += arrow(2, i, back, r[4], most, bytes(r[4]), back ? "read" : "written");
    });
    at.innerHTML = '<svg class="picture" viewBox="0 0 ' + WIDTH + " " + (2 * TOP + rows.length * ROW) + '" role="img" aria-label="memory chart">' +
      out + '</svg><p class="caption">Hit rates, and what moves behind L1, are modelled.</p>';
  }
  function drawAll() { document.querySelectorAll("div.chart").forEach(draw); }
  window.addEventListener("beforeprint", drawAll);
  if (!window.IntersectionObserver) drawAll();
  else {
    var seen = new IntersectionObserver(function (entries) {
      entries.forEach(function (e) { if (e.isIntersecting) { seen.unobserve(e.target); draw(e.target); } });
    }, {rootMargin: "400px"});
    document.querySelectorAll("div.chart").forEach(function (at) { seen.observe(at); });
  }
})();
