// Fight a battle against the computer: read the question and send one of the legal actions, ten times.
import { Refused, body, logIn } from "./client.ts";

export async function play(site: string, username: string, password: string): Promise<void> {
  const client = await logIn(site, username, password);
  const { uuid: id } = body(
    await client.POST("/api/v1/battles/", {
      body: { type: "offer", offer: "second-el-teb", book: "redcoats", fought_by: "players", egyptian: "me", mahdist: "computer" },
    }),
  );
  const battle = { path: { id } };
  for (let actions = 0; actions < 10; actions += 1) {
    const read = await client.GET("/api/v1/battles/{id}/fight/", { params: battle });
    const fight = body(read);
    const legal = fight.options?.legal_actions.at(-1);
    if (legal === undefined) {
      throw new Error("The computer was not done.");
    }
    const header = { "If-Match": read.response.headers.get("ETag") ?? "" };
    body(await client.POST("/api/v1/battles/{id}/fight/actions/", { params: { ...battle, header }, body: { action: legal.action } }));
  }
  const illegal = await client.POST("/api/v1/battles/{id}/fight/actions/", {
    params: { ...battle, header: { "If-Match": "*" } },
    body: { action: { type: "redcoats_pursue" } },
  });
  try {
    body(illegal);
    throw new Error("An illegal action was taken.");
  } catch (error) {
    if (!(error instanceof Refused) || !error.problem.clause) {
      throw error;
    }
    console.log(`${error.problem.clause}: ${error.problem.remedy}`);
  }
  console.log("done");
}
