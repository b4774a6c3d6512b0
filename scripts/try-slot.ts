/**
 * Lowers every question of a split to SLOT and replays the calls in-process against the gold SQL, without the
 * rest of the pipeline: `npx tsx scripts/try-slot.ts <split> [--db name] [--id question] [--sel]`.
 */
import { parseArgs } from 'node:util';
import Database from 'better-sqlite3';
import { QueryError } from '../contracts/errors.ts';
import { sameRows } from '../contracts/same-rows.ts';
import type { Row } from '../contracts/value.ts';
import { lowerSel } from '../generator/lower/sel/lower-sel.ts';
import { startKeysOf } from '../generator/lower/sel/start-keys.ts';
import { lowerSlot } from '../generator/lower/slot/lower-slot.ts';
import { readSplit } from '../generator/read/read-split.ts';
import { ToolBench } from '../services/testing/tools/tool-bench.ts';
import { parseQuery, printQuery } from '../sql/index.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    db: { type: 'string' },
    id: { type: 'string' },
    sel: { type: 'boolean' },
    slow: { type: 'string' },
    preview: { type: 'string' },
  },
});
const split = await readSplit(positionals[0] as string);
const counts = new Map<string, number>();
const tally = (word: string) => counts.set(word, (counts.get(word) ?? 0) + 1);
let calls = 0;
const times: number[] = [];

for (const domain of split.domains) {
  if (values.db && domain.db !== values.db) continue;
  const db = new Database(domain.file, { readonly: true });
  const bench = new ToolBench(db, domain.catalog);
  for (const question of split.questions) {
    if (question.db_id !== domain.db || (values.id && String(question.question_id) !== values.id)) continue;
    const id = `${domain.db}/${question.question_id}`;
    let query: ReturnType<typeof parseQuery>;
    let gold: Row[];
    try {
      query = parseQuery(question.sql, { catalog: domain.catalog, referenceTime: '2025-01-01 00:00:00' });
      gold = db.prepare(printQuery(query)).raw().all() as Row[];
    } catch (error) {
      tally('not executable');
      console.log(`GOLD ${id} ${String(error)}`);
      continue;
    }
    tally('questions');
    try {
      const slot = lowerSlot(query, domain.catalog);
      const sequence = values.sel ? lowerSel(slot, startKeysOf(slot, domain.catalog)) : slot;
      if (values.id) console.log(JSON.stringify(sequence, null, 1));
      const labels = [
        sequence.initialization_step,
        ...((sequence.initialization_step.arguments.additional_tables ?? []) as { label: string }[]),
      ];
      const starts = Object.fromEntries(
        sequence.startTables.map((start, i) => [labels[i]?.label as string, bench.start(start)]),
      );
      const began = performance.now();
      const rows = await bench.replay(sequence.output, starts, Number(values.preview ?? 0));
      const took = performance.now() - began;
      times.push(took);
      if (took > Number(values.slow ?? 1000)) console.log(`SLOW ${id} ${took.toFixed(0)} ms`);
      const ordered = query.kind !== 'values' && query.orderBy.length > 0;
      const bag = rows !== null && sameRows(gold, rows, null);
      if (values.id)
        console.log(bench.statements.map((s) => s.sql).join('\n'), rows?.slice(0, 5), gold.slice(0, 5));
      if (!bag) {
        tally('WRONG');
        console.log(
          `WRONG ${id} ${question.sql.replace(/\s+/g, ' ').slice(0, 400)}\n   gold ${gold.length} ${JSON.stringify(gold.slice(0, 2))}\n   ours ${rows?.length} ${JSON.stringify(rows?.slice(0, 2))}`,
        );
        continue;
      }
      if (
        ordered &&
        !sameRows(
          gold,
          rows,
          gold.map((_, i) => i),
        )
      ) {
        tally('order of ties');
        if (values.slow) console.log(`TIES ${id} ${question.sql.replace(/\s+/g, ' ')}`);
      }
      tally('kept');
      calls += sequence.output.length;
    } catch (error) {
      if (error instanceof QueryError) {
        tally(`rejected: ${error.code} ${error.clause}`);
        console.log(
          `REJECT ${id} ${error.clause}: ${error.message}\n   ${question.sql.replace(/\s+/g, ' ').slice(0, 300)}`,
        );
      } else {
        tally('BUG');
        console.log(
          `BUG ${id} ${(error as Error).stack?.split('\n').slice(0, 6).join('\n')}\n   ${question.sql.replace(/\s+/g, ' ')}`,
        );
      }
    }
  }
  db.close();
}
console.log(
  [...counts]
    .sort((a, b) => b[1] - a[1])
    .map(([word, n]) => `${n}\t${word}`)
    .join('\n'),
);
console.log(`calls per kept question: ${(calls / (counts.get('kept') ?? 1)).toFixed(2)}`);
times.sort((a, b) => a - b);
const at = (share: number) => times[Math.floor((times.length - 1) * share)]?.toFixed(1);
console.log(`ms a sequence: median ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)}, most ${at(1)}`);
