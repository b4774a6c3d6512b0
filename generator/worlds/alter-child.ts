import { chmodSync, constants, copyFileSync, rmSync } from 'node:fs';
import { QueryError } from '../../contracts/errors.ts';
import { serveChild } from '../../services/base/sqlite/child-pool.ts';
import { type Query, quoteIdentifier } from '../../sql/index.ts';
import { parseGold } from '../oracle/gold-sql.ts';
import { applyChanges } from '../variants/changes.ts';
import { type Target, targetOf } from '../variants/proposals.ts';
import { ScratchDatabase } from '../variants/scratch-database.ts';
import { alterDatabase, literalCounts } from './alter-database.ts';
import type { BeforeAfter } from './growth.ts';
import { type AlterReply, type AlterRequest, makePlainCopy } from './prove-world-domain.ts';

// SQLite's 'localtime' uses the process's time zone; UTC gives the same answer on every machine.
process.env.TZ = 'UTC';

serveChild<AlterRequest, AlterReply>(
  ({ served, catalog, growth, seed, referenceTime, questions, target }) => {
    const file = `${target.served}-draft`;
    copyFileSync(served, file, constants.COPYFILE_FICLONE);
    chmodSync(file, 0o600);
    const copy = new ScratchDatabase(file, catalog);
    try {
      const parsed = [...new Set(questions)].flatMap((sql): { query: Query; target: Target }[] => {
        try {
          const query = parseGold(sql, { catalog, referenceTime });
          return [{ query, target: targetOf(query, copy.shapes) }];
        } catch (error) {
          if (error instanceof QueryError) return [];
          throw error;
        }
      });
      const targets = parsed.map(({ target }) => target);
      const queries = parsed.map(({ query }) => query);
      const before = { literals: literalCounts(copy, targets), rows: rowCounts(copy) };
      alterDatabase(copy, targets, { catalog, growth, seed, queries });
      const after = { literals: literalCounts(copy, targets), rows: rowCounts(copy) };
      makeFile((to) => copyFileSync(served, to, constants.COPYFILE_FICLONE), target.served, copy);
      makeFile((to) => makePlainCopy(served, to), target.plain, copy);
      return {
        literals: pairs(before.literals, after.literals),
        rowCounts: pairs(before.rows, after.rows),
      };
    } finally {
      copy.close();
      rmSync(file, { force: true });
    }
  },
);

function makeFile(duplicate: (to: string) => void, to: string, copy: ScratchDatabase): void {
  duplicate(to);
  chmodSync(to, 0o600);
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
