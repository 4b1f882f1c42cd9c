/* Counters of the map that would cover each other are pushed apart. */

const CARD = 44; // half a counter with its margin, in units of the sheet
const RINGED = 56; // half a besieged counter, with its ring
const HEAVY = 4; // times a besieged counter yields less than others: it belongs to its place
const ROUNDS = 60; // most rounds in which counters are pushed apart

/* Push two counters apart along the way that is shorter; return whether they had to be. */

function apart(one, other) {
  const [dx, dy] = [other.x - one.x, other.y - one.y];
  const room = one.half + other.half;
  const [wide, high] = [room - Math.abs(dx), room - Math.abs(dy)];
  if (wide <= 0.5 || high <= 0.5) return false;
  const axis = wide < high ? "x" : "y";
  const push = Math.min(wide, high) * ((axis === "x" ? dx : dy) < 0 ? -1 : 1);
  one[axis] -= (push * other.weight) / (one.weight + other.weight);
  other[axis] += (push * one.weight) / (one.weight + other.weight);
  return true;
}

/* Push the counters of stacks apart, `c` times as large as printed, and note how far on each. Return
 * the path that leads a line from every counter that is far from its hex to that hex. */

export function spread(stacks, c) {
  const cards = stacks.map((stack) => {
    const [x, y] = stack.getAttribute("transform").match(/-?[\d.]+/g).map(Number);
    const besieged = Boolean(stack.querySelector('[href="#u-siege"]'));
    return { stack, home: [x, y], x, y, half: c * (besieged ? RINGED : CARD), weight: besieged ? HEAVY : 1 };
  });
  for (let round = 0, moved = true; moved && round < ROUNDS; round += 1) {
    moved = false;
    cards.forEach((one, number) => {
      for (const other of cards.slice(number + 1)) moved = apart(one, other) || moved;
    });
  }
  const lines = cards.map(({ stack, home, x, y, half }) => {
    const [dx, dy] = [x - home[0], y - home[1]];
    stack.shift = [dx, dy];
    stack.style.setProperty("--sx", `${dx}px`);
    stack.style.setProperty("--sy", `${dy}px`);
    return Math.hypot(dx, dy) > half / 2 ? `M${home[0] - 9 * c} ${home[1]}h${18 * c}m${-9 * c} ${-9 * c}v${18 * c}m0${-9 * c}L${x} ${y}` : "";
  });
  return lines.join("");
}
