/**
 * How good neighbour databases are at telling wrong queries from right ones: gold queries with one slip each,
 * run on the original alone and on the original and its neighbours.
 *
 *   npx tsx bench/neighbours.ts <split> [every n-th question, 8 unless given]
 *
 * Some slips change nothing (`count(id)` for `count(*)`), so no share can reach 100 %.
 */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pMap from 'p-map';
import { sameRows } from '../contracts/answer-rows.ts';
import type { Row } from '../contracts/catalog.ts';
import { packageRoot } from '../contracts/package-root.ts';
import type { Domain } from '../contracts/split.ts';
import { Oracle } from '../generator/oracle/oracle.ts';
import { readSplit } from '../generator/read/read-split.ts';
import { mutantsOf } from '../generator/variants/mutants.ts';
import { makeNeighbour, planNeighbours } from '../generator/variants/neighbours.ts';
import { parseQuery, printQuery, type Query } from '../sql/index.ts';

const REFERENCE_TIME = '2025-01-01 00:00:00';
const [path = '', step = '8'] = process.argv.slice(2);

interface Tally {
  slips: number;
  original: number;
  neighbours: number;
}

const split = await readSplit(path);
const oracle = new Oracle({ referenceTime: REFERENCE_TIME, limitMs: 5000, maxRows: 20_000 });
const folder = mkdtempSync(join(tmpdir(), 'rookery-bench-neighbours-'));
const tallies = new Map<string, Tally>();
try {
  for (const domain of split.domains) await measure(domain);
} finally {
  await oracle.close();
  rmSync(folder, { recursive: true });
}
report();

async function measure({ db, file, catalog }: Domain): Promise<void> {
  const queries = split.questions
    .filter(({ db_id }) => db_id === db)
    .map(({ sql }) => parseQuery(sql, { catalog, referenceTime: REFERENCE_TIME }));
  const [first, second] = await planNeighbours({ file, catalog, queries, seed: split.name, oracle }, 2);
  const files = [first, second].map((changes = [], i) => {
    const target = join(folder, `${db}-${i}.sqlite`);
    makeNeighbour(file, target, changes);
    return target;
  });
  const some = queries.filter((_, i) => i % Number(step) === 0);
  await pMap(
    some,
    async (query) => {
      const gold = await answers(query, [file, ...files]);
      for (const { kind, query: mutant } of gold ? mutantsOf(query, catalog) : []) {
        const given = await answers(mutant, [file, ...files]);
        if (given)
          count(
            kind,
            given.map((rows, i) => !same(query, gold?.[i] ?? [], rows)),
          );
      }
    },
    { concurrency: 4 },
  );
}

/** The rows on each file, or null when SQLite refuses one, it is too large or too slow. */
async function answers(query: Query, files: readonly string[]): Promise<(readonly Row[])[] | null> {
  try {
    return await Promise.all(files.map(async (each) => (await oracle.run(each, printQuery(query))).rows));
  } catch {
    return null;
  }
}

function same(query: Query, gold: readonly Row[], rows: readonly Row[]): boolean {
  const ordered = query.kind !== 'values' && query.orderBy.length > 0;
  return sameRows(gold, rows, ordered ? gold.map((_, i) => i) : null);
}

function count(kind: string, caught: readonly boolean[]): void {
  const tally = tallies.get(kind) ?? { slips: 0, original: 0, neighbours: 0 };
  tallies.set(kind, tally);
  tally.slips++;
  if (caught[0]) tally.original++;
  if (caught.includes(true)) tally.neighbours++;
}

function report(): void {
  const rows = [...tallies].sort(([a], [b]) => (a < b ? -1 : 1));
  const all: Tally = { slips: 0, original: 0, neighbours: 0 };
  for (const [, tally] of rows) {
    all.slips += tally.slips;
    all.original += tally.original;
    all.neighbours += tally.neighbours;
  }
  const percent = (part: number, whole: number) => Number(((100 * part) / Math.max(whole, 1)).toFixed(1));
  const table = Object.fromEntries(
    [...rows, ['all', all] as const].map(([kind, { slips, original, neighbours }]) => [
      kind,
      {
        slips,
        'caught by original %': percent(original, slips),
        'with neighbours %': percent(neighbours, slips),
      },
    ]),
  );
  console.table(table);
  const results = join(packageRoot, 'bench/results');
  mkdirSync(results, { recursive: true });
  writeFileSync(join(results, `neighbours-${split.name}.json`), `${JSON.stringify(table, null, 2)}\n`);
}
