/* Follow a stream of server-sent events, and return a function that ends it.

   `tell` receives each state; `others` has a function for each further kind of message. While the stream is
   down (a proxy that buffers, a server without streams) `ask` is called every few seconds instead. A hidden page closes its connection, because a browser has
   only a few to a site, and opens it again when it is shown. */

const AGAIN = 10_000; // milliseconds before a refused connection is tried again
const ASK = 5_000; // milliseconds between two polls while the stream is down

export function followStream(address, tell, ask, others = {}) {
  let line = null;
  let heard = false;
  const over = new AbortController();
  const { signal } = over;

  function takeUp() {
    if (line || document.hidden || signal.aborted) return;
    line = new EventSource(address);
    line.addEventListener("status", ({ data }) => {
      heard = true;
      tell(JSON.parse(data));
    });
    for (const [kind, hear] of Object.entries(others)) line.addEventListener(kind, ({ data }) => hear(JSON.parse(data)));
    line.addEventListener("error", broken);
  }

  function broken() {
    heard = false;
    if (line?.readyState !== EventSource.CLOSED) return; // the browser reconnects by itself
    line = null;
    setTimeout(takeUp, AGAIN);
    ask();
  }

  function letGo() {
    line?.close();
    line = null;
    heard = false;
  }

  function seen() {
    takeUp();
    if (!heard) ask();
  }

  document.addEventListener("visibilitychange", () => (document.hidden ? letGo() : seen()), { signal });
  addEventListener("pagehide", letGo, { signal });
  addEventListener("pageshow", takeUp, { signal });
  const asking = setInterval(() => heard || document.hidden || ask(), ASK);
  takeUp();

  return () => {
    over.abort();
    clearInterval(asking);
    letGo();
  };
}
