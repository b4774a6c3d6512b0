import { createHash } from 'node:crypto';
import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pRetry from 'p-retry';
import { Agent, type Dispatcher, EnvHttpProxyAgent, fetch, type Response } from 'undici';
import { z } from 'zod';
import { UserError } from '../../contracts/errors.ts';
import { makeFolder } from '../../contracts/make-folder.ts';
import { isAlive } from '../write/write-folder.ts';

/** Counts bytes; `total` is null until known. */
export interface FetchProgress {
  readonly stage: 'download' | 'checksum' | 'copy' | 'unpack';
  readonly done: number;
  readonly total: number | null;
  readonly label: string;
}

export type OnProgress = (progress: FetchProgress) => void;

export interface Transfer {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
  /** Milliseconds before the first retry; doubled each time. */
  readonly retryDelay?: number | undefined;
}

interface DownloadOptions extends Transfer {
  readonly url: string;
  /** Holds the part file, so that a later download can resume; the caller removes it. */
  readonly folder: string;
}

export interface Downloaded {
  readonly file: string;
  readonly bytes: number;
  readonly etag: string | null;
  readonly last_modified: string | null;
}

const RETRIES = 5;

/** Downloads a file with retries, resuming an earlier attempt. UserError FETCH_FAILED when retries fail. */
export async function download(options: DownloadOptions): Promise<Downloaded> {
  const part = new PartFile(options.folder, options.url);
  try {
    if (!part.state.complete) await downloadRest(part, options);
    const { etag, last_modified } = part.state;
    return { file: part.file, bytes: part.size, etag, last_modified };
  } finally {
    part.close();
  }
}

export interface Arrived {
  readonly content: Buffer;
  readonly sha256: string;
}

/** A file small enough for memory: downloaded, its folder removed, or read from the disk. */
export async function downloadWhole(from: DownloadOptions | { readonly file: string }): Promise<Arrived> {
  const { file } = 'url' in from ? await download(from) : from;
  const content = readFileSync(file);
  if ('url' in from) rmSync(from.folder, { recursive: true, force: true });
  return { content, sha256: createHash('sha256').update(content).digest('hex') };
}

async function downloadRest(part: PartFile, options: DownloadOptions): Promise<void> {
  const { url, signal, retryDelay = 1_000 } = options;
  let before = part.size;
  const attempt = async () => {
    before = part.size;
    await saveBody(await request(url, part, signal), part, options);
  };
  try {
    await pRetry(attempt, {
      retries: RETRIES,
      minTimeout: retryDelay,
      shouldRetry: ({ error }) => error instanceof TransientError,
      // An attempt that made progress does not count.
      shouldConsumeRetry: () => part.size <= before,
      signal,
    });
  } catch (error) {
    const again = 'run the same command again to go on';
    if (signal?.aborted)
      throw new UserError('INTERRUPTED', url, `download stopped after ${part.size} bytes; ${again}`);
    if (!(error instanceof TransientError)) throw error;
    const fix = `${again}, or give the file with --from`;
    throw new UserError('FETCH_FAILED', url, `${error.message}; ${fix}`, { cause: error });
  }
}

const TIMEOUTS = { connect: { timeout: 30_000 }, headersTimeout: 60_000, bodyTimeout: 60_000 };

/** Requests the missing bytes; confirms Google Drive's "download anyway?" page once. */
async function request(url: string, part: PartFile, signal: AbortSignal | undefined): Promise<Response> {
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
  const { size, validator } = part;
  const range = size > 0 && validator !== null ? { range: `bytes=${size}-`, 'if-range': validator } : {};
  const response = await fetch(url, {
    // Compression would make byte ranges and sizes meaningless.
    headers: { ...range, 'accept-encoding': 'identity', 'user-agent': 'rookery' },
    dispatcher: dispatcher(),
    signal,
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
  const fix = 'check the address, or give the file with --from';
  throw new UserError('FETCH_FAILED', url, `the server answered ${status}; ${fix}`);
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

const partState = z.object({
  url: z.string(),
  etag: z.string().nullable(),
  last_modified: z.string().nullable(),
  /** Size of the whole file, if the server sent it. */
  total: z.number().int().nullable(),
  complete: z.boolean(),
});
type PartState = z.infer<typeof partState>;

/** A partly downloaded file, of which a later process can download the rest. */
class PartFile {
  readonly file: string;
  readonly #stateFile: string;
  readonly #lock: string;
  #state: PartState;

  /** UserError while another process downloads it. */
  constructor(folder: string, url: string) {
    makeFolder(folder);
    this.file = join(folder, 'archive');
    this.#stateFile = join(folder, 'state.json');
    this.#lock = join(folder, 'lock');
    takeLock(this.#lock, url);
    const known = existsSync(this.file) ? readState(this.#stateFile, url) : null;
    this.#state = known ?? { url, etag: null, last_modified: null, total: null, complete: false };
    if (known) return;
    writeFileSync(this.file, '');
    this.#save(this.#state);
  }

  /** Bytes on disk. */
  get size(): number {
    return statSync(this.file).size;
  }

  get state(): PartState {
    return this.#state;
  }

  /** For `If-Range`: a strong ETag, else the date; null if it cannot be resumed. */
  get validator(): string | null {
    const { etag, last_modified } = this.#state;
    return etag !== null && !etag.startsWith('W/') ? etag : last_modified;
  }

  /** Empties the file and starts over with the server's current version. */
  restart(now: Pick<PartState, 'etag' | 'last_modified' | 'total'>): void {
    truncateSync(this.file, 0);
    this.#save({ ...this.#state, ...now, complete: false });
  }

  finish(): void {
    this.#save({ ...this.#state, complete: true });
  }

  close(): void {
    rmSync(this.#lock, { force: true });
  }

  #save(state: PartState): void {
    this.#state = state;
    writeFileSync(this.#stateFile, JSON.stringify(state));
  }
}

function readState(file: string, url: string): PartState | null {
  try {
    const state = partState.parse(JSON.parse(readFileSync(file, 'utf8')));
    return state.url === url ? state : null;
  } catch {
    return null; // missing, or cut short by a crash
  }
}

function takeLock(lock: string, url: string): void {
  for (;;) {
    try {
      const handle = openSync(lock, 'wx');
      writeFileSync(handle, String(process.pid));
      closeSync(handle);
      return;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
    const pid = Number(readFileSync(lock, 'utf8'));
    const fault = `is being downloaded by process ${pid}; wait for it, or stop it`;
    if (pid > 0 && pid !== process.pid && isAlive(pid)) throw new UserError('FETCH_FAILED', url, fault);
    rmSync(lock, { force: true });
  }
}

/** Appends the body of a 206, or replaces the file with that of a 200. */
async function saveBody(response: Response, part: PartFile, { signal, onProgress }: Transfer): Promise<void> {
  const { headers } = response;
  if (response.status === 200) {
    const bytes = headers.get('content-length') ?? '';
    part.restart({
      etag: headers.get('etag'),
      last_modified: headers.get('last-modified'),
      total: /^\d+$/.test(bytes) ? Number(bytes) : null,
    });
  }
  if (response.body === null) throw new TransientError('the server sent nothing');

  const { total } = part.state;
  const label = part.state.url;
  let done = part.size;
  onProgress?.({ stage: 'download', done, total, label });
  const file = createWriteStream(part.file, { flags: 'a' });
  const closing = new Promise<void>((resolve) => file.once('close', () => resolve()));
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      done += chunk.length;
      onProgress?.({ stage: 'download', done, total, label });
      callback(null, chunk);
    },
  });
  try {
    await pipeline(Readable.fromWeb(response.body), counted, file, signal ? { signal } : {});
  } catch (error) {
    await closing; // the last write must be finished before the next attempt starts
    if (isDiskError(error)) throw error;
    throw new TransientError('the connection broke', { cause: error });
  }
  if (total !== null && part.size !== total) {
    throw new TransientError(`the server sent ${part.size} of ${total} bytes`);
  }
  part.finish();
}

/** Disk errors are final; network errors may not happen again. */
function isDiskError(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    /^(ENOSPC|EDQUOT|EIO|EFBIG|EACCES|EROFS|ENOENT)$/.test(String(error.code))
  );
}

/** The "download anyway" address on Google Drive's virus scan page, or null. */
function findConfirmation(page: string, pageUrl: string): string | null {
  const form = /<form\b[^>]*\bid="download-form"[^>]*>/i.exec(page);
  const action = form === null ? undefined : attribute(form[0], 'action');
  if (form === null || action === undefined || !URL.canParse(action, pageUrl)) return null;
  const url = new URL(action, pageUrl);
  if (!/^https?:$/.test(url.protocol)) return null;
  const end = page.indexOf('</form>', form.index);
  for (const [input] of page.slice(form.index, end < 0 ? undefined : end).matchAll(/<input\b[^>]*>/gi)) {
    const name = attribute(input, 'name');
    if (attribute(input, 'type') === 'hidden' && name !== undefined) {
      url.searchParams.set(name, attribute(input, 'value') ?? '');
    }
  }
  return url.href;
}

function attribute(tag: string, name: string): string | undefined {
  return new RegExp(`\\s${name}="([^"]*)"`, 'i').exec(tag)?.[1]?.replaceAll('&amp;', '&');
}

class TransientError extends Error {
  override readonly name = 'TransientError';
}

export interface FileDigest {
  readonly bytes: number;
  readonly sha256: string;
}

export async function fileDigest(file: string, { signal, onProgress }: Transfer): Promise<FileDigest> {
  const total = statSync(file).size;
  const hash = createHash('sha256');
  let done = 0;
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20, signal })) {
    hash.update(chunk as Buffer);
    done += (chunk as Buffer).length;
    onProgress?.({ stage: 'checksum', done, total, label: basename(file) });
  }
  return { bytes: total, sha256: hash.digest('hex') };
}
