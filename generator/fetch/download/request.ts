import { Agent, type Dispatcher, EnvHttpProxyAgent, fetch, type Response } from 'undici';
import { UserError } from '../../../contracts/errors.ts';
import { findConfirmation } from './find-confirmation.ts';
import type { PartFile } from './part-file.ts';
import { TransientError } from './transient-error.ts';

const TIMEOUTS = { connect: { timeout: 30_000 }, headersTimeout: 60_000, bodyTimeout: 60_000 };

/**
 * Requests the missing bytes of a file; returns a response with status 200 or 206. A page that asks whether one really
 * wants a large file (Google Drive) is answered once. UserError or TransientError for all else.
 */
export async function request(
  url: string,
  part: PartFile,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const first = await send(url, part, signal);
  if (!isPage(first)) return first;

  const confirmation = findConfirmation(await first.text(), first.url || url);
  const second = confirmation === null ? null : await send(confirmation, part, signal);
  if (second !== null && !isPage(second)) return second;
  await second?.body?.cancel();
  const fix = 'open the address in a browser, save the archive, and give it with --from';
  throw new UserError('FETCH_FAILED', url, `answered with a web page instead of an archive; ${fix}`);
}

async function send(url: string, part: PartFile, signal: AbortSignal | undefined): Promise<Response> {
  const range: Record<string, string> =
    part.size > 0 && part.validator !== null
      ? { range: `bytes=${part.size}-`, 'if-range': part.validator }
      : {};
  const response = await fetch(url, {
    // A compressed answer would make byte ranges and sizes meaningless.
    headers: { ...range, 'accept-encoding': 'identity', 'user-agent': 'rookery' },
    dispatcher: dispatcher(),
    ...(signal ? { signal } : {}),
  }).catch((error: unknown) => {
    throw new TransientError(`no answer (${reasonOf(error)})`, { cause: error });
  });

  if (response.status === 200) return response;
  if (response.status === 206 && continues(response, part)) return response;
  await response.body?.cancel();
  if (response.status === 416 || response.status === 206) {
    // The local part does not match the file on the server.
    part.restart({ etag: null, last_modified: null, total: null });
    throw new TransientError('the file changed while it was downloaded');
  }
  const status = `${response.status} ${response.statusText}`.trim();
  if (response.status >= 500 || response.status === 429 || response.status === 408) {
    throw new TransientError(`the server answered ${status}`);
  }
  throw new UserError(
    'FETCH_FAILED',
    url,
    `the server answered ${status}; check the address, or give the file with --from`,
  );
}

function continues(response: Response, part: PartFile): boolean {
  return response.headers.get('content-range')?.startsWith(`bytes ${part.size}-`) === true;
}

function isPage(response: Response): boolean {
  return /^text\/html\b/i.test(response.headers.get('content-type') ?? '');
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message || error.message : error.message;
}

let shared: Dispatcher | null = null;

/** Honours HTTP_PROXY, HTTPS_PROXY and NO_PROXY. */
function dispatcher(): Dispatcher {
  const { env } = process;
  const proxied = [env.http_proxy, env.HTTP_PROXY, env.https_proxy, env.HTTPS_PROXY].some(Boolean);
  shared ??= proxied ? new EnvHttpProxyAgent(TIMEOUTS) : new Agent(TIMEOUTS);
  return shared;
}
