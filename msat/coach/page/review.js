"use strict";
// The board at every decision: drawn from the data in the page, stepped through by keys, buttons and the curve.
const game = JSON.parse(document.getElementById("game").textContent);
const find = (id) => document.getElementById(id);
const board = find("board"), range = find("range"), here = find("here");
const FLAG = '<svg viewBox="0 0 16 16" aria-hidden="true"><path d="M5 1v14" stroke="currentColor" stroke-width="1.6"/><path d="M5.5 1.8 13 5 5.5 8.4z" fill="var(--flag)"/></svg>';
const MINE = '<svg viewBox="0 0 16 16" aria-hidden="true"><circle cx="8" cy="8" r="4.6" fill="currentColor"/><path d="M8 1v14M1 8h14M3 3l10 10M13 3 3 13" stroke="currentColor" stroke-width="1.3"/></svg>';
const cells = [];
let at = 0;

board.style.gridTemplateColumns = `repeat(${game.width}, minmax(0, 1fr))`;
board.style.maxWidth = `${Math.min(game.width * 44, 1000)}px`;
board.style.minWidth = `${game.width * 19}px`;
for (let i = 0; i < game.width * game.height; i++) {
  const cell = document.createElement("i");
  cells.push(cell);
  board.append(cell);
}
function fit() {
  board.style.setProperty("--cell-font", `${Math.max(7, (board.clientWidth / game.width) * 0.56)}px`);
}
addEventListener("resize", fit);
fit();

const percent = (x, digits = 1) => {
  if (x <= 0 || x >= 1) return x <= 0 ? "0%" : "100%";
  if (x < 0.001) return "below 0.1%";
  return x > 0.999 ? "above 99.9%" : `${(100 * x).toFixed(digits)}%`;
};
const name = (cell) => `row ${Math.floor(cell / game.width)}, column ${cell % game.width}`;

function heat(risk) {
  // From blue over neutral, at the board's average, to orange: also told apart without colour vision.
  const away = risk < game.average ? (game.average - risk) / game.average : (risk - game.average) / (1 - game.average);
  const colour = risk < game.average ? "--cold" : "--warm";
  return `linear-gradient(rgba(var(${colour}), ${(0.75 * away).toFixed(3)}), rgba(var(${colour}), ${(0.75 * away).toFixed(3)})), var(--hidden)`;
}

function draw(step) {
  const move = game.moves[step], shown = move || game.end;
  const trusted = new Set(move ? move.trusted : []);
  const clues = new Set(move ? move.clues : []), opened = new Set(move ? move.opened : []);
  const proof = clues.size > 0;
  let hidden = 0;
  cells.forEach((cell, i) => {
    const value = shown.board[i];
    cell.className = "";
    cell.style.background = "";
    cell.innerHTML = "";
    if (value === "?" || value === "F") {
      cell.className = "h";
      if (move) {
        const risk = parseInt(move.risk.substr(2 * hidden, 2), 16) / 255;
        cell.style.background = heat(risk);
        if (value === "?") cell.textContent = risk <= 0 ? "+" : risk >= 1 ? "*" : Math.min(99, Math.max(1, Math.round(100 * risk)));
      }
      hidden++;
      if (value === "F") cell.innerHTML = FLAG;
      if (!move && game.mines.includes(i)) cell.innerHTML = value === "F" ? FLAG : MINE;
      if (!move && value === "F" && game.mines.length && !game.mines.includes(i)) cell.classList.add("wrong");
    } else if (value !== "0") {
      cell.textContent = value;
      cell.className = `n${value}`;
    }
    if (!move && game.exploded === i) cell.classList.add("boom");
    if (clues.has(i)) cell.classList.add("clue");
    if (move && (opened.has(i) || move.cell === i)) cell.classList.add("chosen", ...(move.mistake ? ["bad"] : []));
    if (move && move.better === i) cell.classList.add("better");
    if (trusted.has(i)) cell.classList.add("trusted");
    if (proof && !clues.has(i) && !trusted.has(i) && !opened.has(i) && move.better !== i && move.cell !== i) cell.classList.add("dim");
  });
}

function tell(step) {
  const move = game.moves[step];
  find("where").textContent = move ? `Move ${move.number}` : "The end";
  find("tag").className = `tag ${move ? move.tag : ""}`;
  find("tag").textContent = move ? move.label : game.state;
  find("what").textContent = move ? move.what : game.summary;
  find("why").textContent = move ? move.reason : "";
  const proof = find("proof");
  proof.replaceChildren(...(move ? move.proof : []).map((line) => Object.assign(document.createElement("li"), { textContent: line })));
  const bars = find("bars");
  bars.replaceChildren();
  if (move) {
    const error = move.exact ? "" : ` ± ${(100 * move.error).toFixed(1)}`;
    for (const [label, value, text] of [
      ["best chance", move.best, percent(move.best)],
      ["after the choice", move.win, percent(move.win) + error],
      ["kept", move.kept, move.kept.toFixed(2)],
    ]) {
      const bar = document.createElement("div"), fill = document.createElement("span"), end = document.createElement("span"), begin = document.createElement("span");
      fill.style.width = `${100 * value}%`;
      bar.append(fill);
      begin.textContent = label;
      end.textContent = text;
      bars.append(begin, bar, end);
    }
  }
}

function go(step) {
  at = Math.max(0, Math.min(game.moves.length, step));
  range.value = at;
  draw(at);
  tell(at);
  const chosen = board.querySelector(".chosen, .boom"), frame = board.parentElement;
  if (chosen) frame.scrollLeft = chosen.offsetLeft - frame.clientWidth / 2;
  const x = game.curve[at];
  here.setAttribute("x1", x);
  here.setAttribute("x2", x);
  find("back").disabled = at === 0;
  find("on").disabled = at === game.moves.length;
  find("next").disabled = next() === undefined;
}
const next = () => game.mistakes.find((step) => step > at);

find("back").onclick = () => go(at - 1);
find("on").onclick = () => go(at + 1);
find("next").onclick = () => next() !== undefined && go(next());
range.oninput = () => go(Number(range.value));
document.querySelectorAll(".go").forEach((button) => (button.onclick = () => go(Number(button.dataset.step))));
find("curve").onclick = (event) => {
  const box = find("curve").getBoundingClientRect();
  const x = ((event.clientX - box.left) / box.width) * game.curveWidth;
  go(game.curve.reduce((best, place, step) => (Math.abs(place - x) < Math.abs(game.curve[best] - x) ? step : best), 0));
};
addEventListener("keydown", (event) => {
  if (event.target === range || event.altKey || event.ctrlKey || event.metaKey) return;
  const to = { ArrowLeft: at - 1, ArrowRight: event.shiftKey ? (next() ?? at) : at + 1, Home: 0, End: game.moves.length }[event.key];
  if (to !== undefined) {
    event.preventDefault();
    go(to);
  }
});
go(game.mistakes.length ? game.mistakes[0] : game.moves.length);
