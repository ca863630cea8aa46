/* The review page: step through a game beside the chart of its optimum. */

const data = JSON.parse(byId("data").textContent);
const charts = [...byId("charts").children];
let game = 0;
let turn = 1;

const view = () => data.games[game];
const lastStep = () => view().boards.length;

function verb(row) {
  const who = row.seat === null ? "" : `${view().players[row.seat] || `seat ${row.seat}`}: `;
  return `Turn ${row.turn}: ${who}${row.action}`;
}

function chanceWords(name, pair) {
  if (!pair) return "";
  const [best, taken] = pair;
  return best === taken ? `${name} ${best}` : `${name} ${best}, after this action ${taken}`;
}

function say() {
  const place = byId("says");
  const row = view().turns[turn - 1];
  if (!row) {
    const end = view().score === null ? "The game is unfinished." : `The end: score ${view().score}.`;
    place.replaceChildren(element("p", {}, element("strong", {}, end)));
    return;
  }
  const lost = row.loss !== "0";
  const parts = [element("p", {}, element("strong", {}, verb(row)))];
  parts.push(
    element("p", { class: lost ? "bad" : "" },
      lost
        ? `Optimum ${row.before} \u2192 ${row.after}: hindsight loss ${row.loss}`
          + (row.kind ? ` (${row.kind})` : "")
        : `Optimum ${row.before}: nothing lost`),
  );
  if (row.best) {
    const best = element("p", {}, `Best: ${row.best}. `);
    if (row.link) best.append(element("a", { href: row.link, rel: "noreferrer" }, "replay it on hanab.live"));
    parts.push(best);
  } else if (!lost && row.seat !== null) {
    parts.push(element("p", { class: "faint" }, "No action was better."));
  }
  const more = [
    row.pace === null ? "" : `pace ${row.pace}`,
    row.spare === null ? "" : `spare tokens ${row.spare}`,
    chanceWords("chance of full marks, draw order unknown:", row.win),
    chanceWords("mean score:", row.mean),
  ].filter(Boolean);
  if (more.length) parts.push(element("p", { class: "faint" }, more.join(" \u00b7 ")));
  place.replaceChildren(...parts);
}

function mark() {
  charts.forEach((chart, index) => { chart.hidden = index !== game; });
  const svg = charts[game].querySelector("svg");
  let line = svg.querySelector(".mark");
  if (!line) {
    line = document.createElementNS(svg.namespaceURI, "line");
    line.setAttribute("class", "mark hs-edge");
    line.setAttribute("stroke-width", "2");
    line.setAttribute("y1", data.top);
    line.setAttribute("y2", data.bottom);
    svg.append(line);
  }
  const x = data.chartLeft + (turn - 0.5) * data.chartStep;
  line.setAttribute("x1", x);
  line.setAttribute("x2", x);
}

function show(step) {
  const steps = Math.max(lastStep(), view().turns.length);
  turn = Math.min(Math.max(step, 1), steps);
  const row = view().turns[turn - 1];
  const board = view().boards[Math.min(turn, lastStep()) - 1];
  drawBoard(byId("board"), board, view().players, (seat, text, slot) => {
    if (!row || seat !== board.seat || slot !== row.slot) return {};
    const lost = row.loss !== "0";
    return { classes: lost ? "lost" : "acted", label: `${text}, acted on` };
  });
  byId("slider").max = steps;
  byId("slider").value = turn;
  byId("slider").setAttribute("aria-valuetext", row ? verb(row) : "the end");
  say();
  mark();
}

function step(by) {
  show(turn + by);
}

function lossFrom(by) {
  for (let at = turn - 1 + by; at >= 0 && at < view().turns.length; at += by) {
    if (view().turns[at].loss !== "0") return show(at + 1);
  }
}

function open(index) {
  game = index;
  const { name, players, score, optimum, full, lost } = view();
  byId("name").textContent = name;
  document.title = `${name}: review`;
  const end = score === null ? "unfinished" : `score ${score}`;
  byId("sum").textContent =
    `${players.join(", ")} \u2014 ${end}, optimum ${optimum} of ${full}, hindsight loss ${lost}`;
  const first = view().turns.findIndex((row) => row.loss !== "0");
  show(first < 0 ? 1 : first + 1);
}

byId("note").textContent = data.note;
byId("slider").addEventListener("input", (event) => show(Number(event.target.value)));
byId("first").addEventListener("click", () => show(1));
byId("back").addEventListener("click", () => step(-1));
byId("next").addEventListener("click", () => step(1));
byId("last").addEventListener("click", () => show(Infinity));
byId("lossBack").addEventListener("click", () => lossFrom(-1));
byId("lossNext").addEventListener("click", () => lossFrom(1));
charts.forEach((chart) => chart.addEventListener("click", (event) => {
  const svg = chart.querySelector("svg");
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  show(Math.ceil((at.x - data.chartLeft) / data.chartStep));
}));
onKey({
  ArrowLeft: () => step(-1),
  ArrowRight: () => step(1),
  Home: () => show(1),
  End: () => show(Infinity),
  n: () => lossFrom(1),
  p: () => lossFrom(-1),
});
if (data.games.length > 1) {
  byId("choose").hidden = false;
  byId("games").append(...data.games.map(({ name }, i) => element("option", { value: i }, name)));
  byId("games").addEventListener("change", (event) => open(Number(event.target.value)));
}
open(0);
