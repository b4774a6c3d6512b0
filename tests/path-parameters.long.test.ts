import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { runView } from '../contracts/api.ts';
import { addressOf } from '../contracts/formulation.ts';
import { rest } from '../contracts/formulations.ts';
import { openapiFile } from '../contracts/openapi.ts';
import { pathParameters } from '../contracts/paths.ts';
import { restAnswer } from '../contracts/service.ts';
import { readFarm } from '../eval/farm/read-farm.ts';
import { type RunningServer, startServer } from '../services/server.ts';
import { mcpClient } from '../services/testing/runs.ts';
import { farmOf, hasSplit, pathFarmOf, TESTED_FARMS, withSplit } from './support/farms.ts';
import { httpApp } from './support/http-app.ts';
import { replayGold } from './support/replay-gold.ts';
import { scratchFolder } from './support/split-fixture.ts';

const GENERATE_MS = 20 * 60_000;

const begun = z.object({ base: z.string() });
const documented = z.object({
  paths: z.record(z.string(), z.object({ get: z.object({ operationId: z.string() }).optional() })),
});

/** BIRD's farm would have to be made once more for it, which takes minutes; it was, by hand. */
const FARMS = TESTED_FARMS.filter((name) => name !== 'bird-dev');

describe.each(FARMS)('parameters in the paths of %s', (name) => {
  describe.skipIf(!hasSplit(name))(withSplit(name, 'when the split is here'), () => {
    const records = scratchFolder();
    let folder: string;
    let farm: ReturnType<typeof readFarm>;
    let server: RunningServer;
    const services = () => server.farm.domains.map(({ service }) => service);
    const serviceOf = (db: string) => {
      const found = services().find((service) => service.db === db);
      if (!found) throw new Error(`no domain ${db}`);
      return found;
    };
    beforeAll(async () => {
      folder = await pathFarmOf(name);
      farm = readFarm(folder);
      server = await startServer(folder, { port: 0, logger: false, agents: {} });
    }, GENERATE_MS);
    afterAll(() => server?.stop());
    const restSamples = () => farm.samples.filter(({ formulation }) => formulation === 'rest');

    test('cost no sample, and change nothing but addresses', { timeout: GENERATE_MS }, async () => {
      const domains = new Set(farm.farm.domains.map(({ db }) => db));
      const plain = readFarm(await farmOf(name)).samples.filter(({ dataset_name }) =>
        domains.has(dataset_name),
      );
      const addressless = (samples: readonly (typeof plain)[number][]) =>
        samples.map((sample) => ({
          ...sample,
          // What is guessable depends on all domains of a farm, and here one may stand for them.
          flags: sample.flags.filter((flag) => flag !== 'guessable'),
          output: sample.output.map(({ path: _, ...call }) => call),
        }));
      expect(addressless(farm.samples)).toEqual(addressless(plain));
    });

    test('are as many in the document, required, and nowhere else', () => {
      for (const { db, endpoints } of services()) {
        const file = join(folder, 'openapi', openapiFile(db, 'rest'));
        const { paths } = JSON.parse(readFileSync(file, 'utf8'));
        for (const { path, parameters } of endpoints) {
          const documented = paths[path].get.parameters.filter((each: { in: string }) => each.in === 'path');
          expect(documented.map((each: { name: string }) => each.name)).toEqual(pathParameters(path));
          expect(documented.every((each: { required: boolean }) => each.required)).toBe(true);
          expect(parameters.filter((each) => each.in === 'path').map((each) => each.name)).toEqual(
            pathParameters(path),
          );
        }
      }
      const all = services().flatMap(({ endpoints }) => endpoints);
      const inPath = all.filter(({ path }) => path.includes('{'));
      expect(inPath.length / all.length).toBeGreaterThan(0.2);
    });

    test('give the gold rows over HTTP', { timeout: GENERATE_MS }, async () => {
      const app = httpApp(server.address);
      try {
        const { played, wrong } = await replayGold(folder, app, ({ formulation }) => formulation === 'rest');
        expect(wrong).toEqual([]);
        expect(played).toBe(restSamples().length);
      } finally {
        await app.close();
      }
    });

    test.each([false, true])('are recorded as arguments of the call, in an exam: %s', async (exam) => {
      const sample = restSamples().find(({ output: [call] }) => call?.path?.includes('{'));
      const call = sample?.output[0];
      if (!sample || !call) throw new Error('no sample with a parameter in its path');
      const runs = { place: join(records, `runs-${exam}.sqlite`) };
      const harnessKey = 'a-key-of-whoever-gives-the-exam';
      const examined = await startServer(folder, {
        port: 0,
        logger: false,
        agents: { runs, harnessKey, exam },
      });
      try {
        const ask = async (path: string, init: RequestInit = {}) => {
          const headers = { 'content-type': 'application/json', 'x-harness-key': harnessKey };
          const answer = await fetch(new URL(path, examined.address), { ...init, headers });
          return answer.json();
        };
        const body = JSON.stringify({ sample_id: sample.sample_id });
        const { base } = begun.parse(await ask('/runs', { method: 'POST', body }));
        const { paths } = documented.parse(await ask(`${base}/openapi.json`));
        const found = Object.entries(paths).find(([, { get }]) => get?.operationId === call.name);
        const request = rest.requestOf(serviceOf(sample.dataset_name), { ...call, path: found?.[0] });
        expect(request.path).toMatch(exam ? /^\/v1\/[^/]+\/[^/]+\/[^{]+$/ : /^\/v1\/bundled|spider|bird/);
        const answer = restAnswer.parse(await ask(base + addressOf(request)));
        expect(answer.row_count).toBe(sample.gold_answer.length);
        const { trajectory } = runView.parse(await ask(base));
        expect(trajectory).toMatchObject([{ tool: call.name, arguments: call.arguments, status: 200 }]);
      } finally {
        await examined.stop();
      }
    });

    test('are arguments like any other over MCP', async () => {
      const sample = restSamples().find(({ output: [call] }) => call?.path?.includes('{'));
      const client = mcpClient('stateless', {});
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`/mcp/${sample?.dataset_name}/rest`, server.address)),
      );
      const [call] = sample?.output ?? [];
      const { structuredContent } = await client.callTool({
        name: call?.name ?? '',
        arguments: call?.arguments as Record<string, unknown>,
      });
      expect(restAnswer.parse(structuredContent).row_count).toBe(sample?.gold_answer.length);
      await client.close();
    });
  });
});
