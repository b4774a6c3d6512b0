import { Agent, fetch as undiciFetch } from 'undici';

/**
 * `fetch` without time limits of its own: Node's gives up after five minutes without headers, and a model that
 * reasons may take longer. How long a request may take is the caller's signal to say.
 */
export function patientFetch(): typeof fetch {
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 30_000 } });
  return (input, init) => {
    const url = input instanceof Request ? input.url : input;
    const { method = 'GET', headers, body = null, signal = null } = init ?? {};
    if (body !== null && typeof body !== 'string')
      throw new TypeError('bodies of requests to models are texts');
    const sent = Object.fromEntries(new Headers(headers));
    return undiciFetch(url, { method, headers: sent, body, signal, dispatcher });
  };
}
