/* Keep a part of a page to one htmx request at a time, so that no answer replaces a newer one.

   `look()` fetches the part again, by its own hx-get; during another request it waits for its end, so that
   no news is missed. A click aborts a look or an earlier GET; an aborted look is repeated afterwards, unless
   `isOld` says that the answer to the click was up to date: a look would undo what was chosen by it.
   While a form is being sent, nothing else is. */

const AGAIN = 5_000; // milliseconds before a failed look is tried again

export function requests(part, isOld = () => true) {
  let current = null; // { xhr, isLook, verb } of the current request
  let wanted = false;

  const isBusy = () => current !== null && current.xhr.readyState !== XMLHttpRequest.DONE;

  function look() {
    wanted = true;
    next();
  }

  function next() {
    if (!wanted || isBusy()) return;
    wanted = false;
    if (isOld()) htmx.trigger(part, "look");
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
