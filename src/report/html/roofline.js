// The roofline of a kernel, from what report/html_light.c writes: bandwidths of DRAM, L2 and L1, and of each type of
// operation its peak, what is reached in a second, and the operations for each byte of the three.
(function () {
  "use strict";
  var LEVELS = ["DRAM", "L2", "L1"], WIDTH = 420, HEIGHT = 230, LEFT = 46, RIGHT = 12, TOP = 12, BOTTOM = 34;
  var LOW = -3, HIGH = 3; // decades of operations a byte

  function large(x) {
    var units = ["", "k", "M", "G", "T", "P"], i = 0;
    while (x >= 999.5 && i < 5) { x /= 1000; i++; }
    return Number(x.toPrecision(3)) + " " + units[i];
  }
  function draw(at) {
    if (at.firstChild) return;
    var rows = at.getAttribute("data-roofs").split(";"), bandwidth = rows.shift().split(" ").map(Number), out = "", keys = "";
    var types = rows.map(function (row) {
      var words = row.split(" ");
      return {name: words[0], peak: Number(words[1]), reached: Number(words[2]), each: words.slice(3).map(Number)};
    });
    var top = Math.log10(Math.max.apply(null, types.map(function (t) { return t.peak; }))) + 0.3, bottom = top - 5.5;
    function x(each) { return LEFT + (Math.min(HIGH, Math.max(LOW, Math.log10(each))) - LOW) / (HIGH - LOW) * (WIDTH - LEFT - RIGHT); }
    function y(rate) { return TOP + (top - Math.max(bottom, Math.log10(rate))) / (top - bottom) * (HEIGHT - TOP - BOTTOM); }
    for (var d = LOW; d <= HIGH; d++)
      out += '<path class="grid" d="M' + x(Math.pow(10, d)) + " " + TOP + "V" + (HEIGHT - BOTTOM) + '"/><text class="ruler" x="' +
        x(Math.pow(10, d)) + '" y="' + (HEIGHT - BOTTOM + 15) + '">' + (d < 0 ? Math.pow(10, d).toFixed(-d) : Math.pow(10, d)) + "</text>";
    for (d = Math.ceil(bottom); d <= top; d++)
      out += '<path class="grid" d="M' + LEFT + " " + y(Math.pow(10, d)) + "H" + (WIDTH - RIGHT) + '"/><text class="ruler end" x="' +
        (LEFT - 5) + '" y="' + (y(Math.pow(10, d)) + 4) + '">' + large(Math.pow(10, d)) + "</text>";
    types.forEach(function (t, i) {
      out += '<path class="roof" d="M' + x(1e-3) + " " + y(t.peak) + "H" + (WIDTH - RIGHT) + '"/><text class="ruler end" x="' +
        (WIDTH - RIGHT) + '" y="' + (y(t.peak) - 4) + '">' + t.name + "</text>";
      LEVELS.forEach(function (level, k) {
        var low = Math.max(1e-3, Math.pow(10, bottom) / bandwidth[k]), knee = t.peak / bandwidth[k];
        if (!i) out += '<path class="roof level' + k + '" d="M' + x(low) + " " + y(bandwidth[k] * low) + "L" + x(knee) + " " + y(t.peak) + '"/>';
        if (t.each[k] > 0)
          out += '<circle class="level' + k + '" cx="' + x(t.each[k]) + '" cy="' + y(t.reached) + '" r="' + (i ? 3.5 : 5) + '"><title>' +
            t.name + ", " + level + ": " + t.each[k] + " operations a byte, " + large(t.reached) + "FLOP/s of at most " +
            large(Math.min(t.peak, bandwidth[k] * t.each[k])) + "FLOP/s</title></circle>";
      });
    });
    LEVELS.forEach(function (level, k) { keys += '<span class="level' + k + '">' + level + " " + large(bandwidth[k]) + "B/s</span> "; });
    at.innerHTML = '<svg class="picture" viewBox="0 0 ' + WIDTH + " " + HEIGHT + '" role="img" aria-label="roofline">' + out +
      '<text class="ruler" x="' + (WIDTH / 2 + 20) + '" y="' + (HEIGHT - 3) + '">operations a byte</text></svg><p class="caption keys">' +
      keys + types.map(function (t) { return t.name + " " + large(t.reached) + "FLOP/s of " + large(t.peak) + "FLOP/s"; }).join(", ") + "</p>";
  }
  function drawAll() { document.querySelectorAll("div.roofline").forEach(draw); }
  window.addEventListener("beforeprint", drawAll);
  if (!window.IntersectionObserver) drawAll();
  else {
    var seen = new IntersectionObserver(function (entries) {
      entries.forEach(function (e) { if (e.isIntersecting) { seen.unobserve(e.target); draw(e.target); } });
    }, {rootMargin: "400px"});
    document.querySelectorAll("div.roofline").forEach(function (at) { seen.observe(at); });
  }
})();
