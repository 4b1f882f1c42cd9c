// Begin a campaign by order sheets, write and submit a sheet, and play the month.
import { Refused, body, logIn, type Schemas } from "./client.ts";

type Order = NonNullable<Schemas["SheetBody"]["orders"]>[number];

export async function play(site: string, username: string, password: string): Promise<void> {
  const client = await logIn(site, username, password);
  const { slug, first_month } = body(
    await client.POST("/api/v1/campaigns/", {
      body: { scenario: "siege-of-khartoum", mode: "orders", egyptian: "me", mahdist: "staff" },
    }),
  );
  const campaign = { path: { slug } };
  const seats = body(await client.GET("/api/v1/campaigns/{slug}/seats/", { params: campaign }));
  const seat = seats.results.find((each) => each.role === "egyptian");
  if (seat === undefined) {
    throw new Error("There is no Egyptian seat.");
  }
  const state = body(
    await client.GET("/api/v1/campaigns/{slug}/months/{month}/state/", {
      params: { path: { slug, month: "current" } },
    }),
  );
  const stack = state.stacks.find((each) => each.side === "egyptian");
  if (stack === undefined) {
    throw new Error("The Egyptians have no stack.");
  }
  const stay: Order = { type: "stay", hex: stack.location.hex, unit_ids: stack.unit_ids };
  // @ts-expect-error: a hex is a string, so that no leading zero is lost
  const wrong: Order = { type: "stay", hex: 358, unit_ids: [] };

  const sheet = { path: { slug, id: seat.id, month: first_month } };
  const path = "/api/v1/campaigns/{slug}/seats/{id}/sheets/{month}/";
  const written = await client.GET(path, { params: sheet });
  const draft = body(written);
  const match = { header: { "If-Match": written.response.headers.get("ETag") ?? "" } };
  console.log(`version ${draft.version}, ${draft.orders.length} orders`);
  const put = await client.PUT(path, { params: { ...sheet, ...match }, body: { orders: [stay] } });
  console.log(`version ${body(put).version}, ${body(put).orders.length} orders`);

  const stale = await client.PUT(path, { params: { ...sheet, ...match }, body: { orders: [] } });
  try {
    body(stale);
    throw new Error("A stale sheet was written.");
  } catch (error) {
    if (!(error instanceof Refused) || error.problem.status !== 412) {
      throw error;
    }
  }
  const bad = await client.PUT(path, {
    params: { ...sheet, header: { "If-Match": "*" } },
    body: { orders: [{ ...stay, hex: "nowhere" }] },
  });
  for (const { pointer, detail } of bad.error?.errors ?? []) {
    console.log(`${pointer}: ${detail}`);
  }

  let job = body(await client.POST("/api/v1/campaigns/{slug}/advance/", { params: campaign, body: { months: 1 } }));
  while (job.status === "pending" || job.status === "running") {
    await new Promise((resolve) => setTimeout(resolve, 100));
    job = body(await client.GET("/api/v1/jobs/{id}/", { params: { path: { id: job.uuid } } }));
    console.log(`${job.progress.completed} of ${job.progress.total}`);
  }
  if (job.status !== "succeeded") {
    throw new Error(job.message ?? job.status);
  }
  console.log("done");
}
