/* The part of a field that a question is about: the unit that acts, and what it can reach. */

const ABOUT = ".offers :is(.acting, .reach), .offers .offer:not(.look, .next) .shape";
const REACHED = ".offers .reach, .offers .offer:not(.look, .next)";
const ROUND = 70; // units of the drawing about it

/* Return its box in units of the drawing, or null for a question about all of the field. */

export function focusOf(svg) {
  if (!svg.querySelector(REACHED)) return null;
  const boxes = [...svg.querySelectorAll(ABOUT)].map((one) => one.getBBox());
  const [left, top] = [Math.min(...boxes.map(({ x }) => x)) - ROUND, Math.min(...boxes.map(({ y }) => y)) - ROUND];
  const right = Math.max(...boxes.map(({ x, width }) => x + width)) + ROUND;
  const bottom = Math.max(...boxes.map(({ y, height }) => y + height)) + ROUND;
  return { left, top, right, bottom };
}
