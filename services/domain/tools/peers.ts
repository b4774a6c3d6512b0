import type { Agent } from 'undici';
import { UserError } from '../../../contracts/errors.ts';
import { parseExactJson, printExactJson } from '../../../contracts/exact-json.ts';
import { SingleFlight } from '../../base/concurrency.ts';
import { OWN_CALLER } from '../../base/http/caller.ts';
import { words } from '../../base/http/environment.ts';
import { originsOf } from '../../base/http/listen.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import { type Recipe, recipe } from './domain-tools.ts';

/** From request to complete answer. Peers are near, and an agent is waiting. */
const ASK_LIMIT_MS = 1000;
/** No client is waiting, but the process is about to end. */
const TELL_LIMIT_MS = 2000;

/**
 * The other replicas of a service, as their name resolves at the time. A replica that gets an unknown handle asks them
 * for its recipe, and sends them its own handles when it stops. See docs/decisions/handles.md.
 */
export class Peers {
  readonly #urls: readonly URL[];
  #agent: Promise<Agent> | undefined;
  readonly #underWay = new SingleFlight<Recipe | null>();

  constructor(urls: readonly URL[]) {
    this.#urls = urls;
  }

  /**
   * Asks all peers for the recipe of a handle; null if none knows it. Throws REPLICA_SILENT if one that may know it
   * does not answer.
   */
  ask(path: string): Promise<Recipe | null> {
    return this.#underWay.share(path, OWN_CALLER, () => this.#askAll(path));
  }

  /** Sends a recipe to the first peer that answers; false if none does. Never rejects. */
  async tell(path: string, calls: Recipe): Promise<boolean> {
    for (const origin of await originsOf(this.#urls)) {
      const answered = await this.#request(origin, path, TELL_LIMIT_MS, printExactJson(calls)).then(
        () => true,
        () => false,
      );
      if (answered) return true;
    }
    return false;
  }

  async close(): Promise<void> {
    await (await this.#agent)?.destroy();
  }

  async #askAll(path: string): Promise<Recipe | null> {
    const asked = (await originsOf(this.#urls)).map((origin) => this.#askOne(origin, path));
    try {
      return await Promise.any(asked);
    } catch (error) {
      const { errors } = error as AggregateError;
      const silent = errors.find((each) => !(each instanceof NotKnownError));
      if (silent === undefined) return null;
      const detail = 'A replica that may know the handle does not answer; try again in a moment.';
      throw new HttpProblem('REPLICA_SILENT', detail, { headers: { 'retry-after': '1' }, cause: silent });
    }
  }

  /** Rejects with NotKnownError if no replica knows the handle, or none is left to ask. */
  async #askOne(origin: string, path: string): Promise<Recipe> {
    try {
      const { status, text } = await this.#request(origin, path, ASK_LIMIT_MS);
      if (status === 404) throw new NotKnownError();
      return recipe.parse(parseExactJson(text));
    } catch (error) {
      if ((error as { code?: unknown }).code === 'ECONNREFUSED') throw new NotKnownError();
      throw error;
    }
  }

  /** May reach this replica itself, whose address can be among the peers'; it answers 404. */
  async #request(origin: string, path: string, limitMs: number, body?: string) {
    this.#agent ??= makeAgent();
    const answer = await (await this.#agent).request({
      origin,
      path,
      method: body === undefined ? 'GET' : 'POST',
      signal: AbortSignal.timeout(limitMs),
      ...(body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } }),
    });
    return { status: answer.statusCode, text: await answer.body.text() };
  }
}

class NotKnownError extends Error {}

/** Loads the library on first use: most services have no peers. */
async function makeAgent(): Promise<Agent> {
  const { Agent } = await import('undici');
  return new Agent({ connect: { timeout: 300 }, pipelining: 1 });
}

/**
 * Reads `ROOKERY_PEERS`: URLs of the replicas of this service, separated by commas or whitespace. A name that resolves
 * to several addresses means all of them. Throws OPTION_INVALID.
 */
export function peersEnvironment(env: NodeJS.ProcessEnv): { readonly peers?: readonly URL[] } {
  const peers = words(env.ROOKERY_PEERS).map((word) => {
    const url = URL.canParse(word) ? new URL(word) : undefined;
    if (url?.protocol === 'http:') return url;
    throw new UserError(
      'OPTION_INVALID',
      'ROOKERY_PEERS',
      `${word} is not an address such as http://vet-clinics:8080`,
    );
  });
  return peers.length === 0 ? {} : { peers };
}

/** Where peers serve their recipes. Outside `/v1`, so that gateways do not forward it. */
export const PEER_PREFIX = '/internal/handles';
