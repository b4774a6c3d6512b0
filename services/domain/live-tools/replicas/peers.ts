import type { Agent } from 'undici';
import { parseExactJson, printExactJson } from '../../../../contracts/exact-json.ts';
import { originsOf } from '../../../base/http/origins-of.ts';
import { type Recipe, recipe } from './recipe.ts';

/** From the question to the whole answer; peers are near, and an agent waits. */
const ASK_LIMIT_MS = 1000;
/** Nobody waits, but the process is about to end. */
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

  /** The recipe of a handle from whichever peer knows it, or null. Never rejects. */
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
    const asked = (await this.#origins()).map(async (origin) => {
      const text = await this.#request(origin, path, ASK_LIMIT_MS);
      return recipe.parse(parseExactJson(text ?? ''));
    });
    return Promise.any(asked).catch(() => null);
  }

  /** The body of a 2xx answer, else null. Our own address may be among the peers': we do not know it either. */
  async #request(origin: string, path: string, limitMs: number, body?: string): Promise<string | null> {
    this.#agent ??= makeAgent();
    const answer = await (await this.#agent).request({
      origin,
      path,
      method: body === undefined ? 'GET' : 'POST',
      signal: AbortSignal.timeout(limitMs),
      ...(body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } }),
    });
    const text = await answer.body.text();
    return answer.statusCode < 300 ? text : null;
  }

  async #origins(): Promise<string[]> {
    const found = await Promise.all(this.#urls.map(originsOf));
    return [...new Set(found.flat())];
  }
}

/** The library is loaded when first needed: most services have no peers. */
async function makeAgent(): Promise<Agent> {
  const { Agent } = await import('undici');
  return new Agent({ connect: { timeout: 300 }, pipelining: 1 });
}
