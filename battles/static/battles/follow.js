/* Following a battle that others fight too: `moved` is called when the page shows what is so no longer,
   with the tag of what is. */

import { follow as listen } from "./line.js";

export function follow(where, moved) {
  const say = (tag) => tag !== where().tag && moved(tag);

  async function ask() {
    const { address, tag } = where();
    try {
      const answer = await fetch(address, { headers: { "If-None-Match": tag }, cache: "no-store" });
      if (answer.status === 404) moved("gone");
      else if (answer.status === 200) say(await answer.text());
    } catch {
      // the line is down for a moment: asked again by and by
    }
  }

  listen(where().stream, ({ tag }) => say(tag), ask);
}
