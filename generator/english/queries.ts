import type {
  Clauses,
  CombinedClauses,
  Groups,
  Limit,
  ListClauses,
  Shown,
  Sort,
  Term,
  Thing,
} from './clauses/clause.ts';
import { signature } from './clauses/conditions.ts';
import { paddedText, whoseText } from './conditions/subqueries.ts';
import {
  joinTexts,
  manyOf,
  type NounPhrase,
  noun,
  oneOf,
  pluralText,
  sameThing,
  singularText,
  theText,
} from './noun-phrase.ts';
import type { Realizer } from './realizer.ts';
import { SUPERLATIVES } from './relations.ts';
import { sortText } from './terms.ts';
import { listed } from './words/word-lists.ts';

/** A query as a noun phrase with no article: films for a given year; film with the highest score. */
export function queryText(clauses: Clauses, r: Realizer, one = false): string {
  switch (clauses.kind) {
    case 'fixed':
      return 'fixed values';
    case 'combined':
      return combinedText(clauses, r);
    case 'list':
      return listText(clauses, r, one);
  }
}

/** Whether what is said of a query takes "the": the one, or a fixed number, that rank first. */
export function takesThe(clauses: Clauses): boolean {
  if (clauses.kind === 'combined') return takesThe(clauses.left);
  if (clauses.kind !== 'list' || clauses.about === 'all' || clauses.order.length === 0) return false;
  return rankedOne(clauses) || (typeof clauses.limit?.rows === 'number' && clauses.limit.skipped === 0);
}

function rankedOne({ limit, order, about }: ListClauses): boolean {
  return (
    about !== 'all' &&
    limit?.rows === 1 &&
    order.length > 0 &&
    limit.skipped !== null &&
    limit.skipped < ORDINALS.length
  );
}

// ------------------------------------------------------------------------------------------------ lists

function listText(list: ListClauses, r: Realizer, one: boolean): string {
  const adjuncts = joinTexts(
    whoseText(list),
    r.adjuncts(toldConditions(list, r), list.subject, rankedOne(list) ? 'one' : 'for'),
  );
  const told = list.read.filter((inner) => r.style === 'description' || !isPlainRead(inner));
  const read = told.length === 0 ? '' : `from ${listed(told.map((inner) => theText(readText(inner, r))))}`;
  const [by] = list.order;
  if (by !== undefined && list.limit !== null && list.about !== 'all') {
    return joinedSentence(rankedText(list, by, list.limit, r, joinTexts(adjuncts, read)));
  }
  const single = one && list.about === 'rows' && list.groups === null;
  const only = single ? rowsHead(list, r, false) : null;
  const overall = one && list.about === 'all' && isWhole(list);
  const head = overall
    ? { lead: measuresText(list.shown, list.subject, r, 'all '), rest: '' }
    : only === null
      ? headText(list, r)
      : { ...only, lead: sayOne(only.lead, list.subject) };
  const distinct = list.distinct && !single && list.about !== 'all' ? 'distinct' : '';
  const cut = list.about === 'all' ? '' : cutText(list.limit, r);
  const order =
    list.order.length > 0 && list.about !== 'all' && r.detail.order
      ? `sorted by ${sortText(list.order[0] as Sort, list.subject, r)}`
      : '';
  const padded = r.style === 'description' ? paddedText(list, r) : '';
  const [, ...others] = list.crossed.map(oneOf);
  const crossed = others.length === 0 || r.style === 'description' ? '' : `each with every ${listed(others)}`;
  const what = joinTexts(distinct, head.lead, head.rest, adjuncts, read);
  return joinedSentence([what, crossed, padded, order, cut]);
}

/** The conditions of a list; that what ranks rows is known goes without saying in a summary. */
function toldConditions({ conditions, order, limit }: ListClauses, r: Realizer): ListClauses['conditions'] {
  if (r.style === 'description' || limit === null) return conditions;
  const ranks = order.slice(0, 1).map(({ of }) => signature(of));
  return conditions.filter(
    (one) => !(one.kind === 'known' && !one.negated && ranks.includes(signature(one.of))),
  );
}

/** A query that is read: what it groups by is there once. */
export function readText(inner: Clauses, r: Realizer): string {
  const once =
    inner.kind === 'list' &&
    inner.groups !== null &&
    inner.about !== 'all' &&
    !inner.distinct &&
    inner.limit === null &&
    inner.groups.untold.length === 0 &&
    !isMeasured(inner);
  return joinTexts(once ? 'distinct' : '', r.query(inner));
}

/** Whether a query that is read has a row for each row of its tables, so that to read it changes nothing. */
function isPlainRead(inner: Clauses): boolean {
  return (
    inner.kind === 'list' &&
    inner.about === 'rows' &&
    inner.groups === null &&
    !inner.distinct &&
    inner.limit === null &&
    inner.grain.length === 0 &&
    isWhole(inner)
  );
}

function joinedSentence(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(', ');
}

/** What is shown: the noun that the rest hangs on, and what comes with it. */
interface Head {
  readonly lead: string;
  readonly rest: string;
}

function headText(list: ListClauses, r: Realizer): Head {
  const once = list.over === null || !r.detail.order ? '' : `(once for each ${oneOf(list.over)})`;
  if (list.about === 'all') return { lead: measuresText(list.shown, list.subject, r), rest: once };
  if (list.about === 'groups' && list.groups !== null && isMeasured(list))
    return groupedHead(list, list.groups, r);
  const { lead, rest } = rowsHead(list, r, true);
  const untold = list.groups?.untold ?? [];
  const per =
    untold.length === 0 || list.distinct ? '' : `(one per ${listed(untold.map((one) => keyText(one, r)))})`;
  return { lead, rest: joinTexts(rest === '' ? '' : `and their ${rest}`, per) };
}

/** Whether numbers about groups are shown, not only what the groups are told by. */
function isMeasured({ groups, shown }: ListClauses): boolean {
  if (groups === null) return false;
  return measuresOf(groups, shown).length > 0;
}

function measuresOf(groups: NonNullable<ListClauses['groups']>, shown: readonly Shown[]): readonly Shown[] {
  const keys = [...groups.holders, ...groups.companions].flatMap(({ columns }) => columns);
  return shown.filter(
    ({ columns, term }) => !columns.every((column) => keys.includes(column)) && !isLabel(term),
  );
}

/** A text that only says what a row is, fixed in the query. */
function isLabel(term: Term): boolean {
  return term.kind === 'constant';
}

/** Numbers for each group: number of cities per district. */
function groupedHead(list: ListClauses, groups: NonNullable<ListClauses['groups']>, r: Realizer): Head {
  const measures = measuresOf(groups, list.shown);
  const holders = holderTexts(groups, r);
  const untold = groups.untold.map((one) => keyText(one, r));
  const keys =
    groups.holders.length === 0 && untold.length === 0
      ? groups.keys.map((key) => singularText(r.noun(key, null)))
      : [];
  const per = listed([...new Set([...holders, ...untold, ...keys])]);
  const beside = groups.companions.map((one) => singularText(r.noun(one.term, null)));
  const others = beside.length === 0 ? '' : `(with ${beside.length > 3 ? 'other details' : listed(beside)})`;
  return { lead: measuresText(measures, null, r), rest: joinTexts(per === '' ? '' : `per ${per}`, others) };
}

/** What groups are told by: of a name or a key only whose it is, and the keys that are of something else. */
export function holderTexts({ holders, keys }: Groups, r: Realizer): readonly string[] {
  const label = holders.find(({ role, stands }) => role === 'label' && stands !== null);
  const named = label ?? holders.find(({ role, owner }) => role === 'key' && owner !== null);
  const thing = label?.stands ?? named?.owner ?? null;
  const texts = keys.map(signature);
  const others = holders.filter(
    (one) =>
      one !== named &&
      !isLabel(one.term) &&
      (thing === null ||
        (!sameThing(one.owner, named?.owner ?? null) && texts.includes(signature(one.term)))),
  );
  return [
    ...(thing === null ? [] : [oneOf(thing)]),
    ...others.map(({ term }) => singularText(r.noun(term, null))),
  ];
}

function keyText(key: Thing | Term, r: Realizer): string {
  return 'kind' in key ? singularText(r.noun(key, null)) : oneOf(key);
}

/** Numbers about rows, with whose they are where they do not say it. */
function measuresText(measures: readonly Shown[], subject: Thing | null, r: Realizer, which = ''): string {
  const phrases = measures.filter(({ term }) => !isLabel(term)).map(({ term }) => r.noun(term, subject));
  if (phrases.length > 8)
    return `${listed(phrases.slice(0, 5).map(singularText))} and ${phrases.length - 5} more numbers`;
  const text = listed([...new Set(phrases.map(singularText))]);
  const owner = phrases[0]?.owner ?? null;
  const all = owner !== null && phrases.every((one) => sameThing(one.owner, owner));
  return all && !mentions(text, owner) ? `${text} of ${which}${manyOf(owner)}` : text;
}

/** Whether a query goes over all rows there are. */
function isWhole({ conditions, whose, read, over }: ListClauses): boolean {
  return conditions.length === 0 && whose.length === 0 && read.length === 0 && over === null;
}

function mentions(text: string, { one, many }: Thing): boolean {
  const said = text.toLowerCase().split(' ');
  return [one.at(-1), many.at(-1)].some((word) => word !== undefined && said.includes(word.toLowerCase()));
}

/** Rows by what they are known by, with what else is shown of them. */
function rowsHead(list: ListClauses, r: Realizer, plural: boolean): Head {
  const { shown, subject } = list;
  const label = shown.find(
    (one) => one.role === 'label' && one.stands !== null && sameThing(one.owner, subject),
  );
  if (label?.stands) {
    const rest = shown.filter(
      (one) => one !== label && !(one.role === 'key' && sameThing(one.owner, subject)) && !isLabel(one.term),
    );
    return {
      lead: plural ? manyOf(label.stands) : oneOf(label.stands),
      rest: columnsText(
        rest.map((one) => ownPhrase(one, subject, r)),
        plural,
        r,
      ),
    };
  }
  const [only] = shown;
  // The years of groups of films are no single film's.
  const { about, groups } = list;
  const values =
    about === 'groups' && groups !== null && groups.companions.length === 0 && groups.untold.length === 0;
  const phrases = shown
    .filter(({ term }) => !isLabel(term))
    .map((one) => (values ? r.noun(one.term, null) : ownPhrase(one, subject, r)));
  if (phrases.length === 0)
    return { lead: subject === null ? 'fixed values' : plural ? manyOf(subject) : oneOf(subject), rest: '' };
  const own = !values && subject !== null && phrases.some(({ owner }) => sameThing(owner, subject));
  const text = columnsText(phrases, plural, r);
  const clear =
    subject === null ||
    subject.text !== undefined ||
    !own ||
    (shown.length === 1 && only?.role !== 'key' && mentions(text, subject)) ||
    saysWhose(phrases, subject);
  return { lead: clear ? text : `${text} of ${plural ? manyOf(subject) : `a ${oneOf(subject)}`}`, rest: '' };
}

function saysWhose(phrases: readonly NounPhrase[], subject: Thing): boolean {
  return phrases.every((np) => mentions(singularText(np), subject));
}

/** What is shown of another thing than the rows are about says whose it is. */
function ownPhrase({ term, owner }: Shown, subject: Thing | null, r: Realizer): NounPhrase {
  const np = r.noun(term, subject);
  if (term.kind !== 'property' || sameThing(owner, subject) || owner === null || subject === null) return np;
  return { ...np, head: term.full.text.split(' '), owner: null };
}

/** Columns as far as anybody reads on: titles, years and 40 more columns. */
function columnsText(phrases: readonly NounPhrase[], plural: boolean, r: Realizer): string {
  const texts = [...new Set(phrases.map((np) => (plural ? pluralText(np) : singularText(np))))];
  const most = r.detail.columns;
  if (texts.length <= most + 1) return listed(texts);
  if (most === 0) return 'details';
  return `${texts.slice(0, most).join(', ')} and ${texts.length - most} more columns`;
}

// ---------------------------------------------------------------------------------------------- ranking

const COUNTS =
  'no one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  );
const ORDINALS = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ');

/** Rows that ORDER BY and LIMIT leave, as sentence parts: film with the highest score; its year. */
function rankedText(
  list: ListClauses,
  by: Sort,
  limit: Limit,
  r: Realizer,
  adjuncts: string,
): readonly string[] {
  const groups = rankedGroups(list, by, r);
  const measure = groups === null && list.about === 'groups' && isMeasured(list);
  const [only, ...others] = list.shown.filter(({ term }) => !isLabel(term));
  const itself = only !== undefined && others.length === 0 && signature(only.term) === signature(by.of);
  const distinct = list.distinct ? 'distinct' : '';
  if (limit.rows === 1 && rankedOne(list)) {
    const best = bestText(by, limit.skipped ?? 0, list.subject, r);
    if (itself) {
      const np = r.noun(by.of, list.subject);
      const whose =
        np.owner === null ? perText(list, r) : joinTexts(`of ${manyOf(np.owner)}`, perText(list, r));
      return [
        joinTexts(
          extremeWord(by, np, limit.skipped ?? 0),
          singularText(np),
          mentionsOwner(np) ? perText(list, r) : whose,
          adjuncts,
        ),
      ];
    }
    const head =
      groups ??
      (measure
        ? { lead: joinTexts(headText(list, r).lead, headText(list, r).rest), rest: '' }
        : rowsHead(list, r, false));
    const some = (list.groups?.untold.length ?? 0) > 0;
    const lead = some ? head.lead : sayOne(head.lead, list.subject);
    const person = list.shown.some(({ role, columns }) => role === 'label' && columns.length > 1);
    const rest = head.rest === '' ? '' : `and ${person ? 'their' : 'its'} ${head.rest}`;
    return [
      joinTexts(distinct, lead, untoldText(list, r), best, adjuncts),
      groups === null ? rest : groups.rest === '' ? '' : `with ${groups.rest}`,
    ];
  }
  const many = groups === null ? headText(list, r) : { lead: groups.many, rest: '' };
  const what = joinTexts(many.lead, many.rest);
  const more = groups === null || groups.rest === '' ? '' : `with ${groups.rest}`;
  const count = countText(limit, r);
  if (limit.skipped !== 0)
    return [
      joinTexts(distinct, what, adjuncts),
      more,
      `sorted by ${sortText(by, list.subject, r)}`,
      cutText(limit, r),
    ];
  if (r.noun(by.of, list.subject).scale === 'text') {
    const place = by.direction === 'asc' ? 'first' : 'last';
    const key = `by ${singularText(r.noun(by.of, list.subject))}`;
    if (typeof limit.rows !== 'number')
      return [joinTexts(count, distinct, what, adjuncts), more, `${place} ${key}`];
    return [joinTexts(place, COUNTS[limit.rows] ?? String(limit.rows), distinct, what, adjuncts, key), more];
  }
  if (itself)
    return [joinTexts(count, extremeWord(by, r.noun(by.of, list.subject), 0), distinct, what, adjuncts)];
  return [joinTexts(count, distinct, what, bestText(by, 0, list.subject, r), adjuncts), more];

  function mentionsOwner(np: NounPhrase): boolean {
    return np.owner !== null && mentions(singularText(np), np.owner);
  }
}

function untoldText(list: ListClauses, r: Realizer): string {
  if (list.about === 'groups' && isMeasured(list)) return '';
  const untold = list.groups?.untold ?? [];
  return untold.length === 0 ? '' : `of the ${listed(untold.map((one) => keyText(one, r)))}`;
}

function perText({ groups, about }: ListClauses, r: Realizer): string {
  if (groups === null || about !== 'groups') return '';
  const keys = groups.untold.length > 0 ? groups.untold : groups.keys;
  return keys.length === 0 ? '' : `per ${listed(keys.map((one) => keyText(one, r)))}`;
}

/** title of a film → title of the film */
function sayOne(lead: string, subject: Thing | null): string {
  if (subject === null) return lead;
  const end = ` of a ${oneOf(subject)}`;
  return lead.endsWith(end) ? `${lead.slice(0, -end.length)} of the ${oneOf(subject)}` : lead;
}

/** The groups, when they are ranked by a number: the district with the most cities, with its population. */
function rankedGroups(list: ListClauses, by: Sort, r: Realizer): (Head & { readonly many: string }) | null {
  const { groups } = list;
  if (groups === null || !isMeasured(list) || groups.companions.length > 0) return null;
  const one = holderTexts(groups, r);
  if (one.length === 0 || groups.untold.length > 0) return null;
  const label = groups.holders.find(({ role, stands }) => role === 'label' && stands !== null)?.stands;
  const key = groups.holders.find(({ role, owner }) => role === 'key' && owner !== null)?.owner;
  const thing = label ?? key ?? null;
  const many =
    thing !== null ? manyOf(thing) : listed(groups.holders.map(({ term }) => pluralText(r.noun(term, null))));
  const others = measuresOf(groups, list.shown).filter(({ term }) => signature(term) !== signature(by.of));
  const same = measuresOf(groups, list.shown).length > others.length;
  return {
    lead: listed(one),
    many,
    rest: listed([...(same ? ['that number'] : []), ...(others.length > 0 ? ['further numbers'] : [])]),
  };
}

/** with the highest score, with the second most films, that comes first by title */
function bestText(by: Sort, skipped: number, subject: Thing | null, r: Realizer): string {
  const np = r.noun(by.of, subject);
  const nth = skipped === 0 ? '' : (ORDINALS[skipped] ?? '');
  const word = SUPERLATIVES[np.scale][by.direction === 'asc' ? 0 : 1];
  if (np.scale === 'text') return `that comes ${joinTexts(nth, word)} by ${singularText(np)}`;
  if (np.counted !== null && np.lead === '') return `with the ${joinTexts(nth, word, np.counted)}`;
  return `with the ${joinTexts(nth, extremeWord(by, np, 0), singularText(np))}`;
}

/** highest, also of a number of things; nothing where the phrase says it itself. */
function extremeWord({ direction }: Sort, np: NounPhrase, skipped: number): string {
  const scale = np.scale === 'count' ? 'number' : np.scale;
  const word = SUPERLATIVES[scale][direction === 'asc' ? 0 : 1];
  const nth = skipped === 0 ? '' : (ORDINALS[skipped] ?? '');
  return joinTexts(nth, np.lead === word ? '' : word);
}

function countText({ rows }: Limit, r: Realizer): string {
  if (rows === null) return 'first';
  if (typeof rows === 'number') return COUNTS[rows] ?? String(rows);
  return r.style === 'summary' ? 'a given number of' : r.given(rows, noun('number of rows'), 'value');
}

/** How many rows are left of all: at most three; places 11 to 20; '' when none are cut off. */
export function cutText(limit: Limit | null, r: Realizer): string {
  if (limit === null) return '';
  const { rows, skipped } = limit;
  if (typeof rows === 'number' && skipped !== null && skipped > 0) {
    return rows === 1 ? `place ${skipped + 1} only` : `places ${skipped + 1} to ${skipped + rows}`;
  }
  const count =
    rows === null
      ? 'a computed number of rows'
      : typeof rows === 'number'
        ? rows === 1
          ? 'one row only'
          : `at most ${COUNTS[rows] ?? rows} rows`
        : r.style === 'summary'
          ? 'at most a given number of rows'
          : `at most ${r.given(rows, noun('number of rows'), 'value')} rows`;
  return skipped === 0
    ? count
    : `${count}, after ${skipped === null ? 'a computed number of' : skipped} others`;
}

// ------------------------------------------------------------------------------------------ combinations

/** How the rows of a second query change those of the first. */
const COMBINED = {
  union: ', together with ',
  union_all: ', together with ',
  intersect: ' that are also among ',
  except: ', except ',
} as const;

function combinedText({ op, recursive, left, right, order, limit }: CombinedClauses, r: Realizer): string {
  const first = r.query(left);
  const second = rightText(left, right, r);
  const the = op === 'intersect' && !second.startsWith('those ') ? 'the ' : '';
  const text = recursive
    ? `${first}${recursionText(left, right, r)}`
    : `${first}${COMBINED[op]}${the}${second}`;
  const [by] = order;
  const subject = left.kind === 'list' ? left.subject : null;
  const sorted =
    by === undefined || !(r.detail.order || limit !== null) ? '' : `sorted by ${sortText(by, subject, r)}`;
  return [text, sorted, cutText(limit, r)].filter((part) => part !== '').join(', ');
}

/** What a recursive query adds in each round: and in turn those whose parent ID is one of them. */
function recursionText(left: Clauses, right: Clauses, r: Realizer): string {
  const conditions = right.kind === 'list' ? right.conditions : [];
  const links = conditions.flatMap((one) =>
    one.kind === 'compare' &&
    one.relation === 'equal' &&
    one.to.kind === 'property' &&
    one.of.kind === 'property'
      ? [one]
      : [],
  );
  const [link, ...others] = links;
  if (link === undefined || others.length > 0 || right.kind !== 'list')
    return `, then again and again ${rightText(left, right, r)}`;
  const rest = r.adjuncts(
    conditions.filter((one) => one !== link),
    right.subject,
  );
  const shown = left.kind === 'list' ? left.columns.map(signature) : [];
  const [of, to] = shown.includes(signature(link.of)) ? [link.to, link.of] : [link.of, link.to];
  return `, and in turn those whose ${joinTexts(singularText(r.noun(of, right.subject)), `is the ${singularText(r.noun(to, right.subject))} of one of them`, rest)}`;
}

/** The second query, as "those" where it shows the same of the same rows. */
function rightText(left: Clauses, right: Clauses, r: Realizer): string {
  const plain = (one: Clauses) =>
    one.kind === 'list' && one.limit === null && one.read.length === 0 && one.groups === null;
  if (left.kind === 'list' && right.kind === 'list' && plain(left) && plain(right)) {
    const same =
      JSON.stringify(headText(left, r)) === JSON.stringify(headText(right, r)) && left.about === 'rows';
    const adjuncts = same ? r.adjuncts(right.conditions, right.subject) : '';
    if (adjuncts !== '') return `those ${adjuncts}`;
  }
  return r.query(right);
}
