import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Report } from '../../contracts/report.ts';
import { readFarm } from '../../eval/farm/read-farm.ts';
import { type Predictions, readPredictions } from '../../eval/farm/read-predictions.ts';
import { scoreFarm } from '../../eval/score/score-farm.ts';
import type { Scorer } from '../../services/runs/scorer.ts';
import { openFarm } from './open-farm.ts';

/** A scorer of runs for a server: reads the farm's gold and opens its databases once more when it is first asked. */
export function farmScorer(folder: string): Scorer {
  let opened: ReturnType<typeof open> | undefined;
  return async (text) => {
    opened ??= open(folder);
    const { farm, universe, replay } = await opened;
    const predictions = parse(text, farm);
    const { attempts, withheld } = predictions;
    const report = await scoreFarm({
      farm,
      predictions,
      universe,
      replay,
      choose: ({ sample_id }) => attempts.has(sample_id) || withheld.has(sample_id),
    });
    return withoutGold(report);
  };
}

async function open(folder: string) {
  const { universe, replay } = await openFarm(folder);
  return { farm: readFarm(folder), universe, replay };
}

/** Predictions are read from files. */
function parse(text: string, farm: ReturnType<typeof readFarm>): Predictions {
  const folder = mkdtempSync(join(tmpdir(), 'rookery-score-'));
  try {
    const file = join(folder, 'predictions.jsonl');
    writeFileSync(file, text);
    return readPredictions(file, farm);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What an agent may see of its own score: figures, and nothing by which the gold could be told. */
function withoutGold({ farm, run, ledger, metrics, error_classes, samples }: Report): object {
  return {
    farm: { name: farm.name, hash: farm.hash },
    run,
    ledger,
    metrics,
    error_classes,
    samples: samples.map(
      ({ shown: _evidence, constructs: _of, gold_calls: _gold, flags: _known, ...score }) => score,
    ),
  };
}
