/* Follow a battle that others fight too: call `moved` with the new ETag when the page is out of date. */

import { follow as listen } from "./line.js";

export function follow(where, moved) {
  const say = (tag) => tag !== where().tag && moved(tag);

  async function ask() {
    const { address, tag } = where();
    if (!address) return; // the battle is over, and the page leaves it
    try {
      const answer = await fetch(address, { headers: { "If-None-Match": tag }, cache: "no-store" });
      if (answer.status === 404) moved("gone");
      else if (answer.status === 200) say(await answer.text());
    } catch {
      // no connection for a moment: the next poll will tell
    }
  }

  listen(where().stream, ({ version }) => say(version), ask);
}
