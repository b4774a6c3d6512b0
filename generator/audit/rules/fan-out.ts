import { sameRows } from '../../../contracts/same-rows.ts';
import { type Aggregate, exprsOf, freeSources, node, replaceNode, type Select } from '../../../sql/index.ts';
import { type AuditedQuery, columnLabel, type Finding, type Rule } from '../rule.ts';

/** Aggregates that a repeated row changes. */
const COUNTING = new Set(['sum', 'total', 'count', 'avg']);

/** An aggregate over a table whose rows a join repeats: each is counted once for every row that refers to it. */
export const fanOut: Rule = {
  name: 'fan_out',
  why: 'A join that repeats the rows of the aggregated table multiplies sums and counts.',
  byDefault: true,
  async check(audited) {
    const findings: Finding[] = [];
    for (const expr of exprsOf(audited.query)) {
      if (expr.kind === 'aggregate') findings.push(...(await checkAggregate(expr, audited)));
    }
    return findings;
  },
};

async function checkAggregate(aggregate: Aggregate, audited: AuditedQuery): Promise<Finding[]> {
  const [column] = aggregate.args;
  if (!COUNTING.has(aggregate.name) || aggregate.distinct || column?.kind !== 'column') return [];
  const base = audited.origins.baseColumn(column);
  const select = audited.origins.selectOf(column.source);
  if (!base || !select || audited.origins.sourceOf(column.source)?.kind !== 'table') return [];
  // Of a count only keys say what is counted; other columns are often counted to count the joined rows.
  const isKey =
    base.column.primary_key > 0 &&
    base.table.columns.filter(({ primary_key }) => primary_key > 0).length === 1;
  if (aggregate.name === 'count' && !isKey) return [];
  const by = repeatingTable(select, column.source, audited);
  if (by === null || mentions(select, aggregate, by)) return [];
  if (aggregate.name === 'count') {
    if (asksForOthers(audited, select, base.table.name)) return [];
    const once = await audited.run(
      replaceNode(audited.query, aggregate, node({ ...aggregate, distinct: true })),
    );
    if (once === null || sameRows(audited.rows, once, null)) return [];
  }
  return [
    {
      reason: `${aggregate.name.toUpperCase()}(${columnLabel(base.table, base.column)}) takes each row of ${base.table.name} once for every row of ${by.table} joined to it`,
      suggestion:
        aggregate.name === 'count'
          ? `COUNT(DISTINCT …), if rows of ${base.table.name} are meant`
          : `aggregate ${base.table.name} by itself, and pick its rows by EXISTS or IN`,
    },
  ];
}

/** A joined table that refers to the key of the aggregated one, by a column that many of its rows may share. */
function repeatingTable(
  select: Select,
  source: string,
  { origins }: AuditedQuery,
): { readonly table: string; readonly id: string } | null {
  const table = origins.tableOf(source);
  if (table === null) return null;
  for (const item of select.from) {
    if (item.source.kind !== 'table' || item.source.id === source) continue;
    const other = origins.tableOf(item.source.id);
    const key = other?.foreign_keys.find(
      ({ references_table, columns }) => references_table === table.name && columns.length === 1,
    );
    const column = other?.columns.find(({ name }) => name === key?.columns[0]);
    if (!other || !column || column.primary_key > 0) continue;
    const { distinct, nulls } = column.statistics;
    if (distinct < other.rows - nulls && joins(select, source, item.source.id))
      return { table: other.name, id: item.source.id };
  }
  return null;
}

function joins(select: Select, one: string, other: string): boolean {
  const conditions = [...select.from.map(({ on }) => on), select.where].filter((on) => on !== null);
  return conditions.some((on) => {
    const sources = freeSources(on);
    return sources.has(one) && sources.has(other);
  });
}

/** Whether the query groups by the repeating table, or aggregates over it as well: then its rows are meant. */
function mentions(select: Select, aggregate: Aggregate, by: { readonly id: string }): boolean {
  const grouped = select.groupBy.some((key) => freeSources(key).has(by.id));
  return grouped || freeSources(aggregate).has(by.id);
}

/** Whether the question counts the rows of another joined table: how many *posts* did this user write? */
function asksForOthers({ question, origins }: AuditedQuery, select: Select, counted: string): boolean {
  const asked =
    /(?:how many|number of|count of|percentage of|proportion of)\s+(?:the\s+)?((?:\S+\s*){1,5})/i
      .exec(question.question)?.[1]
      ?.toLowerCase() ?? '';
  const at = (name: string) => {
    const place = asked.indexOf(
      name
        .toLowerCase()
        .replace(/(ie)?s$/, '')
        .replaceAll('_', ' '),
    );
    return place < 0 ? Number.POSITIVE_INFINITY : place;
  };
  const others = select.from
    .flatMap(({ source }) => origins.tableOf(source.id)?.name ?? [])
    .filter((name) => name !== counted);
  return Math.min(...others.map(at)) < at(counted);
}
