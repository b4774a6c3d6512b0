import { type Dispatcher, request } from 'undici';
import { quantile, type ServerProcess } from '../process.ts';

/** What a bare server takes to answer the JSON that it was sent. */
export interface Echo {
  readonly perSecond: number;
  readonly p99Ms: number;
  readonly cpuMs: number;
}

/** About what a call of a tool sends. */
const BODY = JSON.stringify({
  data_source: '$filtered_0123456789ab$',
  key_name: 'clinic_name',
  value: 'North',
  condition: 'equals',
});

/** Sends a bare server as many requests, as many at once as told. */
export async function measureEcho(
  bare: ServerProcess,
  dispatcher: Dispatcher,
  { atOnce, requests }: { readonly atOnce: number; readonly requests: number },
): Promise<Echo> {
  const url = `${bare.address.replace(/\/$/, '')}/echo`;
  const headers = { 'content-type': 'application/json' };
  const times: number[] = [];
  const [cpu, start] = [bare.cpuMicros(), performance.now()];
  let sent = 0;
  const work = async () => {
    while (sent++ < requests) {
      const began = performance.now();
      const { body } = await request(url, { method: 'POST', body: BODY, headers, dispatcher });
      await body.text();
      times.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return {
    perSecond: (1000 * times.length) / (performance.now() - start),
    p99Ms: quantile(times, 0.99),
    cpuMs: (bare.cpuMicros() - cpu) / 1000 / times.length,
  };
}
