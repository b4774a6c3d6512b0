/** `npm run bench:generate [split]`: questions per second, compared with running the split's gold SQL once. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pMap from 'p-map';
import { DEFAULT_REFERENCE_TIME } from '../contracts/split.ts';
import { buildBundledSplit } from '../databases/build.ts';
import { SMALL_DOMAINS } from '../databases/domains.ts';
import { generate } from '../generator/generate.ts';
import { Oracle } from '../generator/oracle/oracle.ts';
import { readSplit } from '../generator/read/read-split.ts';
import { writeResult } from './process.ts';

const JOBS = 2;
const path = process.argv[2] ?? (await buildBundledSplit({ only: SMALL_DOMAINS, handWritten: true }));
const scratch = mkdtempSync(join(tmpdir(), 'rookery-bench-'));
try {
  const split = await readSplit(path);
  const gold = await seconds(() => runGold(split));
  const whole = await seconds(() =>
    generate(path, {
      out: join(scratch, 'farm'),
      referenceTime: DEFAULT_REFERENCE_TIME,
      timeoutMs: 30_000,
      jobs: JOBS,
    }),
  );
  const result = {
    split: split.name,
    questions: split.questions.length,
    gold_sql_once_seconds: round(gold),
    generate_seconds: round(whole),
    questions_per_second: round(split.questions.length / whole),
    times_gold_sql_once: round(whole / gold),
  };
  writeResult('generate.json', result);
  console.table(result);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function runGold(split: Awaited<ReturnType<typeof readSplit>>): Promise<void> {
  const oracle = new Oracle({ referenceTime: DEFAULT_REFERENCE_TIME, children: JOBS });
  const files = new Map(split.domains.map(({ db, file }) => [db, file]));
  try {
    await pMap(
      split.questions,
      async ({ db_id, sql }) => {
        await oracle.run(files.get(db_id) ?? '', sql).catch(() => null);
      },
      { concurrency: JOBS },
    );
  } finally {
    await oracle.close();
  }
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
