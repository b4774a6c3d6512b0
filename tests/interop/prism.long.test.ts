import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openapiFile } from '../../contracts/openapi.ts';
import type { formulation } from '../../contracts/sample.ts';
import { restAnswer } from '../../contracts/service.ts';
import { type RunningServer, startServer } from '../../services/server.ts';
import { FARM_FORMULATIONS, farmOf } from '../support/farms.ts';
import { httpApp } from '../support/http-app.ts';
import { replayGold } from '../support/replay-gold.ts';
import { freePort } from '../support/supervised.ts';
import { installTools } from './install-tools.ts';

const GENERATE_MS = 10 * 60_000;
const DB = 'vet_clinics';

const tools = await installTools();

describe.skipIf(tools.missing !== null)(tools.title('Prism'), () => {
  let farm: string;
  let server: RunningServer | undefined;
  const started: ChildProcess[] = [];

  beforeAll(async () => {
    farm = await farmOf('bundled');
    server = await startServer(farm, { port: 0, logger: false });
  }, GENERATE_MS);
  afterEach(() => {
    for (const child of started.splice(0)) child.kill();
  });
  afterAll(() => server?.stop());

  const documentOf = (kind: (typeof formulation.options)[number]) =>
    join(farm, 'openapi', openapiFile(DB, kind));

  test.each(FARM_FORMULATIONS)(
    'sees no violation in the gold calls and their answers that it passes on: %s',
    { timeout: GENERATE_MS },
    async (kind) => {
      const origin = await prism('proxy', documentOf(kind), server?.address ?? '', '--errors');
      const app = httpApp(origin);
      try {
        const { played, wrong } = await replayGold(
          farm,
          app,
          ({ formulation, dataset_name }) => formulation === kind && dataset_name === DB,
          1,
        );
        expect(wrong).toEqual([]);
        // Few questions fit the one declarative tool.
        expect(played).toBeGreaterThan(kind === 'query' ? 2 : 50);
        // It would have said so.
        const wrongCall =
          kind === 'rest'
            ? await fetch(`${origin}${firstPath(server)}?no_such_parameter=1`)
            : await fetch(
                `${origin}/v1/bundled/${DB}/${kind}/${kind === 'query' ? 'query_database' : 'truncate'}`,
                {
                  method: 'POST',
                  body: '{"n": "x"}',
                  headers: JSON_TYPE,
                },
              );
        expect(wrongCall.status).toBeGreaterThanOrEqual(400);
      } finally {
        await app.close();
      }
    },
  );

  test('answers by the document alone as the farm would', { timeout: GENERATE_MS }, async () => {
    const origin = await prism('mock', documentOf('rest'));
    const service = server?.farm.domains.find(({ service }) => service.db === DB)?.service;
    const endpoint = service?.endpoints.find(({ parameters }) => parameters.length === 0);
    const answer = await fetch(`${origin}${endpoint?.path}`);
    expect(answer.status).toBe(200);
    expect(Object.keys(restAnswer.parse(await answer.json()).data[0] ?? {})).toEqual(
      endpoint?.columns.map(({ name }) => name),
    );
  });

  /** Starts Prism and gives its address when it answers. */
  async function prism(...args: readonly string[]): Promise<string> {
    const port = await freePort();
    const child = spawn(tools.command('prism'), [...args, '--port', String(port), '--host', '127.0.0.1'], {
      stdio: 'ignore',
      env: { ...process.env, DO_NOT_TRACK: '1' },
    });
    started.push(child);
    const origin = `http://127.0.0.1:${port}`;
    await expect
      .poll(
        () =>
          fetch(origin).then(
            () => true,
            () => false,
          ),
        { timeout: 120_000 },
      )
      .toBe(true);
    return origin;
  }
});

const JSON_TYPE = { 'content-type': 'application/json' };

function firstPath(server: RunningServer | undefined): string {
  const endpoints = server?.farm.domains.find(({ service }) => service.db === DB)?.service.endpoints ?? [];
  return endpoints.find(({ parameters }) => parameters.length > 0)?.path ?? '';
}
