/* A line on which the server says when something has gone on, by server-sent events.

   Each time that how it stands is told, `tell` has it. While nothing can be heard (a proxy that keeps
   everything back, a server that cannot hold a line) `ask` is called every few seconds instead. A page
   nobody looks at lets the line go, for a browser has but few to a site, and takes it up when it is seen.
   What is given back ends it for good. */

const AGAIN = 10_000; // milliseconds until a line that was refused is asked for once more
const ASK = 5_000; // between two questions while nothing is heard

export function follow(address, tell, ask) {
  let line = null;
  let heard = false;
  const over = new AbortController();
  const { signal } = over;

  function takeUp() {
    if (line || document.hidden || signal.aborted) return;
    line = new EventSource(address);
    line.addEventListener("standing", ({ data }) => {
      heard = true;
      tell(JSON.parse(data));
    });
    line.addEventListener("error", broken);
  }

  function broken() {
    heard = false;
    if (line?.readyState !== EventSource.CLOSED) return; // it comes back by itself
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
