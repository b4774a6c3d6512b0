import { soleKey } from '../../../sql/index.ts';
import {
  type Clauses,
  type Condition,
  type Groups,
  type Limit,
  type ListClauses,
  manyOf,
  oneOf,
  type Shown,
  type Sort,
  sameThing,
  signature,
  type Term,
  type Thing,
  visitNodes,
} from '../clauses/clause.ts';
import {
  holderOf,
  isMeasured,
  isThing,
  knownRows,
  measuresOf,
  perKeys,
  showsRank,
  toldOf,
} from '../clauses/lists.ts';
import { joinTexts, type NounPhrase, noun, pluralText, rankedPlural, singularText } from '../noun-phrase.ts';
import type { Realizer } from '../realizer.ts';
import { extreme, superlative } from '../relations.ts';
import { sortText } from '../terms.ts';
import { COUNTS, isPerson, listed, ORDINALS } from '../words/words.ts';

/** What is shown: the noun that the rest hangs on, and what comes with it. */
export interface Head {
  readonly lead: string;
  readonly rest: string;
}

/** What a list shows, of many rows or of its groups. */
export function headText(list: ListClauses, r: Realizer): Head {
  const once = list.over === null || !r.detail.order ? '' : `(once for each ${oneOf(list.over)})`;
  if (list.about === 'all') return { lead: measuresText(list.shown, r), rest: once };
  if (list.about === 'groups' && list.groups !== null && isMeasured(list))
    return groupedHead(list, list.groups, r);
  const { lead, rest } = rowsHead(list, r, true);
  const untold = list.groups?.untold ?? [];
  const per =
    untold.length === 0 || list.distinct ? '' : `(one per ${listed(untold.map((one) => keyText(one, r)))})`;
  return { lead, rest: joinTexts(rest, per) };
}

/** Numbers for each group: number of cities per district. */
function groupedHead(list: ListClauses, groups: Groups, r: Realizer): Head {
  const lead = measuresText(measuresOf(groups, list.shown), r.about(null));
  // What names a thing that the groups are is told beside it: per matter (with name).
  const isNamed = ({ owner }: Shown) => groups.untold.some((one) => isThing(one) && sameThing(one, owner));
  const named = groups.holders.filter(isNamed);
  const others = groups.holders.filter((one) => !isNamed(one));
  const holders = holderTexts({ ...groups, holders: others }, r);
  const untold = groups.untold.map((one) => keyText(one, r));
  const keys =
    groups.holders.length === 0 && untold.length === 0
      ? groups.keys.map((key) => singularText(r.about(null).noun(key)))
      : [];
  const per = listed([...new Set([...holders, ...untold, ...keys])]);
  const beside = companionsText({ ...groups, companions: [...named, ...groups.companions] }, r);
  return { lead, rest: joinTexts(per === '' ? '' : `per ${per}`, beside) };
}

/** What is shown of any row of a group. */
export function companionsText({ companions }: Groups, r: Realizer): string {
  const beside = companions.map((one) => singularText(r.about(null).noun(one.term)));
  return beside.length === 0 ? '' : `(with ${beside.length > 3 ? 'other details' : listed(beside)})`;
}

/** What groups are told by: of a name or a key only whose it is, and the keys that are of something else. */
export function holderTexts(groups: Groups, r: Realizer): readonly string[] {
  const named = holderOf(groups);
  const texts = groups.keys.map(signature);
  const others = toldOf(groups.holders).filter(
    (one) =>
      named === null ||
      (one !== named.holder &&
        !sameThing(one.owner, named.holder.owner) &&
        texts.includes(signature(one.term))),
  );
  return [
    ...(named === null ? [] : [oneOf(named.thing)]),
    ...others.map(({ term }) => singularText(r.about(null).noun(term))),
  ];
}

/** What a key of groups is. */
export function keyText(key: Thing | Term, r: Realizer): string {
  return isThing(key) ? oneOf(key) : singularText(r.about(null).noun(key));
}

/** Numbers about rows, with whose they are where they do not say it. */
export function measuresText(measures: readonly Shown[], r: Realizer, which = ''): string {
  const phrases = toldOf(measures).map(({ term }) => r.noun(which === '' ? term : ofAll(term)));
  if (phrases.length > 8)
    return `${listed(phrases.slice(0, 5).map(singularText))} and ${phrases.length - 5} more numbers`;
  const [first, ...others] = [...new Set(phrases.map(singularText))];
  const counted = measures[0]?.term.kind === 'count' ? measures[0].term.of : null;
  // number of fees and their total amount
  if (first !== undefined && others.length > 0 && counted !== null && isThing(counted)) {
    const theirs = phrases.slice(1).every((one) => sameThing(one.owner, counted));
    if (theirs) return `${first} and their ${listed(others)}`;
  }
  const text = listed([first ?? '', ...others]);
  const owner = phrases[0]?.owner ?? null;
  const all = owner !== null && phrases.every((one) => sameThing(one.owner, owner));
  return all && (which !== '' || !mentions(text, owner)) ? `${text} of ${which}${manyOf(owner)}` : text;
}

/** A number of rows, also as a part of others, of all there are: number of all films. */
function ofAll(term: Term): Term {
  if (term.kind === 'arithmetic') return { ...term, items: term.items.map(ofAll) };
  if (term.kind !== 'count' || term.distinct || !isThing(term.of)) return term;
  const [one, many] = [oneOf(term.of), `all ${manyOf(term.of)}`];
  return { ...term, of: { ...term.of, text: { one, many } } };
}

/** Whether a text holds what its rows are called. */
export function mentions(text: string, { one, many }: Thing): boolean {
  const said = text.toLowerCase().split(' ');
  return [one.at(-1), many.at(-1)].some((word) => word !== undefined && said.includes(word.toLowerCase()));
}

/** Rows by what they are known by, with what else is shown of them: film and its year. */
export function rowsHead(list: ListClauses, r: Realizer, many: boolean, article: 'a' | 'the' = 'a'): Head {
  const { shown, subject } = list;
  const rows = (thing: Thing) => (many ? manyOf(thing) : oneOf(thing));
  const known = knownRows(list);
  if (known !== null) {
    const { checks, plain } = checksApart(known.rest);
    const whether = r.detail.columns === 0 ? [] : checks.map(({ term }) => singularText(r.noun(term)));
    const columns = plain.map((one) => ownPhrase(one, r));
    const text = columnsText(columns, many, r) || (checks.length > whether.length ? DETAILS : '');
    const theirs = text === '' ? '' : `and ${many ? 'their' : possessive(list)} ${text}`;
    return { lead: rows(known.thing), rest: joinTexts(theirs, ...whether.map((one) => `and ${one}`)) };
  }
  const [only] = shown;
  // The years of groups of films are no single film's.
  const { about, groups } = list;
  const values =
    about === 'groups' && groups !== null && groups.companions.length === 0 && groups.untold.length === 0;
  const told = toldOf(shown);
  const apart = checksApart(told);
  const plain = apart.plain.length > 0 ? apart.plain : told;
  const phrases = plain.map((one) => (values ? r.about(null).noun(one.term) : ownPhrase(one, r)));
  if (phrases.length === 0) return { lead: subject === null ? 'fixed values' : rows(subject), rest: '' };
  const own = !values && subject !== null && phrases.some(({ owner }) => sameThing(owner, subject));
  const text = columnsText(phrases, many, r);
  const clear =
    subject === null ||
    subject.text !== undefined ||
    (text !== DETAILS &&
      (!own ||
        (shown.length === 1 && only?.role !== 'key' && mentions(text, subject)) ||
        saysWhose(phrases, subject)));
  const lead = clear ? text : joinTexts(text, 'of', many ? '' : article, rows(subject));
  const whether = plain === told ? [] : apart.checks.map(({ term }) => singularText(r.noun(term)));
  return { lead: [lead, ...whether].join(' and '), rest: '' };
}

/** Whether something holds is no property of rows: texts of rulings and whether the card has one. */
function checksApart(shown: readonly Shown[]) {
  const checks = shown.filter(({ term }) => term.kind === 'check');
  return { checks, plain: shown.filter((one) => !checks.includes(one)) };
}

/** Whose what is shown of one row is: its, of people their. */
function possessive({ shown, subject }: ListClauses): string {
  const label = shown.find(({ role }) => role === 'label');
  return (label?.columns.length ?? 0) > 1 || isPerson(label?.stands ?? subject) ? 'their' : 'its';
}

function saysWhose(phrases: readonly NounPhrase[], subject: Thing): boolean {
  return phrases.every((np) => mentions(singularText(np), subject));
}

/** What is shown of another thing than the rows are about says whose it is. */
function ownPhrase({ term, owner }: Shown, r: Realizer): NounPhrase {
  const np = r.noun(term);
  if (term.kind !== 'property' || sameThing(owner, r.subject) || owner === null || r.subject === null)
    return np;
  return { ...np, head: term.full.text.split(' '), owner: null };
}

/** More columns than there is room for. */
const DETAILS = 'details';

/** Columns as far as anybody reads on: titles, years and 40 more columns. */
function columnsText(phrases: readonly NounPhrase[], many: boolean, r: Realizer): string {
  const texts = [...new Set(phrases.map((np) => (many ? pluralText(np) : singularText(np))))];
  const most = r.detail.columns;
  if (texts.length <= most + 1) return listed(texts);
  if (most === 0) return DETAILS;
  return `${texts.slice(0, most).join(', ')} and ${texts.length - most} more columns`;
}

/**
 * A list as a summary tells it. Queries that are read are told by their conditions where that is all that they do;
 * what groups are told by is known; so is what ranks rows.
 */
export function summarised(list: ListClauses): ListClauses {
  const folded = list.read.reduce<ListClauses>(withRead, { ...list, read: [] });
  const ranks = folded.limit === null ? [] : folded.order.slice(0, 1).map(({ of }) => signature(of));
  const conditions = folded.conditions.filter(
    (one) =>
      !(one.kind === 'known' && !one.negated && ranks.includes(signature(one.of))) &&
      !(folded.read.length > 0 && isSameColumn(one)),
  );
  return withoutKnownKeys({ ...folded, conditions });
}

/** Whether a condition ties rows to those of a query that is read by a column that both have. */
function isSameColumn(one: Condition): boolean {
  if (one.kind !== 'compare' || one.relation !== 'equal') return false;
  const { of, to } = one;
  return of.kind === 'property' && to.kind === 'property' && of.base?.column === to.base?.column;
}

/** A list with a query that it reads; the query's conditions become the list's where nothing else of it matters. */
function withRead(list: ListClauses, inner: Clauses): ListClauses {
  const kept = { ...list, read: [...list.read, inner] };
  if (inner.kind !== 'list' || inner.limit !== null || list.padded.length > 0 || inner.padded.length > 0)
    return kept;
  const read = summarised(inner);
  if (read.about === 'all') return read.conditions.length > 0 || read.read.length > 0 ? kept : list;
  // A list of groups says itself what its numbers are per.
  const ofGroups = list.groups !== null && list.groups.keys.length === 0 && list.groups.holders.length > 0;
  const measures = read.groups === null ? [] : measuresOf(read.groups, read.shown).map(({ term }) => term);
  if (!ofGroups && usesAny(list, measures)) return kept;
  const merged = {
    ...list,
    conditions: [...list.conditions, ...read.conditions],
    read: [...list.read, ...read.read],
  };
  const plain = ![...list.conditions, ...read.conditions].some(holdsNumber);
  const once = read.distinct || (read.groups !== null && plain);
  if (!once || (list.about !== 'all' && !read.distinct)) return merged;
  // To count rows that are there once is to count different ones.
  const [only, ...others] = list.shown;
  const [own, ...more] = read.shown;
  const term = only?.term;
  if (only === undefined || others.length > 0 || own === undefined || more.length > 0) return kept;
  if (term?.kind !== 'count' || !('one' in term.of) || term.distinct || term.where !== null) return kept;
  const of = tells(own, term.of) ? term.of : own.term;
  return { ...merged, shown: [{ ...only, term: { ...term, of, distinct: true, known: null } }] };
}

/** Whether a column tells rows of a thing apart: its own key or name, or a reference to it. */
function tells({ role, owner, term }: Shown, thing: Thing): boolean {
  if (sameThing(owner, thing)) return role !== 'other';
  const base = term.kind === 'property' ? term.base : null;
  return base?.table.foreign_keys.some(({ columns }) => columns.join() === base.column.name) ?? false;
}

/** Whether a condition asks for a number of rows, so that it is one of groups. */
export function holdsNumber(condition: Condition): boolean {
  let found = false;
  visitNodes(condition, ({ kind }) => {
    found ||= kind === 'count' || kind === 'summary';
  });
  return found;
}

/** Whether a list shows any of some terms, ranks by them or compares them with anything but one value. */
function usesAny({ shown, order, conditions }: ListClauses, terms: readonly Term[]): boolean {
  const asked = new Set(terms.map(signature));
  const isPlain = (one: Condition) =>
    one.kind === 'compare' && /^(given|constant)$/.test(one.to.kind) && asked.has(signature(one.of));
  let found = false;
  const parts = [shown.map(({ term }) => term), order, conditions.filter((one) => !isPlain(one))];
  visitNodes(parts, (node) => {
    found ||= asked.has(signature(node));
  });
  return found;
}

/** Groups by what is known count what is known of them. */
function withoutKnownKeys(list: ListClauses): ListClauses {
  const keys = new Set(list.groups?.keys.map(signature));
  if (keys.size === 0) return list;
  const plain = (term: Term): Term =>
    term.kind === 'count' && term.known !== null && keys.has(signature(term.known.of))
      ? { ...term, known: null }
      : term;
  return {
    ...list,
    shown: list.shown.map((one) => ({ ...one, term: plain(one.term) })),
    order: list.order.map((one) => ({ ...one, of: plain(one.of) })),
    conditions: list.conditions.map((one) => (one.kind === 'compare' ? { ...one, of: plain(one.of) } : one)),
  };
}

/** Whether a list is the one row that another query finds: the post of the comment with the highest score. */
export function isOneRow({ about, groups, limit, conditions, subject }: ListClauses): boolean {
  const isKey = (one: Condition) => {
    if (one.kind !== 'first' || !one.tied || one.itself || one.of.kind !== 'property') return false;
    const { base, owner } = one.of;
    return base !== null && soleKey(base.table) === base.column && sameThing(owner, subject);
  };
  return about === 'rows' && groups === null && limit === null && conditions.some(isKey);
}

/** Whether numbers that a list shows have conditions of their own; `several` where these are not one share or count. */
export function limitsOfNumbers({ about, groups, shown }: ListClauses): 'one' | 'several' | null {
  if (about === 'rows') return null;
  const numbers = groups === null ? shown : measuresOf(groups, shown);
  const limited = numbers.filter(({ term }) => holdsLimits(term));
  const [only, ...others] = numbers;
  if (limited.length === 0 || only === undefined) return null;
  const { term } = only;
  const alone = others.length === 0 && groups === null;
  return alone && (term.kind === 'share' || term.kind === 'count') ? 'one' : 'several';
}

function holdsLimits(term: Term): boolean {
  let found = false;
  visitNodes(term, ({ kind, where }) => {
    found ||= (kind === 'share' || kind === 'count' || kind === 'summary') && where !== null;
  });
  return found;
}

/** Whether a list is the one row that ranks first, or second, of others. */
export function rankedOne({ limit, order, about }: ListClauses): boolean {
  return (
    about !== 'all' &&
    limit?.rows === 1 &&
    order.length > 0 &&
    limit.skipped !== null &&
    limit.skipped < ORDINALS.length
  );
}

/**
 * Rows that ORDER BY and LIMIT leave, as sentence parts: film with the highest score for a given year; its title.
 * `limits` says which rows, and is asked where that is said.
 */
export function rankedText(
  list: ListClauses,
  by: Sort,
  limit: Limit,
  r: Realizer,
  limits: () => string,
): readonly string[] {
  const distinct = list.distinct ? 'distinct' : '';
  const itself = showsRank(list, by);
  const groups = rankedGroups(list, by, r);
  if (rankedOne(list)) {
    const skipped = limit.skipped ?? 0;
    if (itself) {
      const np = r.noun(by.of);
      const whose = np.owner === null || mentions(singularText(np), np.owner) ? '' : `of ${manyOf(np.owner)}`;
      const which = joinTexts(extremeWord(by, np, skipped), skipped > 0 ? distinct : '');
      return [joinTexts(which, singularText(np), whose, perText(list, r), limits())];
    }
    const head = groups ?? rankedHead(list, by, r);
    return [
      joinTexts(distinct, head.lead, untoldText(list, r), bestText(by, skipped, r), limits()),
      head.rest,
    ];
  }
  const many = groups === null ? headText(list, r) : { lead: groups.many, rest: '' };
  const what = joinTexts(many.lead, many.rest);
  const more = groups?.rest ?? '';
  if (limit.skipped !== 0) {
    const sorted = `sorted by ${sortText(by, r)}`;
    return [joinTexts(distinct, what, limits()), more, sorted, cutText(limit, r)];
  }
  const count = countText(limit, r);
  const np = r.noun(by.of);
  if (np.scale === 'text') {
    const place = by.direction === 'asc' ? 'first' : 'last';
    const key = `by ${singularText(np)}`;
    return typeof limit.rows === 'number'
      ? [joinTexts(place, count, distinct, what, limits(), key), more]
      : [joinTexts(count, distinct, what, limits()), more, `${place} ${key}`];
  }
  if (itself) return [joinTexts(count, extremeWord(by, np, 0), distinct, what, limits())];
  return [joinTexts(count, distinct, what, bestText(by, 0, r), limits()), more];
}

/** What the one row or group that ranks first shows, where no group is named for it. */
function rankedHead(list: ListClauses, by: Sort, r: Realizer): Head {
  const { groups, shown } = list;
  if (list.about === 'groups' && groups !== null) {
    if (isMeasured(list)) {
      // To rank groups by what they are told by is to choose one: the number of clients with the highest rate.
      const [key, ...others] = groups.keys;
      const chosen = key !== undefined && others.length === 0 && signature(key) === signature(by.of);
      if (chosen && groups.holders.length === 0 && groups.companions.length === 0) {
        const among = limitsOfNumbers(list) === null ? '' : 'among those';
        return { lead: joinTexts(measuresText(measuresOf(groups, shown), r.about(null)), among), rest: '' };
      }
      const { lead, rest } = headText(list, r);
      return { lead: joinTexts(lead, rest), rest: '' };
    }
    const holders = groups.untold.length > 0 || groups.companions.length === 0 ? [] : holderTexts(groups, r);
    if (holders.length > 0) return { lead: joinTexts(listed(holders), companionsText(groups, r)), rest: '' };
  }
  const some = (groups?.untold.length ?? 0) > 0;
  return rowsHead(list, r, false, some ? 'a' : 'the');
}

function untoldText(list: ListClauses, r: Realizer): string {
  if (list.about === 'groups' && isMeasured(list)) return '';
  const untold = list.groups?.untold ?? [];
  return untold.length === 0 ? '' : `of the ${listed(untold.map((one) => keyText(one, r)))}`;
}

function perText(list: ListClauses, r: Realizer): string {
  const keys = perKeys(list);
  return keys.length === 0 ? '' : `per ${listed(keys.map((one) => keyText(one, r)))}`;
}

/** The groups, when they are ranked by a number: the district with the most cities, with its population. */
function rankedGroups(list: ListClauses, by: Sort, r: Realizer): (Head & { readonly many: string }) | null {
  const { groups } = list;
  if (groups === null || !isMeasured(list) || groups.companions.length > 0) return null;
  const one = holderTexts(groups, r);
  if (one.length === 0 || groups.untold.length > 0) return null;
  const named = holderOf(groups);
  const many =
    named !== null
      ? manyOf(named.thing)
      : listed(groups.holders.map(({ term }) => pluralText(r.about(null).noun(term))));
  const measures = measuresOf(groups, list.shown);
  const others = measures.filter(({ term }) => signature(term) !== signature(by.of));
  const same = measures.length > others.length;
  const more = listed([...(same ? ['that number'] : []), ...(others.length > 0 ? ['further numbers'] : [])]);
  return {
    lead: listed(one),
    many,
    rest: more === '' ? '' : `with ${more}`,
  };
}

/** with the highest score, with the second most films, that comes first by title */
function bestText(by: Sort, skipped: number, r: Realizer): string {
  const np = r.noun(by.of);
  const nth = skipped === 0 ? '' : (ORDINALS[skipped] ?? '');
  const counted = rankedPlural(np);
  if (np.scale === 'text')
    return `that comes ${joinTexts(nth, superlative('text', by.direction))} by ${singularText(np)}`;
  if (counted !== null) return `with the ${joinTexts(nth, superlative('count', by.direction), counted)}`;
  return `with the ${joinTexts(nth, extremeWord(by, np, 0), singularText(np))}`;
}

/** highest, also of a number of things; nothing where the phrase says it itself. */
function extremeWord({ direction }: Sort, np: NounPhrase, skipped: number): string {
  const word = extreme(np.scale, direction);
  const nth = skipped === 0 ? '' : (ORDINALS[skipped] ?? '');
  return joinTexts(nth, np.lead === word ? '' : word);
}

/** How many rows come first: three, a given number of. */
export function countText({ rows }: Limit, r: Realizer): string {
  if (rows === null) return 'a computed number of';
  if (typeof rows === 'number') return COUNTS[rows] ?? String(rows);
  return r.style === 'summary' ? 'a given number of' : r.given(rows, noun('number of rows'), 'value');
}

/** Whether a value is that of a query that reads no table. */
function isFixed(of: Term): boolean {
  return of.kind === 'query' && of.query.kind === 'fixed';
}

/** How many rows are left of all: at most three; places 11 to 20; '' when none are cut off. */
export function cutText(limit: Limit | null, r: Realizer): string {
  if (limit === null) return '';
  const { rows, skipped, computed } = limit;
  const asMany = (of: Term | null | undefined, things: string) =>
    of && !isFixed(of)
      ? `as many ${things} as (${singularText(r.about(null).noun(of))})`
      : `a computed number of ${things}`;
  if (typeof rows === 'number' && skipped !== null && skipped > 0) {
    return rows === 1 ? `place ${skipped + 1} only` : `places ${skipped + 1} to ${skipped + rows}`;
  }
  const count =
    rows === null
      ? asMany(computed?.rows, 'rows')
      : typeof rows === 'number'
        ? rows === 1
          ? 'one row only'
          : `at most ${COUNTS[rows] ?? rows} rows`
        : r.style === 'summary'
          ? 'at most a given number of rows'
          : `at most ${r.given(rows, noun('number of rows'), 'value')} rows`;
  return skipped === 0
    ? count
    : `${count}, after ${skipped === null ? asMany(computed?.skipped, 'others') : `${skipped} others`}`;
}
