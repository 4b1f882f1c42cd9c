/* Keeps a part of a page to one htmx request at a time, so that no answer is shown over a newer one.

   `look()` fetches the part again, by its own hx-get. A look that is wanted while a request is under way
   follows when that is over, so that no news is missed. What somebody presses goes before a look, and before
   what they pressed earlier where that only reads: the older request is given up, and a look made up for
   afterwards. Nothing else is sent while a form is under way. */

const AGAIN = 5_000; // milliseconds until a look that failed is tried once more

export function requests(part) {
  let current = null; // { xhr, isLook, verb } of the request under way
  let wanted = false;

  const isBusy = () => current !== null && current.xhr.readyState !== XMLHttpRequest.DONE;

  function look() {
    wanted = true;
    next();
  }

  function next() {
    if (!wanted || isBusy()) return;
    wanted = false;
    htmx.trigger(part, "look");
  }

  function begins(event) {
    const { elt, xhr, requestConfig } = event.detail;
    if (!part.contains(elt)) return;
    const isLook = elt === part;
    if (isBusy()) {
      if (current.verb !== "get" || (isLook && !current.isLook)) {
        event.preventDefault();
        wanted ||= isLook;
        return;
      }
      const { xhr: overtaken, isLook: missed } = current;
      current = null;
      wanted ||= missed;
      overtaken.abort();
    }
    current = { xhr, isLook, verb: requestConfig.verb };
  }

  function ends({ detail: { xhr } }) {
    if (current?.xhr !== xhr) return;
    const failed = current.isLook && (xhr.status === 0 || xhr.status >= 500);
    current = null;
    if (failed) setTimeout(look, AGAIN);
    next();
  }

  document.addEventListener("htmx:beforeRequest", begins);
  document.addEventListener("htmx:afterRequest", ends);
  return look;
}
