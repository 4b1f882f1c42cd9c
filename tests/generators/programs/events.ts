// Follow the events of a campaign: the discriminator tells which fields an event has.
import { body, logIn, type Schemas } from "./client.ts";

type Event = Schemas["Event"];

/** Return an event as a line of text. */
export function describe(event: Event): string {
  switch (event.type) {
    case "moved":
      // @ts-expect-error: a move has no hex of its own
      event.attacker_hex satisfies string;
      return `from ${event.path.at(0)} to ${event.path.at(-1)} for ${event.cost_points} march points`;
    case "combat_began":
      return `an attack from ${event.attacker_hex} on ${event.defender_hex}`;
    default:
      return event.type;
  }
}

export async function play(site: string, username: string, password: string): Promise<void> {
  const client = await logIn(site, username, password);
  const { slug } = body(
    await client.POST("/api/v1/campaigns/", {
      body: { scenario: "relief-of-el-obeid", egyptian: "staff", mahdist: "staff" },
    }),
  );
  const campaign = { path: { slug } };
  body(await client.POST("/api/v1/campaigns/{slug}/advance/", { params: campaign, body: { months: 1 } }));
  const told = new Set<string>();
  for (let since = ""; ; ) {
    const page = body(
      await client.GET("/api/v1/campaigns/{slug}/events/", { params: { ...campaign, query: { since, limit: 50 } } }),
    );
    for (const { event, rolls } of page.results) {
      told.add(event.type);
      console.log(describe(event), rolls.length);
    }
    if (page.results.length === 0 || page.cursor === null) {
      break;
    }
    since = page.cursor;
  }
  if (!told.has("moved")) {
    throw new Error(`Nobody moved: ${[...told].join(", ")}`);
  }
  console.log("done");
}
