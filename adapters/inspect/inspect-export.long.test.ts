import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createProgram } from '../../cli/program.ts';
import { farmScorer } from '../../cli/score/farm-scorer.ts';
import { OF_EVERY_QUESTION } from '../../contracts/formulations.ts';
import { packageRoot } from '../../contracts/package-root.ts';
import type { Formulation } from '../../contracts/sample.ts';
import { readFarm } from '../../services/base/farm.ts';
import { type RunningServer, startServer } from '../../services/server.ts';
import { HARNESS_KEY } from '../../services/testing/small-farm.ts';
import { farmOf, farmOfDomains, pathFarmOf } from '../../tests/support/farms.ts';
import { scratchFolder } from '../../tests/support/split-fixture.ts';

const GENERATE_MS = 10 * 60_000;
const STUB = join(packageRoot, 'tests', 'inspect-stub');
const HANDLES = join(packageRoot, 'tests', 'support', 'python');
const PYTHON = ['python3', 'python'].find((name) => spawnSync(name, ['--version']).status === 0);

const played = z.object({
  samples: z.number(),
  wrong: z.array(z.unknown()),
  caught: z.number(),
  refused: z.number(),
});

/** Exports a farm's tasks and plays them in Python, with what stands for Inspect; what the scorers say. */
async function play(farm: string, out: string, server: RunningServer, ...options: readonly string[]) {
  const program = await createProgram(['export']);
  await program.parseAsync(['export', 'inspect', farm, '--out', out, '--only', 'vet_clinics', ...options], {
    from: 'user',
  });
  const { stdout } = await promisify(execFile)(
    PYTHON as string,
    [join(STUB, 'oracle.py'), out, server.address],
    {
      env: {
        ...process.env,
        PYTHONPATH: [STUB, HANDLES].join(':'),
        PYTHONDONTWRITEBYTECODE: '1',
        ROOKERY_HARNESS_KEY: HARNESS_KEY,
      },
    },
  );
  return played.parse(JSON.parse(stdout));
}

function samplesIn(farm: string, kind: Formulation): number | undefined {
  return readFarm(farm).farm.domains.find(({ db }) => db === 'vet_clinics')?.samples[kind];
}

/** With what judges answers, and runs if they are kept. */
function serve(farm: string, runs?: string): Promise<RunningServer> {
  return startServer(farm, {
    port: 0,
    logger: false,
    agents: {
      ...farmScorer(farm),
      harnessKey: HARNESS_KEY,
      ...(runs === undefined ? {} : { runs: { place: runs } }),
    },
  });
}

describe.skipIf(PYTHON === undefined)('the exported package', () => {
  const folder = scratchFolder();
  let farm: string;
  let server: RunningServer;
  beforeAll(async () => {
    farm = await farmOf('bundled');
    server = await serve(farm);
  }, GENERATE_MS);
  afterAll(() => server?.stop());

  test.each(OF_EVERY_QUESTION)(
    'scores gold calls as right, and fewer or refused ones as wrong: %s',
    { timeout: GENERATE_MS },
    async (kind) => {
      const { samples, wrong, caught, refused } = await play(
        farm,
        join(folder, kind),
        server,
        ...['--formulation', kind],
      );
      expect(wrong).toEqual([]);
      expect(samples).toBe(samplesIn(farm, kind));
      expect({ caught, refused }).toEqual({ caught: samples, refused: samples });
    },
  );

  test.each(OF_EVERY_QUESTION)(
    'offers as many tools as it is told: %s',
    { timeout: GENERATE_MS },
    async (kind) => {
      const out = join(folder, `few-${kind}`);
      const { samples, wrong } = await play(farm, out, server, '--formulation', kind, '--tools', '12');
      expect({ samples, wrong }).toEqual({ samples: samplesIn(farm, kind), wrong: [] });
    },
  );

  test('calls endpoints that have parameters in their paths', { timeout: GENERATE_MS }, async () => {
    const other = await pathFarmOf('bundled');
    const served = await serve(other);
    try {
      const { samples, wrong } = await play(other, join(folder, 'paths'), served);
      expect({ samples, wrong }).toEqual({ samples: samplesIn(other, 'rest'), wrong: [] });
    } finally {
      await served.stop();
    }
  });

  test('has the farm judge what runs have changed', { timeout: GENERATE_MS }, async () => {
    const other = await farmOfDomains('vet_clinics');
    const served = await serve(other, join(folder, 'runs.sqlite'));
    try {
      const out = join(folder, 'records');
      const { samples, ...said } = await play(other, out, served, '--formulation', 'records');
      expect(samples).toBe(samplesIn(other, 'records'));
      expect(said).toEqual({ wrong: [], caught: samples, refused: samples });
    } finally {
      await served.stop();
    }
  });
});
