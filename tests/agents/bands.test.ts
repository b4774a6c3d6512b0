import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningServer, startServer } from '../../services/index.ts';
import { farmOfDomains } from '../support/farms.ts';
import { scratchFolder } from '../support/split-fixture.ts';

const harnessKey = 'the-key-of-the-trainer';
const folder = scratchFolder();
let server: RunningServer;

beforeAll(async () => {
  server = await startServer(await farmOfDomains('vet_clinics'), {
    port: 0,
    logger: false,
    agents: { harnessKey, runs: { place: `${folder}/runs.sqlite` } },
  });
});
afterAll(() => server?.stop());

test('bands divide the tasks, and these and tools of the gold select them, for the harness only', async () => {
  const ask = async (path: string, init: RequestInit = {}) =>
    (await fetch(server.address + path, init)).json() as Promise<{ total: number; code?: string }>;
  const headers = { 'x-harness-key': harnessKey };
  const total = async (band: string) =>
    (await ask(`/tasks?formulation=slot&band=${band}`, { headers })).total;
  const counts = [await total('easy'), await total('medium'), await total('hard')];
  expect(Math.min(...counts)).toBeGreaterThan(0);
  expect(await total('easy,medium,hard')).toBe(counts.reduce((sum, each) => sum + each));
  for (const [name, value] of Object.entries({ band: 'easy', tool: 'filter_data' })) {
    expect((await ask(`/tasks?${name}=${value}`)).code).toBe('HARNESS_ONLY');
    const body = JSON.stringify({ select: { [name]: value, sample: 1 } });
    const begun = await ask('/runs', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect(begun.code).toBe('HARNESS_ONLY');
  }
});
