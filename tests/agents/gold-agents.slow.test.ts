import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { farmScorer } from '../../cli/score/farm-scorer.ts';
import { Rookery } from '../../client/index.ts';
import type { Sample } from '../../contracts/sample.ts';
import { readFarm } from '../../eval/farm/read-farm.ts';
import { seededOrder } from '../../services/base/seeded-order.ts';
import { type RunningServer, startServer } from '../../services/index.ts';
import { many } from '../support/extent.ts';
import { FARM_FORMULATIONS, farmOf, hasSplit, TESTED_FARMS, withSplit } from '../support/farms.ts';
import { scratchFolder } from '../support/split-fixture.ts';
import { Player, type Way } from './play.ts';

/** Of each split and formulation; `ROOKERY_ALL_SAMPLES=1` plays every one. */
const MOST = process.env.ROOKERY_ALL_SAMPLES ? Number.POSITIVE_INFINITY : many(6, 15);
const AT_ONCE = 8;

const harnessKey = 'the-key-of-gold-agents';

const MODES = [false, true];

describe.each(
  TESTED_FARMS.flatMap((name) => MODES.map((exam) => ({ name, exam, mode: exam ? 'an exam' : 'open mode' }))),
)('the gold calls of $name in $mode', ({ name, exam }) => {
  describe.skipIf(!hasSplit(name))(withSplit(name, 'are all right'), () => {
    const folder = scratchFolder();
    let server: RunningServer;
    let samples: readonly Sample[];
    let player: Player;

    beforeAll(async () => {
      const farm = await farmOf(name);
      samples = readFarm(farm).samples;
      server = await startServer(farm, {
        port: 0,
        logger: false,
        agents: { runs: { place: join(folder, 'runs.sqlite') }, ...farmScorer(farm), harnessKey, exam },
      });
      player = new Player(new Rookery(server.address, { harnessKey }));
    });
    afterAll(() => server?.stop());

    test.each<[Way, Sample['formulation']]>(
      (['http', 'mcp', 'obfuscated'] as const).flatMap((way) =>
        FARM_FORMULATIONS.map((kind): [Way, Sample['formulation']] => [way, kind]),
      ),
    )(
      'by %s: %s',
      async (way, kind) => {
        const all = samples.filter((sample) => sample.formulation === kind);
        // Calls of an exam take a beat each.
        const most = exam ? MOST / 2 : MOST;
        const chosen = seededOrder(all, 1, 'gold', ({ sample_id }) => sample_id).slice(0, most);
        const wrong: string[] = [];
        const queue = chosen.values();
        const work = async () => {
          for (const sample of queue) {
            const right = await player.play(sample, way).catch((error) => String(error));
            if (right !== true) wrong.push(`${sample.sample_id}: ${right}`);
          }
        };
        await Promise.all(Array.from({ length: AT_ONCE }, work));
        expect(wrong).toEqual([]);
        expect(chosen.length).toBeGreaterThan(0);
      },
      900_000,
    );
  });
});
