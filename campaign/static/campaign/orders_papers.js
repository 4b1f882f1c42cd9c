/* The forms for arrivals and standing instructions, which are parts of the sheet. */

import { findings } from "./orders_form.js";

const HESITATION = 500; // milliseconds after the last key before the form is saved

function field(id, words, value, placeholder) {
  const box = document.createElement("div");
  box.className = "field";
  const label = Object.assign(document.createElement("label"), { htmlFor: id, textContent: words });
  const input = Object.assign(document.createElement("input"), { id, value, placeholder });
  box.append(label, input);
  return box;
}

function readings(list, told) {
  const items = told.map(({ text, findings: found }) => {
    const item = document.createElement("li");
    const wrong = Object.assign(document.createElement("ul"), { className: "findings" });
    findings(wrong, found);
    item.append(text, wrong);
    return item;
  });
  list.replaceChildren(...items);
}

/* Save when the user stops typing; complain about unknown places only on leaving the field. */

function whenWritten(paper) {
  let timer;
  paper.form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => paper.keep(), HESITATION);
  });
  paper.form.addEventListener("change", () => {
    clearTimeout(timer);
    paper.complain();
    paper.keep();
  });
}

export class Arrivals {
  constructor(book, names) {
    Object.assign(this, { book, names });
    this.form = document.querySelector("#arrivals-form");
    this.reasons = [...new Set(book.data.due.map(({ reason }) => reason))];
    document.querySelector("#due").replaceChildren(...this.reasons.map((reason, number) => this.row(reason, number)));
    whenWritten(this);
    this.fill();
  }

  row(reason, number) {
    const groups = this.book.data.due.filter((group) => group.reason === reason);
    const words = groups.map((group) => `${group.label} (${group.month_name})`).join("; ");
    const places = [...new Set(groups.flatMap((group) => group.place_labels))];
    return field(`due-${number}`, `${reason}: ${words}`, "", places.slice(0, 4).join(", "));
  }

  inputs() {
    const named = this.reasons.map((reason, number) => [reason, this.form.querySelector(`#due-${number}`)]);
    return [...named, ["", this.form.any]];
  }

  fill() {
    for (const [reason, input] of this.inputs()) {
      const order = this.book.sheet.reinforcements.find((one) => (one.reason ?? "") === reason && !one.unit_ids.length);
      input.value = (order?.hexes ?? []).map((hex) => this.names.name(hex)).join(", ");
    }
  }

  wrong() {
    return this.inputs().map(([, input]) => input).filter(({ value }) => this.names.list(value) === null);
  }

  complain() {
    const wrong = this.wrong();
    this.inputs().forEach(([, input]) => input.setAttribute("aria-invalid", wrong.includes(input)));
    const said = wrong.length ? `${this.names.refusal(this.names.unknown(wrong[0].value))} What is written here is not kept until it is put right.` : "";
    document.querySelector("#arrivals-wrong").textContent = said;
  }

  keep() {
    if (this.wrong().length) return;
    const orders = this.inputs().flatMap(([reason, input]) => {
      const hexes = this.names.list(input.value);
      return hexes.length ? [{ hexes, unit_ids: [], reason: reason || null }] : [];
    });
    const others = this.book.sheet.reinforcements.filter((one) => one.unit_ids.length);
    this.book.change((sheet) => (sheet.reinforcements = [...others, ...orders]));
  }

  learn(reading) {
    readings(document.querySelector("#arrivals-read"), reading.reinforcements);
  }
}

export class Standing {
  constructor(book, names) {
    Object.assign(this, { book, names });
    this.form = document.querySelector("#standing-form");
    whenWritten(this);
    this.fill();
  }

  fill() {
    const { form } = this;
    const standing = this.book.sheet.standing;
    form.losses.value = standing.losses;
    form.helps.value = standing.helps;
    form.retreat.value = this.names.name(standing.retreat.towards_hex);
    form["stand-fast"].checked = standing.retreat.stand_fast;
    form["from-points"].value = standing.supply.from_points;
    form.keep.value = this.text(standing.supply.keep_hexes);
    form.near.value = this.text(standing.near_hexes);
  }

  text(hexes) {
    return hexes.map((hex) => this.names.name(hex)).join(", ");
  }

  wrong() {
    const { keep, near, retreat } = this.form;
    const lists = [keep, near].filter(({ value }) => this.names.list(value) === null);
    return this.names.hex(retreat.value) === null ? [...lists, retreat] : lists;
  }

  complain() {
    const { keep, near, retreat } = this.form;
    const wrong = this.wrong();
    [keep, near, retreat].forEach((input) => input.setAttribute("aria-invalid", wrong.includes(input)));
    const said = wrong.length ? `${this.names.refusal(this.names.unknown(wrong[0].value))} What is written here is not kept until it is put right.` : "";
    document.querySelector("#standing-wrong").textContent = said;
  }

  keep() {
    const { form, names } = this;
    if (this.wrong().length) return;
    this.book.change((sheet) => {
      sheet.standing = {
        ...sheet.standing,
        losses: form.losses.value,
        helps: form.helps.value,
        retreat: { towards_hex: names.hex(form.retreat.value) || null, stand_fast: form["stand-fast"].checked },
        supply: { from_points: Math.max(0, +form["from-points"].value || 0), keep_hexes: names.list(form.keep.value) },
        near_hexes: names.list(form.near.value),
      };
    });
  }

  learn(reading) {
    readings(document.querySelector("#standing-read"), reading.standing);
  }
}
