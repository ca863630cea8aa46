/*
 * The page of `hanabi serve`: a whole deal with known cards. The server knows the rules and the
 * optimum; the page keeps which deal it is and what was done, and sends both with each question.
 */

let spec = JSON.parse(byId("data").textContent).spec;
let moves = [];
let answer = null;
let selected = null;
let asked = 0;

async function ask(newSpec, newMoves) {
  const number = ++asked;
  try {
    const response = await fetch("/api/position", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ spec: newSpec, moves: newMoves }),
    });
    const found = await response.json();
    if (number !== asked) return;
    if (found.error) throw new Error(found.error);
    [spec, moves, answer, selected] = [newSpec, newMoves, found, null];
    show();
  } catch (error) {
    if (number === asked) {
      byId("says").replaceChildren(element("p", { class: "bad" }, `Not possible: ${error.message}`));
    }
  }
}

/* The types of clue that are legal; where they are not told apart there is one, 0. */
const CLUES = { 0: "clue", 2: "colour clue", 3: "rank clue" };

function clueTypes() {
  const types = answer.legal.filter(([kind]) => kind === "clue").map(([, type]) => type);
  return types.length ? types : [0];
}

function legal(kind, slot) {
  return answer.legal.some(([k, s]) => k === kind && s === slot);
}

function act(kind, slot) {
  if (!answer || !legal(kind, slot)) return false;
  ask(spec, [...moves, [kind, slot]]);
  byId("board").focus({ preventScroll: true });
  return true;
}

function verdict() {
  const { optimum, bound, full, gone, end, score } = answer;
  if (end) {
    const good = score === full;
    return [good ? "good" : "bad", `The end: ${end}, score ${score} of ${full}.`];
  }
  if (optimum === full) return ["good", `The win is still there: ${full} of ${full} can be reached.`];
  if (bound === full) {
    return ["", `Whether the win is still there is not known: a limit was reached (${optimum} to ${bound}).`];
  }
  const most = optimum === bound ? `${optimum}` : `${optimum} to ${bound}`;
  const since = gone === null ? "" : gone ? ` It went with turn ${gone}.` : " It never was in this deal.";
  return ["bad", `The win is gone: ${most} of ${full} can be reached.${since}`];
}

function say() {
  const [classes, words] = verdict();
  byId("says").replaceChildren(
    element("p", { class: classes }, element("strong", {}, words)),
    element("p", { class: "faint" }, `${answer.name}: turn ${moves.length + 1}`),
  );
}

function cardOptions(seat, text, slot) {
  if (answer.end || seat !== answer.board.seat) return {};
  return { tag: "button", label: `${text}, card ${slot + 1}`, "data-slot": slot,
    "aria-pressed": String(slot === selected) };
}

function select(slot) {
  selected = slot;
  show();
  byId("board").querySelector(`[data-slot="${slot}"]`)?.focus();
}

function actionButtons() {
  const button = (words, kind, slot, key) => {
    const made = element("button", { type: "button", disabled: !legal(kind, slot), "data-kind": kind,
      title: `key ${key}` }, words);
    made.addEventListener("click", () => act(kind, slot));
    return made;
  };
  const made = [];
  if (!answer.end) {
    const text = selected === null ? "" : answer.board.hands[answer.board.seat][selected];
    if (text) {
      made.push(button(`play ${text}`, "play", selected, "p"));
      made.push(button(`discard ${text}`, "discard", selected, "d"));
    }
    for (const type of clueTypes()) made.push(button(CLUES[type], "clue", type, "c"));
    if (legal("deck", 0)) made.push(button("play from the draw pile", "deck", 0, "x"));
    if (!text) made.push(element("span", { class: "faint" }, "or choose a card"));
  }
  byId("actions").replaceChildren(...made);
}

function show() {
  drawBoard(byId("board"), answer.board, [], cardOptions);
  for (const card of byId("board").querySelectorAll("button")) {
    card.addEventListener("click", () => select(Number(card.dataset.slot)));
  }
  actionButtons();
  say();
  byId("log").replaceChildren(...answer.log.map(([words, lost]) =>
    element("li", { class: lost ? "bad" : "" }, lost ? `${words}: the win went` : words)));
  byId("undo").disabled = byId("restart").disabled = !moves.length;
  byId("hint").disabled = Boolean(answer.end);
}

function move(by) {
  if (!answer || answer.end) return false;
  const size = answer.board.hands[answer.board.seat].length;
  if (!size) return false;
  select(selected === null ? (by > 0 ? 0 : size - 1) : (selected + by + size) % size);
  return true;
}

byId("deal").addEventListener("submit", (event) => {
  event.preventDefault();
  ask(byId("spec").value.trim(), []);
});
byId("undo").addEventListener("click", () => ask(spec, moves.slice(0, -1)));
byId("restart").addEventListener("click", () => ask(spec, []));
byId("hint").addEventListener("click", () => {
  byId("says").append(element("p", {}, answer.best
    ? `A best action: ${answer.best}.` : "Every action that does not lose is as good."));
});
const withCard = (kind) => () => (selected === null ? false : act(kind, selected));
onKey({
  ArrowLeft: () => move(-1),
  ArrowRight: () => move(1),
  p: withCard("play"),
  d: withCard("discard"),
  c: () => act("clue", clueTypes()[0]),
  x: () => act("deck", 0),
  u: () => moves.length > 0 && (ask(spec, moves.slice(0, -1)), true),
});
byId("spec").value = spec;
ask(spec, []);
