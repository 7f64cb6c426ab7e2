"use strict";
const games = JSON.parse(document.getElementById("data").textContent);
const words = {
  "en": { red: "Red", black: "Black", accuracy: "accuracy", loss: "average loss", marks: "?! / ? / ??", opening: "Opening",
    book: "book until ply", tables: "tables from ply", result: "Result", start: "Start position", best: "best", lost: "lost",
    expected: "Red's expected result", verdict: "Referee", depth: "depth", inBook: "book move" },
  "zh-Hant": { red: "紅方", black: "黑方", accuracy: "準確度", loss: "平均損失", marks: "緩著 / 錯著 / 敗著", opening: "佈局",
    book: "離譜於第", tables: "殘局庫始於第", result: "結果", start: "開始局面", best: "最佳", lost: "損失",
    expected: "紅方期望得分", verdict: "裁判", depth: "深度", inBook: "譜著" },
  "zh-Hans": { red: "红方", black: "黑方", accuracy: "准确度", loss: "平均损失", marks: "缓着 / 错着 / 败着", opening: "布局",
    book: "离谱于第", tables: "残局库始于第", result: "结果", start: "开始局面", best: "最佳", lost: "损失",
    expected: "红方期望得分", verdict: "裁判", depth: "深度", inBook: "谱着" },
};
const glyphs = { K: "帥", A: "仕", B: "相", N: "傌", R: "俥", C: "炮", P: "兵", k: "將", a: "士", b: "象", n: "馬", r: "車", c: "砲", p: "卒" };
const simpler = { "帥": "帅", "將": "将", "馬": "马", "車": "车", "傌": "马", "俥": "车", "砲": "炮", "進": "进", "後": "后" };
const at = id => document.getElementById(id);
let game = 0, ply = 0, turned = false, language = "en";

const simplify = text => [...text].map(c => simpler[c] || c).join("");
const escaped = text => text.replace(/[&<>"]/g, c => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }[c]));

/** The moves as the language writes them. */
function moveText(wxf, chinese) {
  if (language === "en") return wxf;
  return language === "zh-Hant" ? chinese : simplify(chinese);
}

function score(value) {
  return "mate" in value ? "#" + value.mate : (value.cp >= 0 ? "+" : "") + (value.cp / 100).toFixed(2);
}

/** The board after `count` plies: letters by point. */
function board(analysis, count) {
  const points = {};
  analysis.fen.split(" ")[0].split("/").forEach((row, index) => {
    let file = 0;
    for (const letter of row) {
      if (letter >= "1" && letter <= "9") file += Number(letter);
      else points["abcdefghi"[file++] + (9 - index)] = letter;
    }
  });
  for (const move of analysis.moves.slice(0, count)) {
    const from = move.move.slice(0, 2), to = move.move.slice(2);
    points[to] = points[from];
    delete points[from];
  }
  return points;
}

function place(point) {
  let x = "abcdefghi".indexOf(point[0]), y = 9 - Number(point[1]);
  if (turned) { x = 8 - x; y = 9 - y; }
  return [30 + x * 50, 30 + y * 50];
}

function lines() {
  let path = "";
  for (let y = 0; y < 10; y++) path += `M30 ${30 + y * 50}H430`;
  for (let x = 0; x < 9; x++) {
    const cut = x > 0 && x < 8;
    path += `M${30 + x * 50} 30V${cut ? 230 : 480}` + (cut ? `M${30 + x * 50} 280V480` : "");
  }
  return path + "M180 30L280 130M280 30L180 130M180 380L280 480M280 380L180 480";
}

function arrow(move, colour) {
  const [x1, y1] = place(move.slice(0, 2)), [x2, y2] = place(move.slice(2));
  const length = Math.hypot(x2 - x1, y2 - y1), cut = (length - 16) / length;
  return `<line x1="${x1}" y1="${y1}" x2="${x1 + (x2 - x1) * cut}" y2="${y1 + (y2 - y1) * cut}" stroke="${colour}" stroke-width="6" stroke-linecap="round" opacity=".65"/>` +
    `<circle cx="${x2}" cy="${y2}" r="9" fill="${colour}" opacity=".65"/>`;
}

function drawBoard(analysis) {
  const points = board(analysis, ply);
  let svg = `<rect width="460" height="510" rx="8" fill="var(--board)"/><path d="${lines()}" fill="none" stroke="var(--line)" stroke-width="1.5"/>` +
    `<text x="130" y="263" fill="var(--line)" font-size="24">楚 河</text><text x="270" y="263" fill="var(--line)" font-size="24">漢 界</text>`;
  for (const point in points) {
    const [x, y] = place(point), letter = points[point];
    const colour = letter < "a" ? "var(--red)" : "var(--black)";
    const glyph = language === "zh-Hans" ? simplify(glyphs[letter]) : glyphs[letter];
    svg += `<g class="piece"><circle cx="${x}" cy="${y}" r="22" fill="#fbf1d9" stroke="${colour}" stroke-width="2"/>` +
      `<circle cx="${x}" cy="${y}" r="18.5" fill="none" stroke="${colour}" stroke-width="1"/>` +
      `<text x="${x}" y="${y + 1}" fill="${colour}">${glyph}</text></g>`;
  }
  const last = analysis.moves[ply - 1], next = analysis.moves[ply];
  if (last) {
    for (const point of [last.move.slice(0, 2), last.move.slice(2)]) {
      const [x, y] = place(point);
      svg += `<rect x="${x - 24}" y="${y - 24}" width="48" height="48" rx="8" fill="none" stroke="var(--accent)" stroke-width="2.5"/>`;
    }
  }
  if (next && next.best !== next.move) svg += arrow(next.best, "#2e7d32");
  at("board").innerHTML = svg;
}

function drawGraph(analysis) {
  const values = [analysis.expectation, ...analysis.moves.map(move => move.expectation)];
  const step = 460 / Math.max(1, values.length - 1);
  const y = value => (120 - value * 1.2).toFixed(1);
  const points = values.map((value, index) => `${(index * step).toFixed(1)},${y(value)}`).join(" ");
  let svg = `<polygon points="0,120 ${points} 460,120" fill="var(--red)" opacity=".25"/>` +
    `<path d="M0 60H460" stroke="currentColor" opacity=".4"/><polyline points="${points}" fill="none" stroke="var(--red)" stroke-width="2"/>`;
  analysis.moves.forEach((move, index) => {
    const colour = { "??": "#d32f2f", "?": "#e65100", "!": "#2e7d32" }[move.mark];
    if (colour) svg += `<circle cx="${(index + 1) * step}" cy="${y(move.expectation)}" r="3.5" fill="${colour}"/>`;
  });
  at("graph").innerHTML = svg + `<path d="M${ply * step} 0V120" stroke="var(--accent)" stroke-width="2"/>`;
}

function drawWords(analysis) {
  const w = words[language], sides = analysis.sides;
  const row = (name, value) => `<tr><th>${name}</th><td>${value(sides.red)}</td><td>${value(sides.black)}</td></tr>`;
  const names = side => escaped(analysis.tags[side] || "");
  at("sides").innerHTML = `<tr><th></th><th>${w.red} ${names("Red")}</th><th>${w.black} ${names("Black")}</th></tr>` +
    row(w.accuracy, side => side.accuracy.toFixed(1) + " %") + row(w.loss, side => side.average_loss.toFixed(1)) +
    row(w.marks, side => `${side.inaccuracies} / ${side.mistakes} / ${side.blunders}`) + row("!", side => side.finds);
  const opening = analysis.opening, texts = analysis.verdict_texts;
  const facts = analysis.result === "*" ? [] : [`${w.result}: ${escaped(analysis.result)}`];
  facts.push(`${w.verdict}: ${escaped(texts[language.toLowerCase()])} (${analysis.verdict_ply})`);
  if (opening) facts.push(`${w.opening}: ${opening.code} ${escaped(language === "en" ? opening.english : opening.chinese)}`);
  if (analysis.book_plies !== null) facts.push(`${w.book} ${analysis.book_plies}`);
  if (analysis.table_from !== null) facts.push(`${w.tables} ${analysis.table_from}`);
  facts.push(escaped(analysis.settings));
  at("facts").innerHTML = facts.join("<br>");
  const move = analysis.moves[ply - 1];
  at("said").innerHTML = move ? sentence(move, w) : w.start;
}

function sentence(move, w) {
  let text = `<b>${moveText(move.wxf, move.chinese)}</b> <span class="mark">${move.mark || ""}</span> ${score(move.score)}, ` +
    `${w.expected} ${move.expectation.toFixed(1)} %` + (move.in_book ? `, ${w.inBook}` : "");
  if (move.best !== move.move) {
    const shown = (language === "en" ? move.line_wxf : move.line_chinese).slice(0, 10).map(m => language === "zh-Hans" ? simplify(m) : m);
    text += `<br>${w.lost} ${move.loss.toFixed(1)}; ${w.best}: ${shown.join(" ")} ${score(move.best_score)} (${w.depth} ${move.depth})`;
  }
  return text;
}

/** The number of a move: `3.` or `3…`. */
const numberOf = move => move.round + (move.side === "red" ? "." : "…");

function drawMoves(analysis) {
  const kinds = { "??": "bad3", "?": "bad2", "?!": "bad1", "!": "good" };
  let html = "";
  analysis.moves.forEach((move, index) => {
    if (index === 0 || move.side === "red") {
      html += `<li class="number">${move.round}</li>`;
      if (move.side === "black") html += "<li class=\"number\">…</li>";
    }
    const here = index + 1 === ply ? " here" : "";
    html += `<li data-ply="${index + 1}" class="${kinds[move.mark] || ""}${here}${move.in_book ? " book" : ""}">` +
      `${moveText(move.wxf, move.chinese)} <span class="mark">${move.mark || ""}</span></li>`;
  });
  at("moves").innerHTML = html;
  const marked = analysis.moves.filter(move => move.mark);
  at("mistakes").innerHTML = marked.map(move => `<li>${numberOf(move)} ${sentence(move, words[language])}</li>`).join("");
  const here = at("moves").querySelector(".here");
  if (here) at("moves").scrollTop = here.offsetTop - at("moves").offsetTop - 100;
}

function gameName(analysis, index) {
  const tags = analysis.tags;
  const names = tags.Red || tags.Black ? `${tags.Red || "?"} – ${tags.Black || "?"}` : `${index + 1}`;
  const result = analysis.result === "*" ? "" : analysis.result;
  return [tags.Id || tags.Event, names, result].filter(Boolean).join(" · ");
}

function draw() {
  const analysis = games[game];
  document.documentElement.lang = language;
  if (!analysis) return;
  at("title").textContent = gameName(analysis, game);
  drawBoard(analysis);
  drawGraph(analysis);
  drawWords(analysis);
  drawMoves(analysis);
}

function go(to) {
  ply = Math.max(0, Math.min(games[game].moves.length, to));
  draw();
}

const steps = {
  first: () => go(0),
  back: () => go(ply - 1),
  on: () => go(ply + 1),
  last: () => go(Infinity),
  turn: () => { turned = !turned; draw(); },
  mistake: () => {
    const next = games[game].moves.findIndex((move, index) => index >= ply && move.mark && move.mark !== "!");
    if (next >= 0) go(next + 1);
  },
};
at("games").innerHTML = games.map((analysis, index) => `<option value="${index}">${escaped(gameName(analysis, index))}</option>`).join("");
at("games").hidden = games.length < 2;
at("games").onchange = event => { game = Number(event.target.value); go(0); };
at("language").onchange = event => { language = event.target.value; draw(); };
document.querySelectorAll("button").forEach(button => { button.onclick = steps[button.dataset.go]; });
at("moves").onclick = event => {
  const item = event.target.closest("[data-ply]");
  if (item) go(Number(item.dataset.ply));
};
at("graph").onclick = event => {
  const box = at("graph").getBoundingClientRect();
  go(Math.round((event.clientX - box.left) / box.width * games[game].moves.length));
};
document.onkeydown = event => {
  const step = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" }[event.key];
  if (step && event.target.tagName !== "SELECT") { steps[step](); event.preventDefault(); }
};
if ((navigator.language || "").startsWith("zh")) language = /TW|HK|MO|Hant/.test(navigator.language) ? "zh-Hant" : "zh-Hans";
at("language").value = language;
draw();
