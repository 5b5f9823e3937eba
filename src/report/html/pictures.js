// Pictures of one access with their captions, drawn when they come into sight from what report/picture_html.c writes:
// kind, cost, bytes of a lane, whether lanes share a word, the lanes that are on, and their addresses as steps.
//
// Sectors: 32 lanes above, the sectors that they touch below, a line from each lane to its sector; in a sector the
// bytes that were asked for are filled. Banks: a column for each bank, a cell for each word that lanes want of it, so
// that the height is the number of turns.
(function () {
  "use strict";
  var LEFT = 8, WIDTH = 640, CELL = 20, TOP = 22, MOST = 128;

  function read(text) {
    var words = text.split(" "), lanes = parseInt(words[4], 16), steps = [], at = 0, address = [];
    words.slice(5).forEach(function (word) {
      var part = word.split("*");
      for (var i = 0; i < (part[1] || 1); i++) steps.push(Number(part[0]));
    });
    for (var lane = 0, n = 0; lane < 32; lane++)
      if (lanes >>> lane & 1) address[lane] = at += steps[n++];
    return {kind: words[0], cost: Number(words[1]), bytes: Number(words[2]), share: words[3] === "1", lanes: lanes,
      address: address};
  }
  function bold(n) { return "<b>" + n + "</b>"; }
  function caption(text) { return '<p class="caption">' + text + "</p>"; }
  function on(a, lane) { return a.lanes >>> lane & 1; }

  function names(lanes) {
    var runs = [];
    for (var i = 0, end; i < lanes.length; i = end + 1) {
      for (end = i; lanes[end + 1] === lanes[end] + 1;) end++;
      runs.push(end === i ? lanes[i] : lanes[i] + (end > i + 1 ? " to " : ", ") + lanes[end]);
    }
    return (lanes.length === 1 ? "lane " : "lanes ") + runs.join(", ");
  }
  function open(height, label) {
    return '<svg class="picture" viewBox="0 0 ' + (WIDTH + 2 * LEFT) + " " + height + '" role="img" aria-label="' + label + '">';
  }
  function rect(kind, x, y, width, height, title) {
    return '<rect class="' + kind + '" x="' + x + '" y="' + y + '" width="' + width + '" height="' + height + '" rx="1">' +
      (title ? "<title>" + title + "</title>" : "") + "</rect>";
  }
  function word(x, y, text, kind) { return '<text class="ruler ' + (kind || "") + '" x="' + x + '" y="' + y + '">' + text + "</text>"; }
  function ruler(y, what) {
    var out = "";
    [0, 8, 16, 24, 31].forEach(function (i) { out += word(LEFT + i * CELL + CELL / 2, y, (i ? "" : what) + i); });
    return out;
  }

  function touched(a) {
    var found = new Map();
    for (var lane = 0; lane < 32; lane++)
      for (var b = 0; on(a, lane) && b < a.bytes; b++) {
        var at = a.address[lane] + b, number = Math.floor(at / 32), s = found.get(number);
        if (!s) found.set(number, s = {number: number, used: [], lanes: []});
        s.used[at - number * 32] = true;
        if (s.lanes[s.lanes.length - 1] !== lane) s.lanes.push(lane);
      }
    return Array.from(found.values()).sort(function (p, q) { return p.number - q.number; }).slice(0, MOST);
  }
  function used(s, x, y, width) {
    var out = "";
    for (var b = 0, end; b < 32; b = end) {
      for (end = b + 1; end < 32 && !s.used[end] === !s.used[b];) end++;
      if (s.used[b]) out += rect("used", x + width * b / 32, y, width * (end - b) / 32, 18);
    }
    return out;
  }
  function sectors(a) {
    var BELOW = 110, all = touched(a), asked = 0, gaps = 0, middle = [], x = LEFT;
    all.forEach(function (s, i) {
      asked += s.used.filter(Boolean).length;
      gaps += i && s.number !== all[i - 1].number + 1 ? 1 : 0;
    });
    var gap = gaps > 8 ? 2 : 6, width = Math.min((WIDTH - gaps * gap) / (all.length || 1), 4 * CELL), out;
    out = open(BELOW + 42, names(Object.keys(a.address).map(Number)) + " request " + asked + " bytes in " + all.length +
      " sectors of 32 bytes") + ruler(TOP - 7, "lane ");
    all.forEach(function (s, i) {
      if (i && s.number !== all[i - 1].number + 1) x += gap;
      middle[i] = x + width / 2;
      s.lanes.forEach(function (lane) {
        var top = LEFT + lane * CELL + CELL / 2, m = middle[i].toFixed(1);
        out += '<path class="wire" d="M' + top + " " + (TOP + 14) + "C" + top + " " + (TOP + 50) + " " + m + " " + (BELOW - 36) +
          " " + m + " " + BELOW + '"/>';
      });
      x += width;
    });
    for (var lane = 0; lane < 32; lane++)
      out += rect(on(a, lane) ? "lane" : "off", LEFT + lane * CELL + 1, TOP, CELL - 2, 14,
        "lane " + lane + (on(a, lane) ? "" : ": not active"));
    all.forEach(function (s, i) {
      var left = middle[i] - width / 2 + 0.5;
      out += "<g><title>sector at byte " + s.number * 32 + ": " + s.used.filter(Boolean).length + " of 32 bytes requested, by " +
        names(s.lanes) + "</title>" + rect("sector", left, BELOW, width - 1, 18) + used(s, left, BELOW, width - 1) + "</g>";
    });
    if (all.length)
      out += word(LEFT, BELOW + 34, "byte " + all[0].number * 32, "start") +
        word(x, BELOW + 34, "to " + (all[all.length - 1].number * 32 + 31), "end");
    return out + "</svg>" + caption(bold(all.length) + (all.length === 1 ? " sector" : " sectors") +
      " of 32 bytes, of which the lanes asked for " + bold(asked) + " of " + bold(all.length * 32) + " bytes (filled).");
  }

  // Words by bank of one group of lanes: accesses of 8 and 16 bytes go in groups.
  function wanted(a, first, each) {
    var banks = [], most = 0;
    for (var b = 0; b < 32; b++) banks.push([]);
    for (var lane = first; lane < first + each; lane++)
      for (var w = 0; on(a, lane) && w < Math.max(1, a.bytes / 4); w++) {
        var at = Math.floor(a.address[lane] / 4) + w, bank = banks[(at % 32 + 32) % 32];
        var same = a.share && bank.find(function (x) { return x.word === at; });
        if (same) same.lanes.push(lane); else bank.push({word: at, lanes: [lane]});
        most = Math.max(most, bank.length);
      }
    return {banks: banks, most: most};
  }
  function banks(a) {
    var groups = a.bytes <= 4 ? 1 : a.bytes / 4, each = 32 / groups, worst = wanted(a, 0, each), shown = 1;
    for (var g = 1; g < groups; g++) {
      var other = wanted(a, g * each, each);
      if (other.most > worst.most) worst = other, shown = g + 1;
    }
    var most = worst.most, cell = most > 16 ? 7 : most > 8 ? 10 : 14, floor = TOP + cell * Math.max(4, most);
    var out = open(floor + 26, "at most " + most + " words of one of 32 banks");
    worst.banks.forEach(function (bank, b) {
      var x = LEFT + b * CELL + 1;
      out += rect("bank", x, floor + 1, CELL - 2, 3);
      bank.forEach(function (w, i) {
        out += rect(i ? "clash" : "word", x, floor - (i + 1) * cell, CELL - 2, cell - 1,
          "bank " + b + ", word " + w.word + ": " + names(w.lanes));
      });
    });
    var text = bold(a.cost) + (a.cost === 1 ? " wavefront" : " wavefronts") + ": each serves one word of every bank, and " +
      (most > 1 ? "lanes access up to " + bold(most) + " different words of one bank (stacked)."
        : "no two lanes access different words of one bank.");
    if (groups > 1)
      text += " Accesses of " + a.bytes + " bytes go in " + groups + " groups of lanes; this is group " + shown + ".";
    return out + ruler(floor + 19, "bank ") + "</svg>" + caption(text);
  }

  function draw(at) {
    if (at.firstChild) return;
    var a = read(at.getAttribute("data-access"));
    at.innerHTML = a.kind === "banks" ? banks(a) : sectors(a);
  }
  function drawAll(within) { within.querySelectorAll("div.picture").forEach(draw); }
  document.addEventListener("shown", function (event) { drawAll(event.target); });
  window.addEventListener("beforeprint", function () { drawAll(document); });
  if (!window.IntersectionObserver) drawAll(document);
  else {
    var seen = new IntersectionObserver(function (entries) {
      entries.forEach(function (e) { if (e.isIntersecting) { seen.unobserve(e.target); draw(e.target); } });
    }, {rootMargin: "400px"});
    document.querySelectorAll("div.picture").forEach(function (at) { seen.observe(at); });
  }
})();
