// A client of the interface, logged in with a token, and its errors as exceptions.
import createClient, { type Client } from "openapi-fetch";
import type { components, paths } from "./schema.d.ts";

export type Schemas = components["schemas"];
export type Problem = Schemas["Problem"];

/** A request that was refused, with the problem that says why. */
export class Refused extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(`${problem.status} ${problem.detail}`);
    this.problem = problem;
  }
}

/** Return the body of an answer, or throw its problem. The compiler checks that every error is a `Problem`. */
export function body<T>(answer: { data?: T; error?: Problem }): T {
  if (answer.data !== undefined) {
    return answer.data;
  }
  if (answer.error !== undefined) {
    throw new Refused(answer.error);
  }
  throw new Error("The answer has no body.");
}

/** Return a client that sends a new token with every request. */
export async function logIn(site: string, username: string, password: string): Promise<Client<paths>> {
  const client = createClient<paths>({ baseUrl: site });
  const { token } = body(
    await client.POST("/api/v1/tokens/", { body: { username, password, name: "A program in TypeScript" } }),
  );
  client.use({
    onRequest({ request }) {
      request.headers.set("Authorization", `Bearer ${token}`);
      return request;
    },
  });
  return client;
}
