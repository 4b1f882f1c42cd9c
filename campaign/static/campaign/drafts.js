/* What is written in this browser and not saved yet: orders, and scenarios of the workshop.
 *
 * Each tab stores its own draft, and takes over another's only once that tab is closed. Without
 * storage a page works as ever, and what is not saved is lost with it.
 */

const FORGOTTEN = 60_000; // milliseconds after which a draft without a living tab may be taken over

/* Return what the storage gives; null where the browser has none. */

export function store(act) {
  try {
    return act(localStorage);
  } catch {
    return null;
  }
}

function nameOfTab() {
  try {
    sessionStorage.tab ??= crypto.getRandomValues(new Uint32Array(2)).join("");
    navigator.locks?.request(`tab:${sessionStorage.tab}`, () => new Promise(() => {}));
    return sessionStorage.tab;
  } catch {
    return "tab";
  }
}

export class Drafts {
  constructor(place) {
    this.begins = `${place}:draft:`;
    this.tab = nameOfTab();
    this.key = this.begins + this.tab;
  }

  /* Store the draft in place of this tab's last; return whether the browser has kept it. */

  put(draft) {
    const text = JSON.stringify({ ...draft, at: Date.now() });
    return store((kept) => kept.setItem(this.key, text) ?? true) === true;
  }

  drop() {
    store((kept) => kept.removeItem(this.key));
  }

  /* Take the newest draft that no other living tab has out of the storage; undefined if there is none. */

  async take() {
    const held = await navigator.locks?.query();
    const alive = new Set(held?.held.map(({ name }) => name.replace("tab:", "")));
    const keys = store((kept) => Object.keys(kept).filter((key) => key.startsWith(this.begins))) ?? [];
    const drafts = keys.map((key) => ({ key, ...JSON.parse(localStorage.getItem(key)) }));
    const free = drafts.filter(({ key, at }) => {
      const tab = key.slice(this.begins.length);
      if (tab === this.tab) return true;
      return held ? !alive.has(tab) : Date.now() - at > FORGOTTEN;
    });
    const newest = free.sort((a, b) => b.at - a.at)[0];
    free.forEach(({ key }) => localStorage.removeItem(key));
    return newest;
  }
}
