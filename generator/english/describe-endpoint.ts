import type { Choice } from '../template/choices.ts';
import type { Apart } from './apart.ts';
import { columnProse, placeOf } from './catalog-prose.ts';
import type { Clauses, ListClauses, Sort, Term } from './clauses/clause.ts';
import { leftmostList } from './clauses/lists.ts';
import { oneOf } from './clauses/thing.ts';
import { paddedText } from './conditions/compared.ts';
import { capital, singularText, theText } from './noun-phrase.ts';
import { readText } from './queries/query-text.ts';
import { cutText } from './queries/ranking.ts';
import { descriptionRealizer } from './realize.ts';
import type { Realizer } from './realizer.ts';
import { constantText, sortText } from './terms.ts';
import type { ValueGuard } from './value-guard.ts';
import { listed } from './words/word-lists.ts';

/** What an endpoint returns, which rows, in which order and how many: a paragraph for whoever picks a tool. */
export function describeEndpoint(
  clauses: Clauses,
  columns: readonly string[],
  rounded: readonly string[],
  nameOf: (choice: Choice) => string,
  apart?: Apart,
): string {
  const r = descriptionRealizer(nameOf, apart);
  const sentences = [
    returned(clauses, columns, rounded, r),
    ...told(clauses, r),
    ordered(clauses, r),
    sources(clauses),
  ];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

/** What each result column holds, with the names of parameters where values are chosen in it. */
export function columnText(term: Term, rounded: string, r: Realizer): string {
  return `${singularText(r.noun(term))}${rounded}`;
}

function returned(
  clauses: Clauses,
  columns: readonly string[],
  rounded: readonly string[],
  r: Realizer,
): string {
  const first = leftmostList(clauses);
  const terms = first?.columns ?? [];
  const list = listed(
    columns.map((name, i) => {
      const term = terms[i];
      const text = term === undefined ? '' : columnText(term, rounded[i] ?? '', r);
      const others = constantsAt(i, clauses);
      if (others.length > 1) return `${name} (${listed(others, 'or')})`;
      return text === '' || text.replaceAll(' ', '_').toLowerCase() === name ? name : `${name} (${text})`;
    }),
  );
  // A set operation has a row of each side.
  const one = first?.about === 'all' && clauses.kind === 'list';
  return `${one ? 'One row' : first?.distinct ? 'Each different row once' : 'Rows'} with ${list}.`;
}

/** What is written in a column by each part of a combination, where each writes a fixed value. */
function constantsAt(index: number, clauses: Clauses): readonly string[] {
  if (clauses.kind === 'combined')
    return [...new Set([clauses.left, clauses.right].flatMap((side) => constantsAt(index, side)))];
  const term = clauses.columns[index];
  return term?.kind === 'constant' ? [constantText(term)] : [];
}

function told(clauses: Clauses, r: Realizer): readonly string[] {
  if (clauses.kind === 'fixed') return [];
  if (clauses.kind === 'combined') {
    return [
      `${capital(r.query(clauses))}.`,
      clauses.op === 'union_all' ? 'Rows may repeat.' : 'Each different row once.',
    ];
  }
  const read =
    clauses.read.length === 0
      ? ''
      : `Read from ${listed(clauses.read.map((inner) => theText(readText(inner, r))))}.`;
  const where = r.adjuncts(clauses.conditions);
  return [
    grainText(clauses, r),
    clauses.over === null ? '' : `Numbers are over rows of each ${oneOf(clauses.over)}.`,
    read,
    crossedText(clauses),
    where === '' ? '' : `Conditions: ${where.slice('where '.length)}.`,
    ...[paddedText(clauses, r)].filter((text) => text !== '').map((text) => `${capital(text)}.`),
  ];
}

function crossedText({ crossed }: ListClauses): string {
  const [first, ...others] = crossed.map(oneOf);
  return first === undefined ? '' : `Every ${first} is combined with every ${listed(others)}.`;
}

/** For what there is a row, where that is not what the rows are named after. */
function grainText({ groups, grain, distinct, about }: ListClauses, r: Realizer): string {
  if (about === 'all') return '';
  if (groups !== null && groups.keys.length > 0) {
    const keys = listed([...new Set(groups.keys.map((key) => singularText(r.noun(key))))]);
    return distinct ? `Numbers are per ${keys}.` : `One row per ${keys}.`;
  }
  if (distinct) return '';
  return grain.length === 0 ? '' : `One row for each ${listed(grain.map(oneOf))}.`;
}

function ordered(clauses: Clauses, r: Realizer): string {
  if (clauses.kind === 'fixed') return '';
  const one = clauses.kind === 'list' && clauses.about === 'all';
  if (one && clauses.limit === null) return '';
  const keys = one ? [] : clauses.order.map((sort: Sort) => sortText(sort, r));
  const order = keys.length === 0 ? '' : `sorted by ${keys.join(', then by ')}`;
  const said = [order, cutText(clauses.limit, r)].filter((part) => part !== '').join('; ');
  return said === '' ? '' : `${capital(said)}.`;
}

function sources({ tables }: Clauses): string {
  return tables.length === 0 ? '' : `Source: ${[...tables].sort().join(', ')}.`;
}

/** What a result column holds: its text, and of a base column what the catalog says of it. */
export function describeColumn(term: Term, text: string, guard: ValueGuard): string {
  const inner = shown(term);
  const column = inner.kind === 'date_part' ? inner.of : inner;
  const base = column.kind === 'property' ? column.base : null;
  if (base === null) return `${capital(text)}.`;
  const prose = columnProse(base.column, text, guard);
  return `${capital(text)} (${placeOf(base.table, base.column)}).${prose === '' ? '' : ` ${prose}`}`;
}

/** What a subquery that gives one value shows. */
function shown(term: Term): Term {
  const [first] = term.kind === 'query' && term.query.kind === 'list' ? term.query.columns : [];
  return first ?? term;
}
