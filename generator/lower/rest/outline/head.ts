import type { CatalogTable } from '../../../../contracts/catalog.ts';
import { type Expr, holdsAggregate, leftmost, type Query, type Select } from '../../../sql/index.ts';
import type { Noun } from '../words/lexicon.ts';
import { groupedHead } from './grouped-head.ts';
import { groupedTables, groupingOf, groupsItsRows } from './grouping.ts';
import { isLinkTable } from './joins.ts';
import { listHead } from './list-head.ts';
import { measureHead } from './measure-head.ts';
import { type Output, outputsOf } from './outputs.ts';
import { bare } from './patterns.ts';
import { listed, type Phrase } from './phrase.ts';
import type { Saying } from './phrase-of.ts';
import { joinedAnd } from './word-lists.ts';

/** What a query returns, as names and summaries begin: schools, superhero full names, count of cities per district. */
export interface Head {
  /** For many rows and for one; each the full writing first, then shorter ones. */
  readonly many: readonly (readonly string[])[];
  readonly one: readonly (readonly string[])[];
  readonly textMany: string;
  readonly textOne: string;
  /** True for numbers about all rows together: one row, whatever is asked. */
  readonly measure: boolean;
  /** What the rows are about. */
  readonly noun: Noun | null;
  /** Who the groups are when rows are counted for each: districts. */
  readonly groups: Noun | null;
  /** What is counted for each group, as a noun: city count. */
  readonly measured: readonly string[] | null;
}

/** What a query returns, in words. */
export function headOf(query: Query, saying: Saying): Head {
  const first = leftmost(query);
  if (first.kind === 'values') return listHead([], null);
  const inner = { ...saying, query: first };
  const outputs = outputsOf(first, inner);
  const measures = outputs.filter(({ exprs }) => exprs.some((expr) => isMeasure(expr, first, inner)));
  const table = subjectTable(outputs, first, inner);
  const noun = table === null ? null : saying.speaker.noun(table);
  if (measures.length === 0) {
    const grouped = first.groupBy.length > 0 && (table === null || !groupedTables(first, inner).has(table));
    const values = table !== null && groupsItsRows(first, table, inner);
    const head = listHead(outputs, table === null || noun === null ? null : { table, noun, grouped, values });
    const { untold } = groupingOf(first, outputs, inner, { named: false });
    return untold.length === 0 ? head : ofGroups(head, untold, first.distinct);
  }
  const grouped = isGrouped(first, inner);
  const measured = measureHead(
    measures.map(({ phrase }) => phrase),
    noun,
    !grouped,
  );
  const keys = outputs.filter((output) => !measures.includes(output) && !isLabel(output));
  if (!grouped) return keys.length === 0 ? measured : withOthers(measured, keys);
  return groupedHead(measured, measures, keys, first, inner);
}

/** Rows that stand for groups they do not show: artist of a language; artists (one per language). */
function ofGroups(head: Head, keys: readonly Phrase[], distinct: boolean): Head {
  const words = joinedAnd(keys.map(({ noun }) => noun));
  const text = listed(keys.map((key) => key.text));
  const write = (lists: Head['many'], by: string) => [
    ...lists.map((list) => [...list, by, ...words]),
    ...lists,
  ];
  return {
    ...head,
    many: distinct ? head.many : write(head.many, 'per'),
    one: write(head.one, 'of'),
    textMany: distinct ? head.textMany : `${head.textMany} (one per ${text})`,
    textOne: `${head.textOne} of a ${text}`,
  };
}

/** A text that only says what a row is, fixed in the query. */
function isLabel({ exprs }: Output): boolean {
  return exprs.every(({ kind }) => kind === 'literal');
}

/** Plain columns beside a number about all rows: those of the row that the number comes from, or of any. */
function withOthers(measured: Head, others: readonly Output[]): Head {
  const tail = ['with', ...joinedAnd(others.map(({ among }) => among))];
  const words = measured.many.map((many) => [...many, ...tail]);
  const text = `${measured.textMany} with ${listed(others.map(({ phrase }) => phrase.text))}`;
  return {
    ...measured,
    many: [...words, ...measured.many],
    one: [...words, ...measured.one],
    textMany: text,
    textOne: text,
  };
}

function isMeasure(expr: Expr, select: Select, saying: Saying): boolean {
  if (holdsAggregate(expr)) return true;
  const inner = bare(expr);
  if (inner.kind === 'scalar_query' && select.from.length === 0) return true;
  if (inner.kind === 'binary')
    return isMeasure(inner.left, select, saying) || isMeasure(inner.right, select, saying);
  if (inner.kind !== 'column') return false;
  const origin = saying.speaker.origins.of(inner);
  return origin.kind === 'computed' && holdsAggregate(origin.expr);
}

/** Grouped itself, or read from something that is. */
function isGrouped(select: Select, saying: Saying): boolean {
  if (select.groupBy.length > 0) return true;
  if (select.columns.some(({ expr }) => holdsAggregate(expr))) return false;
  return select.from.some(({ source }) => {
    const inner = saying.speaker.origins.queryOf(source);
    const first = inner === null ? null : leftmost(inner);
    return first?.kind === 'select' && isGrouped(first, saying);
  });
}

/**
 * The table whose rows the answer is about. Of several tables it is the one that the others are looked up
 * for; of lookups alone, the one that they were looked up for.
 */
function subjectTable(outputs: readonly Output[], select: Select, saying: Saying): CatalogTable | null {
  const { speaker } = saying;
  const tables = [...new Set(outputs.flatMap(({ table }) => (table === null ? [] : [table])))];
  const rows = speaker.rowTable(select);
  const [first] = tables;
  const person = outputs.find(({ exprs, role }) => role === 'label' && exprs.length > 1);
  if (first === undefined) return rows;
  if (tables.length === 1) return first;
  if (person !== undefined) return person.table;
  const parents = new Set(
    speaker.edges.flatMap(({ child, parent }) => {
      const from = speaker.origins.tableOf(child.source);
      return from !== null && tables.includes(from) ? [speaker.origins.tableOf(parent.source)] : [];
    }),
  );
  const finest = tables.filter((table) => !parents.has(table) && !isLinkTable(table));
  if (finest.length === 1 && finest[0] !== undefined) return finest[0];
  if (rows !== null && !tables.includes(rows) && !isLinkTable(rows)) return rows;
  return rows !== null && tables.includes(rows) ? rows : first;
}
