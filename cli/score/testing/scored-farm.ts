import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { stringify } from 'lossless-json';
import type { Sample } from '../../../contracts/sample.ts';
import { DEFAULT_REFERENCE_TIME } from '../../../contracts/split.ts';
import { readFarm, readPredictions, type ScoredFarm } from '../../../eval/farm/read-farm.ts';
import type { Report, SampleScore, ScoreOptions } from '../../../eval/metrics/report.ts';
import { scoreFarm } from '../../../eval/score/score-farm.ts';
import { generate } from '../../../generator/generate.ts';
import { type OpenFarm, openFarm } from '../open-farm.ts';

/** A test farm made from a few questions over one database. */
export interface FarmToScore {
  readonly folder: string;
  readonly farm: ScoredFarm;
  readonly open: OpenFarm;
  /** `find('3/slot')` */
  find(id: string): Sample;
  score(predictions: readonly object[], options?: Partial<ScoreOptions>): Promise<Report>;
  scoreOne(
    prediction: { readonly sample_id: string; readonly [field: string]: unknown },
    options?: Partial<ScoreOptions>,
  ): Promise<Report['samples'][number]>;
  close(): Promise<void>;
}

/** Gold SQL, with its question and other fields of a line of `questions.jsonl` if they matter. */
export type Statement =
  | string
  | { readonly question: string; readonly sql: string; readonly difficulty?: string };

/** Generates the farm `shop` of a split `toys`; question n has the n-th statement as its gold SQL. */
export async function makeFarmToScore(
  schema: string,
  statements: readonly Statement[],
): Promise<FarmToScore> {
  const root = mkdtempSync(join(tmpdir(), 'farm-to-score-'));
  const split = join(root, 'toys');
  const folder = join(root, 'farm');
  mkdirSync(split);
  const database = new Database(join(split, 'shop.sqlite'));
  database.exec(schema);
  database.close();
  const lines = statements.map((statement, i) => {
    const asked = typeof statement === 'string' ? { question: `Question ${i}?`, sql: statement } : statement;
    return JSON.stringify({ question_id: i, db_id: 'shop', ...asked });
  });
  writeFileSync(join(split, 'questions.jsonl'), lines.join('\n'));
  await generate(split, { out: folder, referenceTime: DEFAULT_REFERENCE_TIME, timeoutMs: 10_000, jobs: 2 });
  const farm = readFarm(folder);
  const open = await openFarm(folder);
  const score: FarmToScore['score'] = (predictions, options = {}) => {
    const file = join(root, 'predictions.jsonl');
    writeFileSync(file, predictions.map((each) => stringify(each)).join('\n'));
    return scoreFarm({
      farm,
      predictions: readPredictions(file, farm),
      universe: open.universe,
      replay: open.replay,
      options: { resamples: 0, selection: 'all', ...options },
    });
  };
  return {
    folder,
    farm,
    open,
    find: (id) => farm.samples.find(({ sample_id }) => sample_id.endsWith(`/${id}`)) as Sample,
    score,
    async scoreOne(prediction, options) {
      const { samples } = await score([prediction], options);
      return samples.find(({ sample_id }: SampleScore) => sample_id === prediction.sample_id) as never;
    },
    async close() {
      await open.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
