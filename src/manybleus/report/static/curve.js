"use strict";
// Sorts the columns of the specification curve. The drawing is there without it; report/curve.py lays it out in the same way.
(() => {
  const drawing = document.getElementById("curve-drawing");
  const choice = document.getElementById("curve-sort");
  if (!drawing || !choice) return;
  const { left, right, y, low, high, kinds, codes } = JSON.parse(document.getElementById("curve-data").textContent);
  const step = (right - left) / y.length;
  const x = (place) => +(left + (place + 0.5) * step).toFixed(1);

  const dots = (order, kind) =>
    order.map((cell, place) => (kinds[cell] === kind ? `M${x(place)} ${y[cell]}h.01` : "")).join("");

  const band = (order) => {
    const bound = (ys) => order.map((cell, place) => `${x(place)} ${ys[cell]}`);
    return low.length ? `M${[...bound(high), ...bound(low).reverse()].join("L")}Z` : "";
  };

  const row = (order, axis, code, flips, height) => {
    const shown = order.map((cell) => codes[axis][cell] === code && (kinds[cell] & 1) === flips);
    let path = "", start = -1;
    [...shown, false].forEach((isShown, place) => {
      if (isShown && start < 0) start = place;
      if (isShown || start < 0) return;
      path += `M${+(left + start * step).toFixed(1)} ${height}h${+((place - start) * step).toFixed(1)}`;
      start = -1;
    });
    return path;
  };

  choice.addEventListener("change", () => {
    const axis = choice.value;
    const order = y.map((_, cell) => cell);
    if (axis) order.sort((one, other) => codes[axis][one] - codes[axis][other] || one - other);
    const placeOf = [];
    order.forEach((cell, place) => { placeOf[cell] = place; });
    document.getElementById("curve-band").setAttribute("d", band(order));
    for (const path of drawing.querySelectorAll("[data-kind]")) path.setAttribute("d", dots(order, +path.dataset.kind));
    for (const path of drawing.querySelectorAll("[data-row]")) {
      const [axisOfRow, code, flips] = path.dataset.row.split(" ");
      path.setAttribute("d", row(order, axisOfRow, +code, +flips, path.dataset.y));
    }
    for (const mark of drawing.querySelectorAll("[data-place]"))
      mark.setAttribute("transform", `translate(${x(placeOf[+mark.dataset.place])} 0)`);
  });
  choice.closest("[hidden]").hidden = false;
})();
