import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openFarm } from '../cli/score/open-farm.ts';
import { readFarm, readPredictions, type ScoredFarm } from '../eval/farm/read-farm.ts';
import type { Report } from '../eval/metrics/report.ts';
import { scoreFarm } from '../eval/score/score-farm.ts';
import { farmOf, farmOfDomains, hasSplit, TESTED_FARMS, withSplit } from './support/farms.ts';
import { temporaryFolder } from './support/split-fixture.ts';

/** Scores predictions with every call replayed through the farm's services. */
async function score(farm: ScoredFarm, predictions: readonly object[]): Promise<Report> {
  const folder = temporaryFolder();
  const file = join(folder, 'predictions.jsonl');
  writeFileSync(file, predictions.map((prediction) => JSON.stringify(prediction)).join('\n'));
  const open = await openFarm(farm.folder);
  try {
    return await scoreFarm({
      farm,
      predictions: readPredictions(file, farm),
      universe: open.universe,
      replay: open.replay,
      options: { replay: 'all', selection: 'all', resamples: 0 },
    });
  } finally {
    await open.close();
  }
}

describe.each(TESTED_FARMS)('the farm of %s', (name) => {
  it.skipIf(!hasSplit(name))(
    withSplit(
      name,
      'gives an agent that makes the gold calls 100 % of everything, and one that does nothing 0',
    ),
    async () => {
      const farm = readFarm(await (name === 'bundled' ? farmOfDomains('vet_clinics') : farmOf(name)));
      const n = farm.samples.length;
      const { ledger, metrics, samples } = await score(
        farm,
        farm.samples.map(({ sample_id, output, kind, gold_answer }) =>
          kind === 'mixed' ? { sample_id, calls: output, answer: gold_answer } : { sample_id, calls: output },
        ),
      );
      const failed = samples.filter(({ outcome }) => outcome !== 'pass');
      expect(failed.map(({ sample_id, shown }) => `${sample_id}: ${shown.note}`)).toEqual([]);
      expect(ledger).toEqual({ pass: n, fail: 0, unparseable: 0, infra_error: 0, not_run: 0, total: n });
      const { intent, slot } = metrics;
      const f1s = [intent.prefix, intent.position, intent.multiset, slot.raw, slot.canonical];
      expect(f1s.map(({ f1 }) => f1)).toEqual([1, 1, 1, 1, 1]);
      const shares = [
        metrics.completion,
        metrics.execution_accuracy,
        metrics.exact_string,
        metrics.recorded_calls,
        metrics.bfcl.faithful,
      ];
      expect(shares.map(({ value }) => value)).toEqual(Array(shares.length).fill(1));

      const idle = await score(
        farm,
        farm.samples.map(({ sample_id }) => ({ sample_id, calls: [] })),
      );
      // What must not be done is rightly left undone.
      const refused = farm.samples.filter(({ refuse }) => refuse === true).length;
      expect(idle.ledger).toMatchObject({ pass: refused, fail: n - refused, not_run: 0 });
      expect(idle.error_classes.endings).toEqual({ empty: n - refused });
      expect((await score(farm, [])).ledger).toMatchObject({ not_run: n, fail: 0 });
    },
  );
});
