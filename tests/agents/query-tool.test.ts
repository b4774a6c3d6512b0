import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { farmScorer } from '../../cli/score/farm-scorer.ts';
import { Rookery } from '../../client/index.ts';
import { announcedFaultKind } from '../../contracts/fault.ts';
import { queryAnswer } from '../../contracts/formulations/query.ts';
import { QUERY_TOOL } from '../../contracts/query-tool.ts';
import type { Sample } from '../../contracts/sample.ts';
import { readFarm } from '../../eval/farm/read-farm.ts';
import { type RunningServer, startServer } from '../../services/index.ts';
import { farmOf } from '../support/farms.ts';

const folder = mkdtempSync(join(tmpdir(), 'rookery-query-tool-'));
let server: RunningServer;
let rookery: Rookery;
let sample: Sample;

beforeAll(async () => {
  const farm = await farmOf('bundled');
  const found = readFarm(farm).samples.find(({ formulation }) => formulation === 'query');
  if (!found) throw new Error('the farm has no task of the tool');
  sample = found;
  const harnessKey = 'the-key-of-the-harness';
  const agents = { harnessKey, runs: { file: join(folder, 'runs.sqlite') }, ...farmScorer(farm) };
  server = await startServer(farm, { port: 0, logger: false, agents });
  rookery = new Rookery(server.address, { harnessKey });
}, 600_000);

afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true });
});

describe('an announced fault', () => {
  test.each(announcedFaultKind.options)(
    '%s meets a call of the tool, and is in the record',
    async (fault) => {
      const rules = [{ fault, rate: 1, ms: 1, retry_after_s: 1 }];
      const run = await rookery.run({ sample_id: sample.sample_id, faults: { rules } });
      const [call] = sample.output;
      const answer = await run.call(QUERY_TOOL, call?.arguments ?? {});
      const isWhole = answer.ok && queryAnswer.safeParse(answer.body).success;
      expect(isWhole).toBe(fault === 'latency');
      expect(answer.fault).toBe(fault);
      expect((await run.view()).trajectory.map((made) => made.fault)).toEqual([fault]);
    },
  );
});
