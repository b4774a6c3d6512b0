import { chmodSync, constants, copyFileSync, rmSync } from 'node:fs';
import { QueryError } from '../../contracts/errors.ts';
import { serveChild } from '../../services/base/sqlite/child-pool.ts';
import { parseQuery, type Query, quoteIdentifier } from '../../sql/index.ts';
import { type Target, targetOf } from '../search/proposals.ts';
import { Draft } from '../search/scratch-database.ts';
import { applyChanges } from '../variants/changes.ts';
import { alterDatabase, literalCounts } from './alter-database.ts';
import type { Pair } from './growth.ts';
import type { AlterReply, AlterRequest } from './messages.ts';
import { makePlainCopy } from './prove-world-domain.ts';

// SQLite's 'localtime' uses the process's time zone; UTC gives the same answer on every machine.
process.env.TZ = 'UTC';

serveChild<AlterRequest, AlterReply>(
  ({ served, catalog, growth, seed, referenceTime, questions, target }) => {
    const file = `${target.served}-draft`;
    copyFileSync(served, file, constants.COPYFILE_FICLONE);
    chmodSync(file, 0o600);
    const draft = new Draft(file, catalog);
    try {
      const asked = [...new Set(questions)].flatMap((sql): { query: Query; target: Target }[] => {
        try {
          const query = parseQuery(sql, { catalog, referenceTime });
          return [{ query, target: targetOf(query, draft.shapes) }];
        } catch (error) {
          if (error instanceof QueryError) return [];
          throw error;
        }
      });
      const targets = asked.map(({ target }) => target);
      const queries = asked.map(({ query }) => query);
      const before = { literals: literalCounts(draft, targets), rows: rowCounts(draft) };
      alterDatabase(draft, targets, { catalog, growth, seed, queries });
      const after = { literals: literalCounts(draft, targets), rows: rowCounts(draft) };
      makeFile((to) => copyFileSync(served, to, constants.COPYFILE_FICLONE), target.served, draft);
      makeFile((to) => makePlainCopy(served, to), target.plain, draft);
      return {
        literals: pairs(before.literals, after.literals),
        rowCounts: pairs(before.rows, after.rows),
      };
    } finally {
      draft.close();
      rmSync(file, { force: true });
    }
  },
);

function makeFile(copy: (to: string) => void, to: string, draft: Draft): void {
  copy(to);
  chmodSync(to, 0o600);
  applyChanges(to, draft.kept);
  chmodSync(to, 0o444);
}

function rowCounts(draft: Draft): Map<string, number> {
  const count = (name: string) => Number(draft.value(`SELECT count(*) FROM ${quoteIdentifier(name)}`));
  return new Map([...draft.shapes.keys()].map((name) => [name, count(name)]));
}

function pairs(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): Pair[] {
  return [...before].map(([key, count]) => ({ before: count, after: after.get(key) ?? 0 }));
}
