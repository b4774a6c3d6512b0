import { Agent, request } from 'undici';

/**
 * `fetch` for text bodies, as used throughout a run: it reads responses whole, without streams, at a fifth of
 * the processor time of Node's own. It has no time limit of its own (Node's gives up after five minutes
 * without headers, too early for models that reason); pass a signal. Redirects are returned, not followed.
 */
export function textFetch(): typeof fetch {
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 30_000 } });
  return async (input, init) => {
    const url = input instanceof Request ? input.url : input;
    const { method = 'GET', headers, body = null, signal = null } = init ?? {};
    if (body !== null && typeof body !== 'string')
      throw new TypeError('bodies of requests to models and farms are texts');
    signal?.throwIfAborted();
    try {
      const sent = Object.fromEntries(new Headers(headers));
      const answer = await request(url, { method, headers: sent, body, signal, dispatcher });
      return new TextResponse(await answer.body.text(), answer.statusCode, answer.headers);
    } catch (cause) {
      signal?.throwIfAborted();
      // The message of `fetch`, which the AI SDK checks for.
      throw new TypeError('fetch failed', { cause });
    }
  };
}

/** A response whose text is known and read at no cost. */
class TextResponse extends Response {
  override readonly text: () => Promise<string>;

  constructor(
    text: string,
    status: number,
    headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  ) {
    const flat = Object.entries(headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((each): [string, string] => [name, each]),
    );
    super(WITHOUT_BODY.has(status) ? null : text, { status, headers: flat });
    this.text = () => Promise.resolve(text);
  }
}

const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);
