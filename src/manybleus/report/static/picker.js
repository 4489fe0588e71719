// The configuration picker. Its data are in the page, in the JSON of #pick-grid:
//   axes       of each axis its key in links and signatures, its name as the grid's files have it, which links may use
//              as well, its words, its options, and what signatures call these; those at rest come last, with one option
//   places     of each cell its place among all combinations of the options, the last axis moving fastest
//   scores     4 decimals as whole numbers, cell by cell, the systems in their order
//   rankings   numbers of systems, best first; -1 - number where tied with the one before; shares: how many per cent
//              of the cells have it; distinct: how many of these are distinct; ranking: which one a cell has
//   pair, gaps the two systems whose difference is told, and the difference in each cell; pair is null without a pair
//   calls      [tool, code, what it is given, sacreBLEU's signature, what the cross-check says]; peers: those of a cell
//   intervals  null, or of each cell the bounds of the gap; then level, and leaders: which of the pair leads significantly
//              in a cell, 0 or 1; -1 for neither; leads: in how many distinct cells each of the pair does
// Whatever stands in the data becomes text, never HTML.
"use strict";
(() => {
  const root = document.getElementById("pick");
  if (!root) return;
  const grid = JSON.parse(document.getElementById("pick-grid").textContent);
  const { axes, systems, pair } = grid;
  const part = (name) => document.getElementById(`pick-${name}`);
  const cells = grid.places.length;
  const rows = new Map(grid.places.map((place, row) => [place, row]));
  const MANY = 8; // of more systems than this, rankings are told by how many pairs change places

  const node = (tag, text = "", attributes = {}) => {
    const made = document.createElement(tag);
    made.textContent = text;
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
  };

  // ------------------------------------------------------------------------------------------ cells and their numbers

  const rowOf = (choice) => rows.get(choice.reduce((sum, option, axis) => sum * axes[axis].options.length + option, 0));

  const choiceOf = (row) => {
    let rest = grid.places[row];
    return axes.map(({ options }) => options.length).reverse().map((size) => {
      const option = rest % size;
      rest = (rest - option) / size;
      return option;
    }).reverse();
  };

  const changed = (choice, axis, option) => choice.map((own, at) => (at === axis ? option : own));

  const link = (choice) => {
    const named = new URLSearchParams();
    axes.forEach(({ key, options }, axis) => { if (options.length > 1) named.append(key, options[choice[axis]]); });
    return `#${named}`;
  };

  const scoresOf = (row) => grid.scores.slice(row * systems.length, (row + 1) * systems.length);
  const unit = (score) => (score / 10000).toFixed(4);

  // As text.py writes differences; they come here rounded so.
  const signed = (number) => {
    if (!number) return "0.0000";
    const sign = number < 0 ? "-" : "+";
    const size = Math.abs(number);
    if (size >= 0.00005) return sign + size.toFixed(4);
    const [digits, power] = size.toExponential(1).split("e-");
    return `${sign}${digits}e-${power.padStart(2, "0")}`;
  };

  const signature = (choice) =>
    grid.signature.map((each) => (typeof each === "number" ? axes[each].parts[choice[each]] : each)).join("|");

  // The systems, best first, each with its place; a tie shares the first one's.
  const standing = (ranking) => {
    let place = 0;
    return grid.rankings[ranking].map((system, at) => {
      const tied = system < 0;
      if (!tied) place = at + 1;
      return { system: tied ? -1 - system : system, place, tied };
    });
  };

  const rankingText = (ranking) =>
    standing(ranking).map(({ system, tied }, at) => (at ? (tied ? " = " : " > ") : "") + systems[system]).join("");

  // As words.py keeps a ranking together; a long one may break after its signs.
  const unbroken = (text) =>
    text.length <= 24 ? text.replaceAll(" ", "\u00a0") : text.replace(/ ([>=]) /g, "\u00a0$1 ");

  const pairsChanged = (one, other) => {
    const [first, second] = [one, other].map((ranking) => {
      const places = [];
      standing(ranking).forEach(({ system, place }) => { places[system] = place; });
      return places;
    });
    let count = 0;
    for (let a = 0; a < systems.length; a++)
      for (let b = a + 1; b < systems.length; b++)
        count += Math.sign(first[a] - first[b]) !== Math.sign(second[a] - second[b]);
    return `${count} of ${(systems.length * (systems.length - 1)) / 2} pairs change places`;
  };

  const counts = grid.rankings.map(() => 0);
  grid.ranking.forEach((ranking) => { counts[ranking] += 1; });

  const share = (ranking) => `${grid.shares[ranking]} %; ${grid.distinct[ranking]} distinct`;

  // ------------------------------------------------------------------------------------------------- what is shown

  const showRadios = (choice) => axes.forEach(({ key, options }, axis) => {
    root.querySelectorAll(`input[name="pick-${CSS.escape(key)}"]`).forEach((radio) => {
      const option = options.indexOf(radio.value);
      radio.checked = option === choice[axis];
      radio.disabled = rowOf(changed(choice, axis, option)) === undefined;
    });
  });

  const told = (row) => {
    if (systems.length < 2) return [`${systems[0]} ${unit(scoresOf(row)[0])}`, "One system, and nothing to rank it with."];
    const [own, baseline] = [grid.ranking[row], grid.ranking[grid.baseline]];
    const many = systems.length > MANY;
    const ranking = many
      ? `${standing(own).slice(0, 3).map(({ system, place }) => `${place}. ${systems[system]}`).join(", ")}, …`
      : unbroken(rankingText(own));
    const turned = many && own !== baseline ? `: ${pairsChanged(baseline, own)}` : "";
    const whose = `${own === baseline ? "the baseline's ranking" : "not the baseline's ranking"}${turned}`;
    return [ranking, `It is ${whose}. ${counts[own]} of ${cells} configurations (${share(own)}) have it.`];
  };

  const showScores = (row) => {
    const scores = scoresOf(row);
    const order = standing(grid.ranking[row]);
    const most = Math.max(...scores, 1);
    part("scores").tBodies[0].replaceChildren(...order.map(({ system, place, tied }, at) => {
      const equal = tied || (at + 1 < order.length && order[at + 1].tied);
      const line = node("tr");
      const bar = node("td", "", { class: "pick-bars" });
      bar.append(node("span", "", { style: `width: ${(100 * scores[system]) / most}%` }));
      line.append(
        node("td", equal ? `${place} =` : place), node("th", systems[system], { scope: "row" }),
        node("td", unit(scores[system]), { class: "number" }),
        node("td", (scores[system] / 100).toFixed(2), { class: "number" }), bar,
      );
      return line;
    }));
  };

  // A tick for each cell's gap, a line at zero, and a mark where this cell is.
  const low = grid.gaps.reduce((least, gap) => Math.min(least, gap), 0);
  const width = grid.gaps.reduce((most, gap) => Math.max(most, gap), 0) - low || 1;
  const at = (gap) => `${(2 + (96 * (gap - low)) / width).toFixed(2)}%`;
  const shape = (tag, attributes) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
  };
  const upright = (x, y1, y2, name) => shape("line", { x1: x, x2: x, y1, y2, class: name });

  const gapText = (row) => {
    const gap = grid.gaps[row];
    const scores = scoresOf(row);
    const tie = scores[pair[0]] === scores[pair[1]] ? ", a tie at four decimals" : "";
    const bounds = grid.intervals && grid.intervals[row];
    const interval = bounds ? ` (${grid.level} interval ${bounds.map(signed).join(" to ")})` : "";
    return `${systems[pair[0]]} minus ${systems[pair[1]]}: ${signed(gap)}${interval}${tie}.`;
  };

  const showGap = (row) => {
    if (!pair) return;
    const box = part("gap");
    const [ticks, mark] = box.querySelectorAll("g");
    if (!ticks.firstChild) {
      box.hidden = false;
      ticks.append(...[...new Set(grid.gaps.map(at))].map((x) => upright(x, 14, 30, "tick")), upright(at(0), 4, 40, "zero"));
      const [left, right] = box.querySelectorAll(".pick-sides span");
      left.textContent = `← ${systems[pair[1]]} ahead`;
      right.textContent = `${systems[pair[0]]} ahead →`;
    }
    // A number stays on one line: a hyphen before an exponent is no place to break.
    const told = gapText(row).split(/(\S+e[-+]\d+\S*)/).map((part, at) => (at % 2 ? node("span", part, { class: "quantity" }) : part));
    box.querySelector("p").replaceChildren(...told);
    const marks = [shape("circle", { cx: at(grid.gaps[row]), cy: 22, r: 7 })];
    if (grid.intervals) {
      const [x1, x2] = grid.intervals[row].map((bound) => at(Math.min(Math.max(bound, low), low + width)));
      marks.unshift(shape("line", { x1, x2, y1: 22, y2: 22, class: "interval" }));
    }
    mark.replaceChildren(...marks);
  };

  const changeLine = (row, choice, axis, option) => {
    const line = node("tr");
    const to = changed(choice, axis, option);
    const there = rowOf(to);
    const answer = node("th", "", { scope: "row" });
    if (there === undefined) {
      answer.textContent = axes[axis].options[option];
      line.append(answer, node("td", "not in this grid", { colspan: systems.length < 2 ? "1" : "3" }));
      return line;
    }
    answer.append(node("a", axes[axis].options[option], { href: link(to) }));
    if (systems.length < 2) {
      line.append(answer, node("td", unit(scoresOf(there)[0]), { class: "ranking" }));
      return line;
    }
    const [own, other] = [grid.ranking[row], grid.ranking[there]];
    const changes = own !== other;
    const result = systems.length > MANY ? pairsChanged(own, other) : unbroken(rankingText(other));
    const order = node("td", "", { class: "change" });
    order.append(node("span", changes ? "⇄" : "=", { class: "sign", "aria-hidden": "true" }), changes ? " changes" : " same");
    line.append(
      answer, node("td", result, { class: "ranking" }), order,
      node("td", pair ? signed(grid.gaps[there]) : "", { class: "number" }),
    );
    if (changes) line.className = "flip";
    return line;
  };

  const showChanges = (row, choice) => {
    const body = part("changes").tBodies[0];
    // Where a link of the table was followed, the reader stays at its place.
    const followed = [...body.querySelectorAll("a")].indexOf(document.activeElement);
    const lines = [];
    axes.forEach(({ words, options }, axis) => {
      const others = options.map((_, option) => option).filter((option) => option !== choice[axis]);
      others.forEach((option, place) => {
        const line = changeLine(row, choice, axis, option);
        if (!place) line.prepend(node("th", words, { scope: "rowgroup", rowspan: others.length }));
        lines.push(line);
      });
    });
    body.replaceChildren(...lines);
    if (followed >= 0) body.querySelectorAll("a")[followed]?.focus({ preventScroll: true });
  };

  // A reversal is decisive where both orders are significant, this configuration's and the other one's.
  const reversals = (row) => {
    if (!grid.intervals || !pair) return "";
    const [one, other] = pair.map((system) => systems[system]);
    const leads = [0, 1].map((side) => grid.leaders.filter((leader) => leader === side).length);
    const leader = grid.leaders[row];
    const here = leader < 0 ? "neither leads significantly here" : `${systems[pair[leader]]} leads significantly here`;
    return `; decisive reversals of ${one} and ${other}: ${leader < 0 ? 0 : leads[1 - leader]} (${here}; of all ${cells}, ` +
      `${one} does in ${leads[0]} (${grid.leads[0]} distinct) and ${other} in ${leads[1]} (${grid.leads[1]} distinct))`;
  };

  const sentence = (row, choice) => {
    const order = axes.find(({ key }) => key === "order");
    const name = `BLEU-${order.options[choice[axes.indexOf(order)]]}`;
    const scores = scoresOf(row);
    const each = systems.map((system, at) => `${system} ${unit(scores[at])}`).join(", ");
    if (systems.length < 2) return `${name} (0-1): ${each}; signature ${signature(choice)}.`;
    const own = grid.ranking[row];
    const agree = `${counts[own]} of the ${cells} scored configurations (${share(own)}) rank the systems like this`;
    return `${name} (0-1): ${each}; ranking ${rankingText(own)}; signature ${signature(choice)}. ${agree}${reversals(row)}.`;
  };

  const showCalls = (row, choice) => {
    const entry = (name, ...values) => {
      const box = node("div");
      box.append(node("dt", name), ...values.map(([tag, text]) => {
        const value = node("dd");
        value.append(node(tag, text));
        return value;
      }));
      return box;
    };
    const calls = grid.peers[row].map((number) => grid.calls[number]);
    part("calls").replaceChildren(
      entry("manybleus", ["code", signature(choice)]),
      ...calls.map(([tool, code, given, printed, compared]) => entry(
        tool, ...(printed ? [["code", printed]] : []), ["code", code],
        ["small", `given ${given}${compared ? `; ${compared}` : ""}`],
      )),
      ...(calls.length ? [] : [entry("other tools", ["small", "none that was asked has an option for this configuration"])]),
    );
  };

  let shown = grid.baseline;
  const show = (row, note = "") => {
    const choice = choiceOf(row);
    shown = row;
    showRadios(choice);
    showScores(row);
    showGap(row);
    showChanges(row, choice);
    part("sentence").textContent = sentence(row, choice);
    showCalls(row, choice);
    part("copied").textContent = "";
    const [headline, rest] = told(row);
    part("told").replaceChildren(note, node("strong", headline), ` ${rest}`);
    part("told").classList.toggle("flip", grid.ranking[row] !== grid.ranking[grid.baseline]);
  };

  // -------------------------------------------------------------------------------------------- the page's address

  const named = () => [...new URLSearchParams(location.hash.slice(1))];
  const isChoice = () => location.hash.includes("=");
  // A place of the page may stand before the choices: #curve&refs=1.
  const place = () => named().map(([key, value]) => !value && document.getElementById(key)).find(Boolean);

  const follow = () => {
    if (location.hash.length > 1 && !isChoice()) {
      // The choice stays, and so it stays in the address.
      if (shown !== grid.baseline) history.replaceState(null, "", `${location.hash}&${link(choiceOf(shown)).slice(1)}`);
      return;
    }
    const choice = choiceOf(grid.baseline);
    const [unknown, found] = [[], axes.map(() => new Set())];
    for (const [key, value] of named()) {
      const axis = axes.findIndex((each) => each.key === key || each.name === key);
      const option = axis < 0 ? -1 : axes[axis].options.indexOf(value);
      if (option >= 0) found[axis].add(option);
      else if (value || !document.getElementById(key)) unknown.push(`${key}=${value}`);
    }
    const twice = axes.filter((_, axis) => found[axis].size > 1).map(({ key }) => key);
    found.forEach((options, axis) => { if (options.size === 1) [choice[axis]] = options; });
    const row = rowOf(choice);
    if (row === undefined) show(grid.baseline, "The address names a configuration that is not in this grid. The baseline: ");
    else {
      show(row, [["Not in this grid: ", unknown], ["Two answers, so that neither counts: ", twice]]
        .map(([words, keys]) => (keys.length ? `${words}${keys.join(", ")}. ` : "")).join(""));
    }
  };

  // --------------------------------------------------------------------------------------------------- what is done

  root.addEventListener("change", ({ target }) => {
    const named = axes.map(({ key, options }) => {
      const radio = root.querySelector(`input[name="pick-${CSS.escape(key)}"]:checked`);
      return radio ? options.indexOf(radio.value) : 0;
    });
    if (target.type === "radio") location.hash = link(named);
  });

  part("copy").addEventListener("click", async () => {
    const text = part("sentence");
    let done = true;
    try {
      await navigator.clipboard.writeText(text.textContent);
    } catch {
      getSelection().selectAllChildren(text);
      done = document.execCommand("copy");
    }
    part("copied").textContent = done ? "Copied." : "Marked: copy it with Ctrl+C.";
  });

  window.addEventListener("hashchange", follow);
  // A browser that remembers a form's answers sets them anew when it shows the page again.
  window.addEventListener("pageshow", () => showRadios(choiceOf(shown)));
  show(grid.baseline);
  root.hidden = false;
  part("without").hidden = true;
  if (isChoice()) {
    follow();
    (place() || document.getElementById("picker")).scrollIntoView();
  }
})();
