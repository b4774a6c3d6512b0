import { sameCell } from '../../../contracts/same-rows.ts';
import { node, type OutputColumn } from '../../../sql/index.ts';
import type { Rule } from '../rule.ts';

/** LIMIT that cuts through rows which its sort keys do not tell apart. */
export const limitTie: Rule = {
  name: 'limit_tie',
  why: 'Which of the tied rows are shown is left to the engine, so that a right answer may count as wrong.',
  byDefault: true,
  async check({ query, run }) {
    if (query.kind !== 'select' || query.limit === null || query.orderBy.length === 0 || query.distinct)
      return [];
    const { count, offset } = query.limit;
    if (
      count.kind !== 'literal' ||
      count.type !== 'integer' ||
      (offset && (offset.kind !== 'literal' || offset.type !== 'integer'))
    )
      return [];
    const last = Number(count.value) + Number(offset?.kind === 'literal' ? offset.value : 0);
    const keys = query.orderBy.map(({ expr }, i): OutputColumn => ({ expr, name: `key_${i}`, alias: null }));
    const rows = await run(node({ ...query, columns: [...query.columns, ...keys], limit: null }));
    const [inside, outside] = [rows?.[last - 1], rows?.[last]];
    if (!inside || !outside) return [];
    const width = query.columns.length;
    const tied = keys.every((_, i) => sameCell(inside[width + i] ?? null, outside[width + i] ?? null));
    const alike = query.columns.every((_, i) => sameCell(inside[i] ?? null, outside[i] ?? null));
    if (!tied || alike) return [];
    return [
      {
        reason: `rows ${last} and ${last + 1} have the same sort keys, and LIMIT cuts between them`,
        suggestion: 'name a further sort key in the question, or ask for all that are tied',
      },
    ];
  },
};
