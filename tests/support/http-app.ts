import { Pool } from 'undici';
import type { InjectableApp } from '../../generator/verify/verify-candidate.ts';

/** An app behind an address, to be used as one in this process would be. */
export function httpApp(origin: string): InjectableApp & { close(): Promise<void> } {
  const pool = new Pool(origin, { connections: 8, headersTimeout: 30_000, bodyTimeout: 30_000 });
  return {
    async inject({ method, url, payload, headers }) {
      const { statusCode, body } = await pool.request({
        method,
        path: url,
        ...(payload === undefined ? {} : { body: payload, headers: headers ?? {} }),
      });
      const text = await body.text();
      return { statusCode, body: text };
    },
    close: () => pool.close(),
  };
}
