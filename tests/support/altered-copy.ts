import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { QueryError } from '../../contracts/errors.ts';
import { DEFAULT_REFERENCE_TIME, type Domain, type Question } from '../../contracts/split.ts';
import { applyChanges } from '../../generator/variants/changes.ts';
import { type Target, targetOf } from '../../generator/variants/proposals.ts';
import { ScratchDatabase } from '../../generator/variants/scratch-database.ts';
import { alterDatabase } from '../../generator/worlds/alter-database.ts';
import { growthOf } from '../../generator/worlds/read-origin.ts';
import { parseQuery, type Query } from '../../sql/index.ts';
import { brokenKeys, dependencies, whatBreaks } from './what-holds.ts';

/** The database of a domain as a world of that seed has it, as a file in a folder; `name` tells files apart. */
export function alteredCopy(
  { catalog, file }: Domain,
  questions: readonly Question[],
  { folder, seed, name }: { readonly folder: string; readonly seed: string; readonly name: string },
): string {
  const [scratch, to] = [join(folder, 'draft.sqlite'), join(folder, `${name}.sqlite`)];
  copyFileSync(file, scratch);
  const draft = new ScratchDatabase(scratch, catalog);
  const asked = questions.flatMap(({ sql }): { query: Query; target: Target }[] => {
    try {
      const query = parseQuery(sql, { catalog, referenceTime: DEFAULT_REFERENCE_TIME });
      return [{ query, target: targetOf(query, draft.shapes) }];
    } catch (error) {
      if (error instanceof QueryError) return [];
      throw error;
    }
  });
  alterDatabase(
    draft,
    asked.map(({ target }) => target),
    {
      catalog,
      growth: growthOf([catalog]).get(catalog.db) ?? new Map(),
      seed,
      queries: asked.map(({ query }) => query),
    },
  );
  const changes = [...draft.kept];
  draft.close();
  copyFileSync(file, to);
  applyChanges(to, changes);
  return to;
}

/** What a world of a domain breaks that the domain itself does not, in words. */
export function tornApart(
  domain: Domain,
  questions: readonly Question[],
  seeds: readonly string[],
  folder: string,
): string[] {
  const rules = dependencies(domain.file, domain.catalog);
  const [keys, own] = [brokenKeys(domain.file, domain.catalog), new Set(whatBreaks(domain.file, rules))];
  return seeds.flatMap((seed) => {
    const world = alteredCopy(domain, questions, { folder, seed, name: 'world' });
    const dangling = [...brokenKeys(world, domain.catalog)].filter(
      ([key, count]) => count > (keys.get(key) ?? 0),
    );
    return [
      ...dangling.map(([key, count]) => `${domain.db} ${seed}: ${count} rows break foreign key ${key}`),
      ...whatBreaks(world, rules)
        .filter((each) => !own.has(each))
        .map((each) => `${domain.db} ${seed}: ${each}`),
    ];
  });
}
