/* Return whether two parts of a document say the same, whatever the order of their fields. */

export function same(one, other) {
  const sorted = (_, value) => {
    const plain = value && typeof value === "object" && !Array.isArray(value);
    return plain ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;
  };
  return JSON.stringify(one, sorted) === JSON.stringify(other, sorted);
}
