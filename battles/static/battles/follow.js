/* Following a battle that others fight too: asks whether the page still shows what there is.
   Whatever tells a page of changes takes the place of this module; it calls `moved` for each. */

const OFTEN = 3000; // milliseconds between two questions while the page is looked at
const SELDOM = 20000;

export function follow(where, moved) {
  let timer = null;
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(ask, document.hidden ? SELDOM : OFTEN);
  };
  async function ask() {
    const { address, tag } = where();
    try {
      const answer = await fetch(address, { headers: { "If-None-Match": tag }, cache: "no-store" });
      if (answer.status === 404) moved("gone");
      else if (answer.status === 200) moved(await answer.text());
    } catch {
      // the line is down for a moment: asked again by and by
    }
    wait();
  }
  document.addEventListener("visibilitychange", () => (document.hidden ? wait() : ask()));
  wait();
}
