/* Orders of several sorts by buttons: a row for each sort, instead of a list of all combinations. A press
 * keeps as much of the other orders as the rules allow beside it. */

const parts = (words) => (words === "stands" ? [] : words.split(", "));

export function dressOrders() {
  const form = document.querySelector("#ordering");
  if (!form) return;
  const list = form.elements.order;
  const legal = [...list.options].map((option) => option.value);
  list.hidden = true;
  form.querySelectorAll(".sort").forEach((row) => (row.hidden = false));
  form.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-value]");
    if (!button) return;
    list.value = nearest(legal, parts(list.value), button);
    show(form);
  });
  show(form);
}

/* The legal orders with (or without) what was pressed, and most of what was there before. */

function nearest(legal, now, button) {
  const { value } = button.dataset;
  const rivals = [...button.parentNode.querySelectorAll("[data-value]")].map((one) => one.dataset.value);
  const wanted = now.includes(value) ? [] : [value];
  const kept = now.filter((one) => !rivals.includes(one));
  const fits = legal.filter((words) => wanted.every((one) => parts(words).includes(one)) && (wanted.length || !parts(words).includes(value)));
  const alike = (words) => parts(words).filter((one) => kept.includes(one)).length - parts(words).filter((one) => ![...kept, ...wanted].includes(one)).length;
  return fits.sort((one, other) => alike(other) - alike(one))[0];
}

function show(form) {
  const now = parts(form.elements.order.value);
  for (const button of form.querySelectorAll("[data-value]")) {
    button.setAttribute("aria-pressed", String(now.includes(button.dataset.value)));
  }
}
