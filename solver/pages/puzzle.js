/*
 * The puzzle page: play an endgame for every seat. What every choice is worth was computed
 * beforehand, for every state that can be reached while there is a chance of full marks; the page
 * follows that graph and knows no rules. States leave open in which order a hand lies, which
 * useless card is which, and what was discarded: that is kept here.
 */

const puzzles = JSON.parse(byId("data").textContent);
const LOST = -1;
let puzzle = null;
let history = [];
let selected = null;

const now = () => history[history.length - 1];
const nodeOf = (at) => puzzle.nodes[at.node];
const isUseful = (at, text) => nodeOf(at).useful.includes(text);

/* What a card is called in the options of a node. */
const called = (at, text) => (isUseful(at, text) ? text : "kt");

function number(fraction) {
  const [top, bottom = "1"] = fraction.split("/");
  return Number(top) / Number(bottom);
}

function percent(fraction) {
  const value = number(fraction) * 100;
  return `${fraction} (${value === 0 || value === 100 ? value : value.toFixed(2)}%)`;
}

function optionOf(kind, text) {
  const wanted = text === null ? "" : called(now(), text);
  return nodeOf(now()).options.find(([k, card]) => k === kind && card === wanted);
}

/* Choose what is drawn: [card of the graph, copies, node after]. */
function drawOf(outcomes) {
  const how = byId("draws").value;
  const worth = ([, , node]) => (node === LOST ? 0 : number(puzzle.nodes[node].value));
  if (how !== "random") {
    const sign = how === "kind" ? 1 : -1;
    return outcomes.reduce((a, b) => (sign * worth(b) > sign * worth(a) ? b : a));
  }
  let left = Math.random() * outcomes.reduce((sum, [, copies]) => sum + copies, 0);
  return outcomes.find(([, copies]) => (left -= copies) < 0) ?? outcomes[outcomes.length - 1];
}

/* Find a card of the pile that is called so. */
function fromPile(at, card) {
  if (puzzle.ordered) return 0;
  return at.pile.findIndex((text) => called(at, text) === card);
}

function act(kind, slot) {
  const at = now();
  const seat = nodeOf(at).seat;
  const text = slot === null ? null : at.hands[seat][slot];
  const option = optionOf(kind, text);
  if (!option || at.over) return;
  const [, , name, value, outcomes] = option;
  const [card, copies, node] = outcomes.length ? drawOf(outcomes) : ["", 1, LOST];
  const place = card ? fromPile(at, card) : -1;
  const drawn = at.pile[place];
  const all = outcomes.reduce((sum, [, n]) => sum + n, 0);
  const chance = all > copies ? ` (${copies} of ${all})` : "";
  const words = `seat ${seat}: ${text !== null && !isUseful(at, text) ? `${name} (${text})` : name}`
    + (drawn ? `, draws ${drawn}${chance}` : "");
  const taken = { words, name, value, best: nodeOf(at).value, options: nodeOf(at).options };
  if (node === LOST) {
    // What comes after a loss is not in the graph: the position before it stays.
    history.push({ ...at, ...taken, over: "lost", acted: slot });
  } else {
    const hands = at.hands.map((hand) => [...hand]);
    const pile = at.pile.filter((_, index) => index !== place);
    const discards = [...at.discards];
    const gone = slot === null ? drawn : hands[seat].splice(slot, 1)[0];
    if (kind === "discard" || name.startsWith("mis")) discards.push(gone);
    if (drawn && kind !== "deck") hands[seat].push(drawn);
    const over = puzzle.nodes[node].options.length ? "" : "won";
    history.push({ node, over, hands, pile, discards, ...taken });
  }
  selected = null;
  show();
  byId("board").focus({ preventScroll: true });
}

function boardOf(at) {
  const { hands, pile, discards } = at;
  const board = { ...puzzle.board, ...nodeOf(at).board, hands, pile, discards };
  if (at.over === "won") board.seat = -1;
  board.pileSize = pile.length;
  return board;
}

function cardOptions(seat, text, slot) {
  const at = now();
  const useless = isUseful(at, text) ? "" : "useless";
  const said = useless ? `${text}, useless` : text;
  if (at.over || seat !== nodeOf(at).seat) {
    const lost = at.over === "lost" && seat === nodeOf(at).seat && slot === at.acted ? "lost" : "";
    return { classes: `${useless} ${lost}`, label: lost ? `${said}, acted on` : said };
  }
  return {
    tag: "button", classes: useless, label: `${said}, card ${slot + 1}`,
    "aria-pressed": String(slot === selected), "data-slot": slot,
  };
}

function select(slot) {
  selected = slot;
  show();
  byId("board").querySelector(`[data-slot="${slot}"]`)?.focus();
}

function actionButtons() {
  const at = now();
  const place = byId("actions");
  place.replaceChildren();
  if (at.over) return;
  const button = (words, kind, slot, key) => {
    const possible = optionOf(kind, slot === null ? null : at.hands[nodeOf(at).seat][slot]);
    const made = element("button", { type: "button", disabled: !possible, "data-kind": kind,
      title: possible ? `key ${key}` : "not allowed here" }, words);
    made.addEventListener("click", () => act(kind, slot));
    place.append(made);
  };
  const text = selected === null ? null : at.hands[nodeOf(at).seat][selected];
  if (text !== null) {
    button(`play ${text}`, "play", selected, "p");
    button(`discard ${text}`, "discard", selected, "d");
  }
  button("clue", "clue", null, "c");
  if (optionOf("deck", null)) button("play from the draw pile", "deck", null, "x");
  if (text === null) place.append(element("span", { class: "faint" }, "or choose a card"));
}

function chanceTable(options, taken) {
  const rows = options.map(([, , name, value]) =>
    element("tr", { class: name === taken ? "taken" : "" },
      element("td", {}, name), element("td", {}, percent(value))));
  return element("table", {},
    element("caption", { class: "faint" }, "chance of full marks"),
    element("tbody", {}, ...rows));
}

function say() {
  const at = now();
  const parts = [];
  if (at.words) {
    const right = at.value === at.best;
    parts.push(element("p", { class: right ? "good" : "bad" },
      element("strong", {}, right ? "Right: " : "Wrong: "),
      right ? `${at.name} has ${percent(at.value)}.`
        : `${at.name} has ${percent(at.value)}, the best has ${percent(at.best)}.`));
  }
  if (at.over === "won") parts.push(element("p", { class: "good" }, element("strong", {}, "Won: full marks.")));
  if (at.over === "lost") {
    parts.push(element("p", { class: "bad" }, element("strong", {}, "Lost: "),
      at.value === "0" ? "full marks cannot be reached any more."
        : "after this draw full marks cannot be reached any more."));
  }
  if (!at.over && at.words) {
    parts.push(element("p", {}, `Next: seat ${nodeOf(at).seat}. Chance ${percent(nodeOf(at).value)}.`));
  }
  byId("says").replaceChildren(...parts);
  const tables = [];
  if (at.words) {
    tables.push(element("h2", {}, "The move before"), chanceTable(at.options, at.name));
  }
  if (byId("tell").checked && !at.over) {
    tables.push(element("h2", {}, "Now"), chanceTable(nodeOf(at).options, ""));
  }
  byId("chances").replaceChildren(...tables);
}

function show() {
  const at = now();
  drawBoard(byId("board"), boardOf(at), [], cardOptions);
  for (const card of byId("board").querySelectorAll("button")) {
    card.addEventListener("click", () => select(Number(card.dataset.slot)));
  }
  actionButtons();
  say();
  byId("log").replaceChildren(...history.slice(1).map(({ words }) => element("li", {}, words)));
  byId("undo").disabled = history.length < 2;
  byId("restart").disabled = history.length < 2;
}

function back(count) {
  history.length = Math.max(history.length - count, 1);
  selected = null;
  show();
}

function open(index) {
  puzzle = puzzles[index];
  byId("name").textContent = puzzle.name;
  byId("id").textContent = puzzle.id;
  document.title = puzzle.name;
  byId("question").textContent = puzzle.question;
  const { hands, pile, discards } = puzzle.board;
  history = [{ node: 0, over: "", hands, pile, discards, words: "" }];
  selected = null;
  show();
}

function move(by) {
  const size = now().over ? 0 : now().hands[nodeOf(now()).seat].length;
  if (!size) return false;
  select(selected === null ? (by > 0 ? 0 : size - 1) : (selected + by + size) % size);
  return true;
}

byId("undo").addEventListener("click", () => back(1));
byId("restart").addEventListener("click", () => back(history.length));
byId("tell").addEventListener("change", say);
const withCard = (kind) => () => (selected === null ? false : act(kind, selected));
onKey({
  ArrowLeft: () => move(-1),
  ArrowRight: () => move(1),
  p: withCard("play"),
  d: withCard("discard"),
  c: () => act("clue", null),
  x: () => act("deck", null),
  u: () => back(1),
});
if (puzzles.length > 1) {
  byId("choose").hidden = false;
  byId("puzzles").append(...puzzles.map(({ name }, i) => element("option", { value: i }, name)));
  byId("puzzles").addEventListener("change", (event) => open(Number(event.target.value)));
}
open(0);
