/* The orders as a list of sentences, to be moved, changed and deleted. */

import { busy, findings } from "./findings.js";
import { offerUndo } from "./undo.js";

export class OrderList extends EventTarget {
  constructor(book) {
    super();
    this.book = book;
    this.list = document.querySelector("#order-list");
    this.words = new Map();
    this.list.addEventListener("click", (event) => this.pressed(event));
    this.list.addEventListener("pointerdown", (event) => this.grasp(event));
    this.show();
  }

  /* The reading of an order is kept until the order changes. */

  learn({ orders, sheet }) {
    busy(this.list, false);
    orders.forEach((told) => this.remember(told.order, told));
    findings(document.querySelector("#sheet-findings"), sheet);
  }

  /* Show the sentences of the stored sheet before its findings are known. */

  hear({ orders, order_texts }) {
    orders.forEach((order, number) => {
      if (!this.words.has(JSON.stringify(order))) this.remember(order, { text: order_texts[number], findings: [] });
    });
  }

  /* Findings of all orders are out of date after a change: one order bears on another. */

  doubt() {
    busy(this.list, true);
  }

  remember(order, told) {
    this.words.set(JSON.stringify(order), told);
  }

  /* A list that is being rearranged is rebuilt when the order is let go. */

  show() {
    if (this.list.querySelector(".grasped")) return;
    const { orders } = this.book.sheet;
    document.querySelector("#no-orders").hidden = orders.length > 0;
    const items = orders.map((order, number) => this.item(order, number));
    this.list.replaceChildren(...items);
  }

  item(order, number) {
    const told = this.words.get(JSON.stringify(order));
    const item = document.createElement("li");
    item.className = "order";
    item.innerHTML = `<span class="grip" aria-hidden="true">⠿</span>
      <div class="said"><p></p><ul class="findings"></ul></div>
      <div class="tools"><button type="button" class="small up">Up</button><button type="button" class="small down">Down</button>
      <button type="button" class="small change">Change</button><button type="button" class="small strike">Delete</button></div>`;
    const words = told?.text ?? "This order is read as soon as it is kept.";
    item.querySelector("p").textContent = words;
    findings(item.querySelector(".findings"), told?.findings ?? []);
    for (const button of item.querySelectorAll("button")) {
      button.setAttribute("aria-label", `${button.textContent}, order ${number + 1}: ${words}`);
    }
    item.querySelector(".up").disabled = number === 0;
    item.querySelector(".down").disabled = number === this.book.sheet.orders.length - 1;
    return item;
  }

  pressed({ target }) {
    const item = target.closest(".order");
    if (!item) return;
    const number = [...this.list.children].indexOf(item);
    if (target.closest(".up")) this.move(number, number - 1, ".up");
    else if (target.closest(".down")) this.move(number, number + 1, ".down");
    else if (target.closest(".change")) this.dispatchEvent(new CustomEvent("change", { detail: { number } }));
    else if (target.closest(".strike")) this.strike(number);
  }

  move(from, to, focus) {
    this.book.change(({ orders }) => orders.splice(to, 0, ...orders.splice(from, 1)));
    this.say(`Order ${to + 1} of ${this.book.sheet.orders.length}.`);
    const item = this.list.children[to];
    const button = focus && item.querySelector(focus);
    if (button) (button.disabled ? item.querySelector("button:enabled") : button).focus();
  }

  strike(number) {
    const order = this.book.sheet.orders[number];
    this.book.change(({ orders }) => orders.splice(number, 1));
    offerUndo(`Order ${number + 1} is deleted.`, () => {
      this.book.change(({ orders }) => orders.splice(number, 0, order));
      this.list.children[number].querySelector(".strike").focus();
    });
    const next = this.list.children[Math.min(number, this.list.children.length - 1)];
    (next?.querySelector(".strike") ?? document.querySelector("#new-order")).focus();
  }

  say(words) {
    document.querySelector("#said").textContent = words;
  }

  /* Drag an order up or down with a finger or a mouse. */

  grasp(event) {
    const grip = event.target.closest(".grip");
    if (!grip || event.button) return;
    event.preventDefault();
    const item = grip.closest(".order");
    const from = [...this.list.children].indexOf(item);
    const order = JSON.stringify(this.book.sheet.orders[from]);
    grip.setPointerCapture(event.pointerId);
    item.classList.add("grasped");
    grip.onpointermove = (moved) => this.carry(item, moved.clientY);
    grip.onpointerup = grip.onpointercancel = () => this.drop(item, from, order);
  }

  /* The others move instead: a dragged element that left the page would lose the pointer. */

  carry(item, y) {
    const middle = (other) => {
      const box = other.getBoundingClientRect();
      return box.top + box.height / 2;
    };
    while (item.previousElementSibling && y < middle(item.previousElementSibling)) item.after(item.previousElementSibling);
    while (item.nextElementSibling && y > middle(item.nextElementSibling)) item.before(item.nextElementSibling);
  }

  /* The sheet may have been written elsewhere meanwhile: then nothing is moved. */

  drop(item, from, order) {
    item.classList.remove("grasped");
    const to = [...this.list.children].indexOf(item);
    const isThere = JSON.stringify(this.book.sheet.orders[from]) === order;
    if (to === from || !isThere) this.show();
    else this.move(from, to);
  }
}
