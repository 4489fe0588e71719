// The captions word by word, against the references that the reader checks. Without this file they are marked against
// the baseline's; bleu/matching.py and report/pictures.py do the same there. Tokens are numbers; see pictures.py.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("captions-data").textContent);

  const node = (tag, text) => {
    const made = document.createElement(tag);
    made.textContent = text;
    return made;
  };

  const ngrams = (tokens, order) => tokens.slice(order - 1).map((_, at) => tokens.slice(at, at + order).join(" "));

  // Each n-gram as often as the one reference has it that has it most.
  const ceiling = (references, order) => {
    const most = new Map();
    for (const tokens of references) {
      const counts = new Map();
      for (const ngram of ngrams(tokens, order)) counts.set(ngram, (counts.get(ngram) || 0) + 1);
      for (const [ngram, count] of counts) most.set(ngram, Math.max(count, most.get(ngram) || 0));
    }
    return most;
  };

  // Of equal n-grams the later ones are clipped.
  const matching = (tokens, references, order) => {
    const most = ceiling(references, order);
    const seen = new Map();
    return ngrams(tokens, order).map((ngram) => {
      seen.set(ngram, (seen.get(ngram) || 0) + 1);
      if (!most.has(ngram)) return "unmatched";
      return seen.get(ngram) <= most.get(ngram) ? "matched" : "clipped";
    });
  };

  // Marks a caption and returns its counts in words.
  const mark = (box, tokens, references) => {
    const longest = tokens.map(() => 0);
    const found = [...box.querySelectorAll(".orders > span")].map((shown, at) => {
      const order = at + 1;
      const states = matching(tokens, references, order);
      states.forEach((state, place) => { if (state === "matched") longest.fill(order, place, place + order); });
      const [matches, clipped] = ["matched", "clipped"].map((kind) => states.filter((state) => state === kind).length);
      shown.replaceChildren(
        `n = ${order}: `, node("strong", `${matches}/${states.length}`),
        ...(clipped ? [" ", node("s", clipped), " clipped"] : []),
      );
      return { states, told: `${matches}/${states.length}` };
    });
    box.querySelectorAll("ruby").forEach((ruby, place) => {
      const clipped = found[0].states[place] === "clipped";
      const word = ruby.querySelector("span");
      word.replaceChildren(clipped ? node("s", word.textContent) : word.textContent);
      ruby.className = `n${Math.min(longest[place], 4)}${clipped ? " clipped" : ""}`;
      ruby.querySelector("rt").textContent = longest[place] || (clipped ? "×" : "-");
    });
    return `${box.querySelector(".system").textContent} ${found.map(({ told }) => told).join(", ")}`;
  };

  document.querySelectorAll("#captions .shown > li").forEach((item, number) => {
    const { captions, choices } = data[number];
    const boxes = [...item.querySelectorAll(".said")];
    const inputs = [...item.querySelectorAll("[data-choice]")].map((choice) => {
      const input = document.createElement("input");
      const label = document.createElement("label");
      // A browser must not remember what was checked: the marks would not be those of the checks.
      Object.assign(input, { type: "checkbox", autocomplete: "off", checked: !choice.closest(".unused") });
      label.append(input, node("bdi", choice.textContent));
      choice.replaceChildren(label);
      return input;
    });
    const baseline = inputs.map((input) => input.checked);

    const show = () => {
      const chosen = choices.filter((_, at) => inputs[at].checked).flat();
      const counts = boxes.map((box, at) => mark(box, captions[at], chosen));
      const isBaseline = inputs.every((input, at) => input.checked === baseline[at]);
      const told = `${chosen.length || "None"} of ${choices.flat().length} references count${isBaseline ? ", as at the baseline" : ""}.`;
      const unseen = node("span", ` Matched n-grams, n from 1: ${counts.slice(0, 8).join("; ")}.`);
      unseen.className = "unseen";
      item.querySelector(".against").replaceChildren(told, unseen);
    };
    item.addEventListener("change", show);
    show();
    item.querySelectorAll(".unused").forEach((unused) => { unused.hidden = false; });
  });
  document.getElementById("captions-choose").hidden = false;
})();
