import { chmodSync } from 'node:fs';
import { unlessQueryError } from '../../contracts/errors.ts';
import { serveChild } from '../../services/base/sqlite/child-pool.ts';
import { quoteIdentifier } from '../../sql/index.ts';
import { copyWritable } from '../oracle/engines.ts';
import { parseGold } from '../oracle/gold-sql.ts';
import { applyChanges } from '../variants/changes.ts';
import { targetOf } from '../variants/proposals.ts';
import { ScratchDatabase } from '../variants/scratch-database.ts';
import { alterDatabase, literalCounts } from './alter-database.ts';
import { type AlterReply, type AlterRequest, type BeforeAfter, makePlainCopy } from './prove-world-domain.ts';

// SQLite's 'localtime' uses the process's time zone; UTC gives the same answer on every machine.
process.env.TZ = 'UTC';

serveChild<AlterRequest, AlterReply>(({ served, catalog, growth, seed, referenceTime, questions, target }) =>
  ScratchDatabase.on(served, `${target.served}-draft`, catalog, (copy) => {
    const queries = [...new Set(questions)].flatMap(
      (sql) => unlessQueryError(() => parseGold(sql, { catalog, referenceTime })) ?? [],
    );
    const targets = queries.map((query) => targetOf(query, copy.shapes));
    const before = { literals: literalCounts(copy, targets), rows: rowCounts(copy) };
    alterDatabase(copy, targets, { catalog, growth, seed, queries });
    const after = { literals: literalCounts(copy, targets), rows: rowCounts(copy) };
    makeFile((to) => copyWritable(served, to), target.served, copy);
    makeFile((to) => makePlainCopy(served, to), target.plain, copy);
    return {
      literals: pairs(before.literals, after.literals),
      rowCounts: pairs(before.rows, after.rows),
    };
  }),
);

function makeFile(duplicate: (to: string) => void, to: string, copy: ScratchDatabase): void {
  duplicate(to);
  applyChanges(to, copy.kept);
  chmodSync(to, 0o444);
}

function rowCounts(copy: ScratchDatabase): Map<string, number> {
  const count = (name: string) => Number(copy.value(`SELECT count(*) FROM ${quoteIdentifier(name)}`));
  return new Map([...copy.shapes.keys()].map((name) => [name, count(name)]));
}

function pairs(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): BeforeAfter[] {
  return [...before].map(([key, count]) => ({ before: count, after: after.get(key) ?? 0 }));
}
