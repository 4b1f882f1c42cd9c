/* Copy a text, also where a browser has no clipboard: it has one only over https. Return whether it is copied. */

export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelection(text);
  }
}

function copySelection(text) {
  const before = document.activeElement;
  const field = Object.assign(document.createElement("textarea"), { value: text, readOnly: true });
  field.style.cssText = "position: fixed; opacity: 0";
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  before?.focus?.({ preventScroll: true });
  return isCopied;
}
