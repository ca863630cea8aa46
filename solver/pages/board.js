"use strict";

/* What all pages share: elements, and the board of a position. */

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(key, "");
    else if (value !== false && value != null) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

const byId = (id) => document.getElementById(id);

/* A card, by its text: letter and rank, "xx" unknown, "kt" known to be useless. */
function cardElement(text, { tag = "span", label = "", classes = "", ...more } = {}) {
  const shown = { xx: "?", kt: "\u00b7" }[text] ?? text;
  const said = { xx: "unknown card", kt: "useless card" }[text] ?? text;
  return element(
    tag,
    {
      class: `card ${classes}`.trim(),
      "data-suit": text.length > 1 && !["xx", "kt"].includes(text) ? text[0] : null,
      "aria-label": label || said,
      role: tag === "span" ? "img" : null,
      type: tag === "button" ? "button" : null,
      ...more,
    },
    shown,
  );
}

function rowElement(what, cards, classes = "") {
  return element(
    "div",
    { class: `row ${classes}`.trim(), role: "group", "aria-label": what },
    element("span", { class: "what" }, what),
    element("span", { class: "cards" }, ...(cards.length ? cards : ["none"])),
  );
}

/*
 * Draw a position. `hand(seat, text, slot)` gives what to add to a card in a hand: the options of
 * cardElement.
 */
function drawBoard(place, board, names, hand = () => ({})) {
  const stacks = board.stacks.map(([text, next]) =>
    cardElement(text, {
      classes: text.length < 2 ? "empty" : "",
      label: `${text.length < 2 ? `${text}: nothing yet` : text}${next ? `, next ${next}` : ""}`,
      title: next ? `next: ${next}` : "complete",
    }),
  );
  const facts = [
    `score ${board.score} of ${board.full}`,
    `clues ${board.clues} of ${board.mostClues}`,
    `strikes ${board.strikes} of ${board.mostStrikes}`,
    board.left === null ? `${board.pileSize} to draw` : `${board.left} turns left`,
  ];
  place.replaceChildren(
    element("p", { class: "facts" }, facts.join(" \u00b7 ")),
    rowElement("stacks", stacks),
    ...board.hands.map((cards, seat) =>
      rowElement(
        names[seat] ? `${names[seat]} (seat ${seat})` : `seat ${seat}`,
        cards.map((text, slot) => cardElement(text, hand(seat, text, slot))),
        seat === board.seat ? "turn" : "",
      ),
    ),
    rowElement(board.ordered ? "pile, next first" : "unseen", board.pile.map((t) => cardElement(t)),
      "small"),
    rowElement("discards", board.discards.map((t) => cardElement(t)), "small"),
  );
}

/* Call a function for a key, unless it is typed into a field or held with another one. */
function onKey(keys) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (["INPUT", "SELECT", "TEXTAREA"].includes(event.target.tagName)) return;
    const act = keys[event.key];
    if (act && act(event) !== false) event.preventDefault();
  });
}
