import { chmodSync, constants, copyFileSync, rmSync } from 'node:fs';
import { serveChild } from '../../services/base/sandbox/index.ts';
import { parseQuery, printQuery } from '../../sql/index.ts';
import { VISITED } from '../oracle/messages.ts';
import { Draft } from '../search/draft.ts';
import { FreshRows } from '../search/fresh-rows.ts';
import { targetOf } from '../search/target.ts';
import { countVisits } from '../variants/count-visits.ts';
import { mutantsOf } from '../variants/mutants.ts';
import { sampleRows } from '../variants/perturb-table.ts';
import { Random } from '../variants/random.ts';
import type { SearchReply, SearchRequest } from './messages.ts';
import { tellApart } from './tell-apart.ts';

// SQLite's 'localtime' uses the process's time zone; UTC gives the same answer on every machine.
process.env.TZ = 'UTC';

serveChild<SearchRequest, SearchReply>(({ file, scratch, catalog, seed, referenceTime, suspects }) => {
  copyFileSync(file, scratch, constants.COPYFILE_FICLONE);
  chmodSync(scratch, 0o600);
  const draft = new Draft(scratch, catalog);
  try {
    const random = new Random(`${seed}/${catalog.db}/mutants`);
    const fresh = new FreshRows(draft, random);
    const samples = new Map(
      [...draft.shapes.values()].map((table) => [table.name, sampleRows(draft.db, table, random)]),
    );
    const context = {
      draft,
      random,
      fresh,
      sampleOf: ({ name }: { readonly name: string }) => samples.get(name) ?? [],
    };
    return suspects.map(({ sql, mutants }) => {
      const query = parseQuery(sql, { catalog, referenceTime });
      const all = mutantsOf(query, catalog);
      const runnable = mutants.flatMap((index) => {
        const mutant = all[index]?.query;
        return mutant ? [{ index, sql: printQuery(countVisits(mutant, VISITED, draft.shapes)) }] : [];
      });
      const isOrdered = query.kind !== 'values' && query.orderBy.length > 0;
      return tellApart(targetOf(query, draft.shapes), runnable, isOrdered, context);
    });
  } finally {
    draft.close();
    rmSync(scratch, { force: true });
  }
});
