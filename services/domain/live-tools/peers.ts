import type { Agent } from 'undici';
import { UserError } from '../../../contracts/errors.ts';
import { parseExactJson, printExactJson } from '../../../contracts/exact-json.ts';
import { originsOf } from '../../base/http/listen.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import { type Recipe, recipe } from './domain-tools.ts';

/** From the question to the whole answer; peers are near, and an agent waits. */
const ASK_LIMIT_MS = 1000;
/** No client waits for it, but the process is about to end. */
const TELL_LIMIT_MS = 2000;

/**
 * The other replicas of a service, as their name is resolved at the time. A replica that meets a handle made
 * elsewhere asks them for its recipe, and hands its own on when it stops. See docs/decisions/handles.md.
 */
export class Peers {
  readonly #urls: readonly URL[];
  #agent: Promise<Agent> | undefined;
  readonly #asked = new Map<string, Promise<Recipe | null>>();

  constructor(urls: readonly URL[]) {
    this.#urls = urls;
  }

  /** The recipe of a handle from whichever peer knows it; null when none does. Throws REPLICA_SILENT when one that may does not say. */
  ask(path: string): Promise<Recipe | null> {
    const known = this.#asked.get(path);
    if (known) return known;
    const answer = this.#askAll(path).finally(() => this.#asked.delete(path));
    this.#asked.set(path, answer);
    return answer;
  }

  /** Hands a recipe to one peer, the first that answers; false when none does. Never rejects. */
  async tell(path: string, calls: Recipe): Promise<boolean> {
    for (const origin of await this.#origins()) {
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
    const asked = (await this.#origins()).map((origin) => this.#askOne(origin, path));
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

  /** Rejects with NotKnownError where no replica knows the handle, or none that could know it is left. */
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

  /** Our own address may be among the peers': we do not know it either. */
  async #request(
    origin: string,
    path: string,
    limitMs: number,
    body?: string,
  ): Promise<{ status: number; text: string }> {
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

  async #origins(): Promise<string[]> {
    const found = await Promise.all(this.#urls.map(originsOf));
    return [...new Set(found.flat())];
  }
}

class NotKnownError extends Error {}

/** The library is loaded when first needed: most services have no peers. */
async function makeAgent(): Promise<Agent> {
  const { Agent } = await import('undici');
  return new Agent({ connect: { timeout: 300 }, pipelining: 1 });
}

/**
 * `ROOKERY_PEERS`: URLs of the replicas of this service, separated by commas or blanks; a name that resolves to several
 * addresses means all of them. Throws OPTION_INVALID.
 */
export function peersEnvironment(env: NodeJS.ProcessEnv): { readonly peers?: readonly URL[] } {
  const words = (env.ROOKERY_PEERS ?? '').split(/[\s,]+/).filter((word) => word !== '');
  const peers = words.map((word) => {
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

/** Where peers find each other's recipes. Not under `/v1`: a gateway passes nothing on to it. */
export const PEER_PREFIX = '/internal/handles';
