// Tables that can be sorted by a press on a column's head. Without this file they are plain tables.
"use strict";
(() => {
  // What a cell says, without signs that only the eye needs and without the mark of a tie beside a number.
  const said = (cell) => {
    const copy = cell.cloneNode(true);
    copy.querySelectorAll("[aria-hidden], .tie").forEach((sign) => sign.remove());
    return copy.textContent.replace(/\s+/g, " ").trim();
  };

  // The number in a cell, e.g. of "tie +9.7e-07", "1,200 of 3,456" or "18.8 %".
  const amount = (text) => parseFloat((text.match(/[-+]?\d+(,\d{3})*(\.\d+)?(e[-+]?\d+)?/i) || [""])[0].replaceAll(",", ""));

  const compared = (first, second, numeric) => {
    if (!numeric) return first.localeCompare(second, "en", { numeric: true });
    const [one, other] = [amount(first), amount(second)];
    // Rows without a number come last.
    return Number.isNaN(one) - Number.isNaN(other) || one - other || 0;
  };

  const makeSortable = (table) => {
    const body = table.tBodies[0];
    const original = [...body.rows];
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const next = { ascending: "descending", descending: null }[head.getAttribute("aria-sort")];
        const order = next === undefined ? "ascending" : next;
        heads.forEach((each) => each.removeAttribute("aria-sort"));
        if (order) head.setAttribute("aria-sort", order);
        const rows = [...original];
        if (order) {
          const numeric = head.matches(".number, .share");
          const texts = new Map(rows.map((row) => [row, said(row.cells[column])]));
          const sign = order === "ascending" ? 1 : -1;
          rows.sort((one, other) => sign * compared(texts.get(one), texts.get(other), numeric));
        }
        body.append(...rows);
      });
    });
  };

  document.querySelectorAll("main .scroll > table[id]").forEach((table) => {
    if (table.closest("#pick")) return;
    const plain = table.tBodies.length === 1 && table.tHead && !table.querySelector("[rowspan], [colspan], td ul");
    if (plain && table.tBodies[0].rows.length > 2) makeSortable(table);
  });
})();
