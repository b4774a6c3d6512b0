import {
  conjunction,
  conjuncts,
  type Expr,
  holdsAggregate,
  type Query,
  type Select,
  visitQuery,
} from '../../../sql/index.ts';
import { pluralValues } from '../words/nouns.ts';
import { bracketed, conditionText, type Wording } from './condition-text.ts';
import { correlationText, isCorrelation, whoseText } from './correlation.ts';
import { numberWord, ordinalAfter } from './ordinals.ts';
import { partnersOf } from './partner-facts.ts';
import { bare } from './patterns.ts';
import { listed } from './phrase.ts';
import { phraseOf, type Saying } from './phrase-of.ts';
import { plainJoins } from './plain-joins.ts';
import { bestText, rankingOf } from './ranking.ts';

/** The conditions that a SELECT's rows and groups meet, whole; '' when there are none. How its tables are joined is not said. */
export function selectConditions(select: Select, wording: Wording): string {
  const read = select.from.flatMap(({ source }) => wording.speaker.origins.queryOf(source) ?? []);
  const own = {
    ...wording,
    query: select,
    qualified: true,
    told: new Set([...(wording.told ?? []), ...read]),
  };
  const inner = select.from.filter(({ join }) => join === 'from' || join === 'inner' || join === 'cross');
  const conditions = [select.where, ...inner.map(({ on }) => on), select.having].flatMap(conjuncts);
  const plain = plainJoins(select, own.speaker.origins);
  const told = conditions.flatMap((condition) => {
    if (plain.has(condition)) return [];
    const text = isCorrelation(condition, select)
      ? correlationText(condition, select, own)
      : conditionText(condition, own);
    return text === null ? [] : [{ condition, text }];
  });
  const texts = told.map(({ condition, text }) => (told.length > 1 ? bracketed(condition, text) : text));
  return [...new Set(texts)].join(' and ');
}

/** A query inside another in words, with no article: IDs of films where the year is 2001; `one` of which only the first row counts. */
export function queryText(query: Query, wording: Wording, one = false): string {
  switch (query.kind) {
    case 'values':
      return 'fixed values';
    case 'set_operation': {
      const [left, right] = [queryText(query.left, wording), queryText(query.right, wording)];
      return `${left} ${COMBINED[query.op]} ${right}`;
    }
    case 'select':
      return selectText(query, wording, one || isOne(query));
  }
}

/** The rows that something is looked for in; that these are known goes without saying. */
export function amongText(query: Query, wording: Wording): string {
  return queryText(withoutKnown(query), wording);
}

/** A query without the conditions that what it shows is not NULL. */
export function withoutKnown(query: Query): Query {
  if (query.kind !== 'select') return query;
  const isShown = (expr: Expr) =>
    expr.kind === 'column' &&
    query.columns.some(
      ({ expr: shown }) =>
        shown.kind === 'column' && shown.source === expr.source && shown.name === expr.name,
    );
  const items = conjuncts(query.where);
  const kept = items.filter((one) => !(one.kind === 'is_null' && one.negated && isShown(one.expr)));
  if (kept.length === items.length) return query;
  return { ...query, where: kept.length > 0 ? conjunction(kept) : null };
}

/** How the rows of a second query change those of the first. */
export const COMBINED = {
  union: 'together with',
  union_all: 'together with',
  intersect: 'that are also among',
  except: 'except',
} as const;

function selectText(select: Select, wording: Wording, one: boolean): string {
  const own = { ...wording, query: select, qualified: true };
  const read = readAsIs(select, own);
  if (read !== null) return queryText(read, wording, one);
  return `${shownText(select, own, one)}${rowsText(select, own)}`;
}

/** What a SELECT shows, and of what: names of studios, the number of films. */
export function shownText(select: Select, saying: Saying, one = false): string {
  const own = { ...saying, query: select, qualified: true };
  const shown = select.columns.map(({ expr }) => expr).filter((expr) => bare(expr).kind !== 'literal');
  const noun = nounOf(select, own);
  const phrases = shown.map((expr) => phraseOf(expr, own));
  const full = listed(phrases.map(({ text }) => text));
  const said = full === '' || says(full, noun);
  const several = !shown.some(holdsAggregate) && !one;
  const texts = (said ? phrases : shown.map((expr) => phraseOf(expr, { ...own, qualified: false }))).map(
    ({ text, simple }) => (several && simple ? pluralValues(text.split(' ')).join(' ') : text),
  );
  if (full === '') return noun === '' ? 'fixed values' : noun;
  return said ? listed(texts) : `${listed(texts)} of ${noun}`;
}

/** The one query that a SELECT only reads from, column by column: a CTE by its name. */
export function readAsIs(select: Select, { speaker }: Pick<Saying, 'speaker'>): Query | null {
  const [item, ...others] = select.from;
  if (item === undefined || others.length > 0) return null;
  const plain = select.columns.every(({ expr }) => expr.kind === 'column');
  const { where, groupBy, having, limit } = select;
  if (!plain || where !== null || groupBy.length > 0 || having !== null || limit !== null) return null;
  return speaker.origins.queryOf(item.source);
}

/** What the rows of a query are called: the table that it shows, or for numbers the one that it counts. */
function nounOf(select: Select, { speaker }: Saying): string {
  const shown = select.columns.map(({ expr }) => speaker.origins.baseColumn(bare(expr))?.table ?? null);
  const rows = shown.find((table) => table !== null) ?? speaker.rowTable(select);
  return rows === null ? '' : speaker.noun(rows).many.join(' ');
}

function isOne({ limit }: Select): boolean {
  return limit?.count.kind === 'literal' && limit.count.value === 1n;
}

/** What keeps only some rows of a query, after what they are: where the year is 2001, one row per studio. */
export function rowsText(select: Select, wording: Wording): string {
  const own = { ...wording, query: select, qualified: true };
  const sources = readText(select, own);
  const conditions = selectConditions(select, own);
  const grouped = select.groupBy.map((expr) => phraseOf(expr, own).text);
  const partners = partnersText(select, own);
  return [
    sources === '' ? '' : ` read from the ${sources}`,
    whoseText(select, own),
    grouped.length === 0 ? '' : ` per ${listed(grouped)}`,
    partners === '' ? '' : ` ${partners}`,
    conditions === '' ? '' : ` where ${conditions}`,
    cutText(select, own),
  ].join('');
}

/** That have films and awards: the tables that are joined only to keep the rows that have some row there. */
export function partnersText(select: Select, { speaker }: Saying): string {
  const partners = partnersOf(select, speaker);
  const nouns = (same: boolean) =>
    partners.filter((one) => one.same === same).map(({ noun }) => noun.many.join(' '));
  const [are, have] = [nouns(true), nouns(false)];
  const texts = [
    ...(are.length === 0 ? [] : [`are ${listed(are)}`]),
    ...(have.length === 0 ? [] : [`have ${listed(have)}`]),
  ];
  return texts.length === 0 ? '' : `that ${listed(texts)}`;
}

/** Which rows LIMIT leaves, in brackets unless it is the one that ranks first. */
function cutText(select: Select, own: Wording): string {
  const { limit } = select;
  const ranking = rankingOf(select, own);
  if (limit === null || ranking === null)
    return limit === null ? '' : ` (${countText(limit.count, own)} of them)`;
  if (ranking.rows === 'one' && (!ranking.nth || ordinalAfter(ranking.skipped) !== null)) {
    return ` ${bestText(ranking).replace('that comes', 'that come')}`;
  }
  const by = `by ${ranking.of.text}${ranking.direction === 'desc' ? ' descending' : ''}`;
  const count = countText(limit.count, own);
  if (ranking.nth) return ` (${count} of them after the first ones ${by})`;
  return / /.test(count) ? ` (${count} of them, the first ${by})` : ` (the first ${count} ${by})`;
}

function countText(count: Expr, { choiceOf, nameOf }: Wording): string {
  const choice = count.kind === 'literal' ? choiceOf.get(count) : undefined;
  if (choice !== undefined) return nameOf === null ? 'a given number' : `\`${nameOf(choice)}\``;
  return (count.kind === 'literal' ? numberWord(count) : null) ?? 'a fixed number';
}

/** The queries that a SELECT reads as if they were tables, in words; '' when it reads only tables. */
export function readText(select: Select, wording: Wording): string {
  const { origins } = wording.speaker;
  const inner = [...new Set(select.from.flatMap(({ source }) => origins.queryOf(source) ?? []))];
  // A recursive CTE reads itself.
  const others = inner.filter((query) => !wording.told?.has(query) && !holds(query, select));
  return listed(
    others.map((query) => {
      const distinct = query.kind === 'select' && query.distinct;
      return `${distinct ? 'different ' : ''}${queryText(query, wording)}`;
    }),
  );
}

function holds(query: Query, select: Select): boolean {
  let found = false;
  visitQuery(query, {
    query: (inner) => {
      found ||= inner === select;
    },
  });
  return found;
}

function says(text: string, noun: string): boolean {
  const last = noun.split(' ').at(-1) ?? '';
  return noun === '' || text.toLowerCase().split(' ').includes(last.toLowerCase());
}
