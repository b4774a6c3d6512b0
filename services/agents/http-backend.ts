import { Pool } from 'undici';
import type { Backend } from './backend.ts';

export interface HttpBackendOptions {
  /** How long an answer may take, from the request to its last byte. */
  readonly timeoutMs?: number;
  readonly connections?: number;
}

const DEFAULTS = { timeoutMs: 60_000, connections: 128 };

/** The services of a farm that is served elsewhere, at one address such as `http://127.0.0.1:8080`. */
export function httpBackend(origin: string, options: HttpBackendOptions = {}): Backend {
  const { timeoutMs, connections } = { ...DEFAULTS, ...options };
  const pool = new Pool(origin, { connections, headersTimeout: timeoutMs, bodyTimeout: timeoutMs });
  return {
    async request({ method, path, body, headers = {} }) {
      const answer = await pool.request({
        method,
        path,
        headers: {
          ...headers,
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: body ?? null,
      });
      const retryAfter = answer.headers['retry-after'];
      return {
        status: answer.statusCode,
        contentType: String(answer.headers['content-type'] ?? ''),
        ...(retryAfter === undefined ? {} : { retryAfter: String(retryAfter) }),
        body: await answer.body.text(),
      };
    },
    close: () => pool.close(),
  };
}
