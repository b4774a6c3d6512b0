import { arePartners, ownerWithin } from './adjuncts.ts';
import {
  type Clauses,
  type CombinedClauses,
  type Condition,
  type ListClauses,
  manyOf,
  oneOf,
  ownerText,
  type Shown,
  sameThing,
  signature,
  type Term,
  type Thing,
  visitNodes,
} from './clause.ts';
import { paddedText, whoseText } from './condition-text.ts';
import { hasUniqueValues } from './joins.ts';
import {
  BARE_LIST,
  isMeasured,
  isThing,
  leftmostList,
  measuresOf,
  namedGroup,
  withoutConstants,
} from './lists.ts';
import { joinTexts, pluralText, presentNoun, singularText, theText } from './noun-phrase.ts';
import { refersTo } from './predicates.ts';
import {
  cutText,
  type Head,
  headText,
  holdsNumber,
  isKeyOf,
  isOfValues,
  isOneRow,
  limitsOfNumbers,
  measuredThing,
  measuresText,
  mentions,
  rankedOne,
  rankedText,
  rowsHead,
  summarised,
  superlativeOf,
  termThing,
} from './ranking.ts';
import type { Realizer } from './realizer.ts';
import { isOfSubject, ownNoun, sortText } from './terms.ts';
import { endsWith, isPerson, listed } from './words.ts';

/** A query as a noun phrase without an article: films for a given year; film with the highest score. */
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

/** Whether a query's phrase takes "the": the row, or a fixed number of rows, that rank first. */
export function takesThe(clauses: Clauses): boolean {
  if (clauses.kind === 'combined') return takesThe(clauses.left);
  if (clauses.kind !== 'list' || clauses.about === 'all') return false;
  if (clauses.order.length === 0) return isOneRow(clauses);
  return rankedOne(clauses) || (typeof clauses.limit?.rows === 'number' && clauses.limit.skipped === 0);
}

/** Rows, or numbers about them. */
function listText(whole: ListClauses, realizer: Realizer, one: boolean): string {
  const r = realizer.about(whole.subject);
  const all = r.style === 'description' ? whole : summarised(whole);
  const apart = realizer.subject === null ? lookedUp(all, r) : [];
  const list =
    apart.length === 0 ? all : { ...all, shown: all.shown.filter((each) => !apart.includes(each)) };
  const beside = () => (apart.length === 0 ? '' : lookedUpText(apart, list, r));
  const recorded = r.style === 'summary' ? shownValue(list) : null;
  const subject = numbersThing(all) ?? list.subject;
  const limits = (about: Thing | null = subject, isRow = true) => {
    const thing = groupThing(list);
    const theirs = about === subject || list.whose.length + list.read.length > 0 ? [] : groupConditions(list);
    if (thing !== null && theirs.length > 0 && theirs.length === list.conditions.length)
      return joinTexts('among', manyOf(thing), r.about(thing).adjuncts(theirs));
    return limitsText(
      // The highest score of films of a given type, but the film with the highest score among those of a given type.
      {
        ...list,
        limit: isRow ? list.limit : null,
        conditions: list.conditions.filter((one) => one !== recorded),
      },
      r.about(about),
    );
  };
  const averaged = r.style === 'description' ? null : averagedCounts(list);
  if (averaged !== null) return `average ${r.query(averaged)}`;
  const counted = r.style === 'summary' ? countedRows(list) : null;
  if (counted !== null) return `number of ${r.query(counted)}`;
  const [by] = list.order;
  if (by !== undefined && list.limit !== null && list.about !== 'all') {
    return joinedSentence([...rankedText(list, by, list.limit, r, limits), beside()]);
  }
  const single = (one || isOneRow(list)) && list.about === 'rows' && list.groups === null;
  const overall = one && list.about === 'all' && isWhole(list);
  const grouped = list.about === 'groups' && list.groups !== null && isMeasured(list);
  const byGroup = grouped && r.style === 'summary' ? groupConditions(list) : [];
  const byKey = grouped && r.style === 'summary' ? givenKeys(list) : [];
  const limited =
    list.conditions.some((one) => one !== recorded) || list.whose.length > 0 || list.read.length > 0;
  const head = overall
    ? { lead: measuresText(list.shown, r, 'all '), rest: wholeText(list) }
    : single
      ? rowsHead(list, r, { many: false, article: 'the', limited })
      : headText(list, r, {
          limited,
          ofGroups: r.about(groupThing(list)).adjuncts(byGroup, 'one'),
          given: byKey.flatMap((one) => ('of' in one ? [signature(one.of)] : [])),
        });
  const distinct = joinTexts(
    (list.distinct || (isOfValues(list) && r.style === 'summary')) && !single && list.about !== 'all'
      ? 'distinct'
      : '',
    recorded === null ? '' : 'recorded',
  );
  const lead = joinTexts(distinct, head.lead, head.rest);
  const rows = {
    ...list,
    conditions: list.conditions.filter((one) => !byGroup.includes(one) && !byKey.includes(one)),
  };
  const limitedText = grouped
    ? groupedText(rows, distinct, head, r, realizer.subject === null)
    : limitedHead({ ...list, subject }, lead, limits(), r);
  const cut = list.about === 'all' ? '' : cutText(list.limit, r);
  const order =
    by !== undefined && list.about !== 'all' && r.detail.order ? `sorted by ${sortText(by, r)}` : '';
  const padded = r.style === 'description' ? paddedText(list, r) : besideText(list, grouped, r);
  const [, ...others] = list.crossed.map(oneOf);
  const crossed = others.length === 0 || r.style === 'description' ? '' : `each with every ${listed(others)}`;
  return joinedSentence([limitedText, crossed, padded, beside(), order, cut]);
}

/** Columns of what each row refers to, to be named after the row's own; empty if the two cannot be separated. */
function lookedUp(
  { shown, subject, about, groups, distinct, read, padded }: ListClauses,
  r: Realizer,
): readonly Shown[] {
  if (r.style !== 'summary' || groups !== null || distinct || subject?.text !== undefined) return [];
  // The other columns of the row with the lowest number.
  const rest =
    about === 'all' ? shown.filter(({ term }) => !(term.kind === 'summary' && /est$/.test(term.name))) : [];
  if (about !== 'rows')
    return rest.length < shown.length && rest.every(({ term }) => term.kind === 'property') ? rest : [];
  if (shown.length > r.detail.columns || read.length + padded.length > 0) return [];
  const apart = shown.filter(
    ({ term, owner }) =>
      isOverall(term) ||
      (term.kind === 'property' &&
        !sameThing(owner, subject) &&
        refersTo(subject, term) &&
        !(term.owner !== null && endsWith(term.owner.one, term.own.words))),
  );
  const own = withoutConstants(shown).filter((one) => !apart.includes(one));
  const isPlain = own.every(({ owner, term }) => term.kind === 'property' && sameThing(owner, subject));
  return own.length > 0 && isPlain ? apart : [];
}

/** Whether a value is the same for all rows: a number about another query. */
function isOverall(term: Term): boolean {
  if (term.kind !== 'query' || term.query.kind !== 'list') return false;
  return term.query.about === 'all' && term.query.whose.length === 0;
}

/** with the name and average salary of their district; of the row with the lowest number, with its code */
function lookedUpText(apart: readonly Shown[], list: ListClauses, r: Realizer): string {
  if (list.about === 'all') {
    const columns = apart.map(({ term }) => singularText(r.about(null).noun(term)));
    return `with ${list.shown.length === 1 ? 'its' : 'the'} ${listed(columns)}`;
  }
  const its = (rankedOne(list) || isOneRow(list)) && !isPerson(list.subject) ? 'its' : 'their';
  const columns = apart.filter(({ term }) => !isOverall(term));
  const owners = columns.flatMap(({ owner }) => owner ?? []);
  const texts = owners.map((owner) => {
    const theirs = columns.filter((one) => sameThing(one.owner, owner));
    const names = theirs.map(({ term, columns }) =>
      columns.length > 1 ? 'name' : singularText(presentNoun(ownNoun(term, r.about(owner)), owner)),
    );
    return `the ${listed([...new Set(names)])} of ${its} ${ownerText(owner, list.subject)}`;
  });
  const overall = apart.flatMap(({ term }) => (isOverall(term) ? [theText(singularText(r.noun(term)))] : []));
  return `with ${listed([...new Set([...texts, ...overall])])}`;
}

/** The rows that two queries have together or in common, if a list only counts them; else null. */
function countedRows({ about, shown, read, conditions, groups }: ListClauses): CombinedClauses | null {
  const [only, ...others] = shown;
  const [rows, ...more] = read;
  if (about !== 'all' || groups !== null || conditions.length + others.length + more.length > 0) return null;
  const all = only?.term.kind === 'count' && isThing(only.term.of) && only.term.where === null;
  return all && rows?.kind === 'combined' && /^(intersect|except)$/.test(rows.op) ? rows : null;
}

/** The numbers of rows per group that a list only averages: average number of visits per clinic; else null. */
function averagedCounts({ about, shown, read, conditions, groups }: ListClauses): ListClauses | null {
  const [only, ...others] = shown;
  const [inner, ...more] = read;
  if (about !== 'all' || groups !== null || conditions.length + others.length + more.length > 0) return null;
  if (only?.term.kind !== 'summary' || only.term.name !== 'average' || only.term.where !== null) return null;
  if (inner?.kind !== 'list' || inner.groups === null || !isMeasured(inner) || inner.limit !== null)
    return null;
  const [count, ...measures] = measuresOf(inner.groups, inner.shown);
  const same = count?.term.kind === 'count' && signature(count.term) === signature(only.term.of);
  return same && measures.length === 0 ? inner : null;
}

/** The rows that numbers about all rows are of; null where they count different values, or rows repeat. */
function numbersThing(list: ListClauses): Thing | null {
  const plain = list.shown.every(({ term }) => term.kind !== 'count' || !term.distinct);
  return list.about === 'all' && plain && list.over === null ? measuredThing(list) : null;
}

/** The conditions of outer joins, unless a number has them: with any vaccinations with a given vaccine. */
function besideText(list: ListClauses, grouped: boolean, r: Realizer): string {
  const counted = grouped ? measuredThing(list) : null;
  const inNumbers = list.shown.flatMap(({ term }) => havingWithin(term));
  const beside = list.padded.filter(
    ({ thing, where }) =>
      where.length > 0 &&
      thing.one[0] !== 'row' &&
      ![counted, ...inNumbers].some((one) => sameThing(one, thing)),
  );
  return listed(
    beside.map(({ thing, where }) => `with any ${manyOf(thing)} ${r.about(thing).adjuncts(where)}`),
  );
}

/** The things whose conditions a number names. */
function havingWithin(term: Term): readonly Thing[] {
  const found: Thing[] = [];
  visitNodes(term, (node) => {
    if (node.kind === 'count' && node.having) found.push((node.having as { thing: Thing }).thing);
  });
  return found;
}

/** The condition that the only value in the result is known; null without. */
function shownValue({ about, shown, conditions, limit }: ListClauses): Condition | null {
  const [only, ...others] = shown;
  if (about !== 'rows' || limit !== null || only === undefined || others.length > 0) return null;
  if (only.term.kind !== 'property') return null;
  // Recorded translations, but not recorded films with a title.
  if (only.role === 'label' && only.stands?.one.join(' ') !== only.term.own.text) return null;
  const text = signature(only.term);
  return conditions.find((one) => one.kind === 'known' && !one.negated && signature(one.of) === text) ?? null;
}

/** The thing that the groups of a list are, or null. */
function groupThing({ groups }: ListClauses): Thing | null {
  return groups === null ? null : (namedGroup(groups)?.thing ?? null);
}

/** The conditions that a key of the groups is one of given values. */
function givenKeys({ groups, conditions }: ListClauses): readonly Condition[] {
  const shown = groups?.shownKeys.map(({ term }) => signature(term)) ?? [];
  if (groups === null || namedGroup(groups) !== null) return [];
  return conditions.filter((one) => {
    const [only, ...others] = one.kind === 'among' && !one.negated ? one.values : [];
    return only?.kind === 'given' && others.length === 0 && 'of' in one && shown.includes(signature(one.of));
  });
}

/** The conditions on the thing that the groups are, of which all rows of a group have the same. */
function groupConditions(list: ListClauses): readonly Condition[] {
  const thing = groupThing(list);
  if (thing === null || sameThing(thing, measuredThing(list))) return [];
  return list.conditions.filter((one) => {
    if (!('of' in one) || holdsNumber(one)) return false;
    const of = one.of.kind === 'date_part' ? one.of.of : one.of;
    const plain = one.kind !== 'compare' || /^(given|constant)$/.test(one.to.kind);
    return (
      of.kind === 'property' &&
      plain &&
      sameThing(of.owner, thing) &&
      !/^(first|member|extreme)$/.test(one.kind)
    );
  });
}

/** Numbers of groups: the rows' limits stand before "per", those of groups after it. */
function groupedText(
  list: ListClauses,
  distinct: string,
  { lead, rest }: Head,
  r: Realizer,
  isSentence: boolean,
): string {
  const ofGroups = list.conditions.filter(holdsNumber);
  const joined = list.padded.filter(({ thing }) => sameThing(thing, measuredThing(list)));
  const ofRows = [
    ...list.conditions.filter((one) => !ofGroups.includes(one)),
    ...joined.flatMap(({ where }) => where),
  ];
  const about = r.about(measuredThing(list) ?? list.subject);
  const named = list.groups === null ? null : namedGroup(list.groups);
  const rows = limitsText({ ...list, conditions: ofRows }, about);
  const such = r.style === 'question' && rows !== '' ? ofGroups.map(ofSuch) : ofGroups;
  const groups =
    ofGroups.length === 0
      ? ''
      : joinTexts(
          'only',
          r.style === 'question' ? 'for' : '',
          named === null ? 'those' : manyOf(named.thing),
          r.adjuncts(such),
        );
  const several = limitsOfNumbers(list) === 'several';
  const whole = joinTexts(distinct, lead, rest);
  const { subject } = about;
  // Number of films per year, among those whose country is a given one: not per year whose country.
  const after =
    isSentence &&
    rest !== '' &&
    r.style === 'summary' &&
    isWhole(list) &&
    (LONG_CLAUSE.test(rows) || (rows !== '' && lead.endsWith(')')));
  const among =
    after && subject !== null && subject.text === undefined
      ? mentions(lead, subject)
        ? 'among those'
        : `among ${manyOf(subject)}`
      : null;
  const text =
    several && rows !== ''
      ? joinedSentence([whole, rows.replace(/^among /, '')])
      : among !== null
        ? joinedSentence([whole, joinTexts(among, rows)])
        : joinTexts(distinct, limitedLead(lead, mentioning(lead, rows, about)), rest);
  const counted = list.groups === null ? null : measuresOf(list.groups, list.shown)[0]?.term.kind === 'count';
  const none = joined.length > 0 && counted && named !== null && ofGroups.length === 0;
  return joinedSentence([text, groups, none ? `including ${manyOf(named.thing)} with none` : '']);
}

/** A condition on a number of rows that have conditions themselves: with at least two such cities. */
function ofSuch(condition: Condition): Condition {
  if (condition.kind !== 'compare' || condition.of.kind !== 'count' || !isThing(condition.of.of))
    return condition;
  const [one, many] = [`such ${oneOf(condition.of.of)}`, `such ${manyOf(condition.of.of)}`];
  return { ...condition, of: { ...condition.of, of: { ...condition.of.of, text: { one, many } } } };
}

/** Limits after which "per" would seem to be about the last of them. */
const LONG_CLAUSE = /\bwhose |\bof all |^(?=.{40}).*\b(that|who) /;

/** Limits after numbers that do not name the rows: of musicians that have left. */
function mentioning(lead: string, limits: string, { subject, style }: Realizer): string {
  if (limits === '' || subject === null || subject.text !== undefined) return limits;
  // A charge amount does not name charges.
  if (mentions(lead, style === 'question' ? { ...subject, one: subject.many } : subject)) return limits;
  // In a question, "of the event" is a limit.
  const plain = style === 'question' ? /^(for|from|among|where) / : /^(for|of the|of all|from|among|where) /;
  return plain.test(limits) ? limits : `of ${manyOf(subject)} ${limits}`;
}

/** Rows or numbers with their limits. */
function limitedHead(list: ListClauses, lead: string, limits: string, r: Realizer): string {
  // Common conditions are set apart from numbers that have conditions of their own.
  if (limitsOfNumbers(list) === 'several') return joinedSentence([lead, limits]);
  if (list.about !== 'all') return limitedLead(lead, limits);
  // Number of schools in a given county, divided by 12.
  const [, number, taken] = /^(number of [^,]*?) ((?:divided by|minus|plus) \d+)$/.exec(lead) ?? [];
  if (number !== undefined && limits !== '') return `${limitedHead(list, number, limits, r)}, ${taken}`;
  const text = mentioning(lead, limits, r.about(list.subject));
  const { subject, shown } = list;
  const values = shown.every(({ term }) => term.kind === 'count' && !isThing(term.of));
  // Number of different results of battles, not of anything.
  if (text === '' && values && subject !== null && isWhole(list) && !mentions(lead, subject))
    return joinTexts(lead, r.style === 'description' ? '' : `of ${manyOf(subject)}`);
  // Average number of visits per pet, among those whose pet is old: not per pet whose owner is.
  if (/ per [^,]*$/.test(lead) && /^(whose|that|who) /.test(text)) return `${lead}, among those ${text}`;
  return limitedLead(lead, text);
}

/** number of journeys by a given carrier and their total distance: limits stand beside what "their" means. */
function limitedLead(lead: string, limits: string): string {
  const at = /^number of /i.test(lead) ? lead.indexOf(' and their ') : -1;
  return at < 0 ? joinTexts(lead, limits) : `${joinTexts(lead.slice(0, at), limits)}${lead.slice(at)}`;
}

/** The limits of rows: of the studio for a given year, from the films that another query finds. */
function limitsText(list: ListClauses, r: Realizer): string {
  const numbers = list.groups === null && limitsOfNumbers(list) !== null;
  // In "the film with the highest score whose type is short" the score would seem to have the type.
  const ranked = list.about === 'rows' && list.groups === null && isCut(list) && isSaidOf(list, r);
  const ranking = ranked && r.style !== 'description' ? rankingThing(list, r.subject) : null;
  if (ranking !== null)
    return joinTexts('among', manyOf(ranking), r.about(ranking).adjuncts(list.conditions));
  const single = rankedOne(list) && (list.groups === null || list.order[0]?.of.kind === 'property');
  const one = single || isOneRow(list);
  const lead = numbers || ranked ? 'among' : one ? 'one' : 'for';
  return joinTexts(
    whoseText(list),
    r.adjuncts(throughGrain(list, r), lead),
    list.read.length === 0 ? '' : `from ${listed(list.read.map((inner) => theText(readText(inner, r))))}`,
  );
}

/**
 * Conditions on what the rows between refer to are conditions on these: races that have superheroes of a given gender,
 * not races that have genders.
 */
function throughGrain(
  { conditions, grain: [via] }: ListClauses,
  { style, subject }: Realizer,
): readonly Condition[] {
  if (via === undefined || via.text !== undefined || style === 'description' || sameThing(via, subject))
    return conditions;
  const columnOf = (one: Condition) => ownerWithin(one)?.column;
  const theirs = conditions.filter((one) => {
    const column = columnOf(one);
    if (column === undefined || isOfSubject(column, subject) || refersTo(subject, column)) return false;
    return isOfSubject(column, via) || refersTo(via, column);
  });
  // Wives of husbands with a given name.
  const pair = theirs.every((one) => arePartners(subject, columnOf(one)?.owner ?? null));
  const far = !pair && theirs.some((one) => !sameThing(columnOf(one)?.owner ?? null, via));
  if (!far || conditions.some((one) => one.kind === 'exists' && sameThing(one.thing, via))) return conditions;
  const query = { ...BARE_LIST, subject: via, conditions: theirs };
  const exists = {
    kind: 'exists',
    thing: via,
    are: false,
    query,
    related: true,
    verb: null,
    negated: false,
  } as const;
  return [...conditions.filter((one) => !theirs.includes(one)), exists];
}

/**
 * The rows that the conditions of a ranking by rows beside the subject's are on: scores of a given kind, or drivers of a
 * given nationality; null where it is clear.
 */
function rankingThing(
  { order: [by], conditions, whose, read }: ListClauses,
  subject: Thing | null,
): Thing | null {
  const thing = by === undefined ? null : termThing(by.of);
  if (by === undefined || thing === null || sameThing(thing, subject)) return null;
  if (by.of.kind === 'property' && refersTo(subject, by.of)) return null;
  const isOn = (one: Condition) => {
    const column = ownerWithin(one)?.column;
    return column !== undefined && (isOfSubject(column, thing) || refersTo(thing, column));
  };
  const isOwn = (one: Condition) => sameThing(ownerWithin(one)?.owner ?? null, subject);
  if (conditions.length === 0 || whose.length + read.length > 0 || !conditions.every(isOn)) return null;
  return conditions.every(isOwn) ? subject : thing;
}

/** Whether only the first rows of an order are returned. */
function isCut({ limit, order }: ListClauses): boolean {
  return limit !== null && order.length > 0;
}

/** Whether the phrase that ranks rows follows their noun: film with the highest score. */
function isSaidOf(list: ListClauses, r: Realizer): boolean {
  const [by] = list.order;
  if (by === undefined || r.style === 'question') return true;
  return superlativeOf(list, by, r) === null && !isKeyOf(list, by) && r.noun(by.of).scale !== 'text';
}

/** The rows whose values are counted, which a number of different genres does not name. */
function wholeText({ shown: [first], subject }: ListClauses): string {
  const values = first?.term.kind === 'count' && !isThing(first.term.of);
  return values && subject !== null ? `of all ${manyOf(subject)}` : '';
}

/** Whether a query reads all rows, except for its stated conditions. */
function isWhole({ whose, read, over }: ListClauses): boolean {
  return whose.length === 0 && read.length === 0 && over === null;
}

/** A query that is read as a table: its group keys are distinct. */
export function readText(inner: Clauses, r: Realizer): string {
  const once =
    inner.kind === 'list' &&
    inner.groups !== null &&
    inner.about !== 'all' &&
    !inner.distinct &&
    inner.limit === null &&
    inner.groups.unshown.length === 0 &&
    !isMeasured(inner);
  return joinTexts(once ? 'distinct' : '', r.query(inner));
}

function joinedSentence(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(', ');
}

/** The words that connect a second query to the first. */
const COMBINED = {
  union: ', together with ',
  union_all: ', together with ',
  intersect: ' that are also ',
  except: ', except ',
} as const;

/** Rows of two queries: films, except films for a given year. */
function combinedText(combined: CombinedClauses, r: Realizer): string {
  const { left, order, limit } = combined;
  const about = r.about(left.kind === 'list' ? left.subject : null);
  const [by] = order;
  const text = sharedValues(combined, r) ?? setText(combined, r);
  const sorted =
    by === undefined || !(r.detail.order || limit !== null) ? '' : `sorted by ${sortText(by, about)}`;
  return [text, sorted, cutText(limit, r)].filter((part) => part !== '').join(', ');
}

/** The values that rows of two queries have in common: districts shared by small shops and large ones; null for rows. */
function sharedValues({ op, left, right }: CombinedClauses, r: Realizer): string | null {
  if (r.style !== 'summary' || op !== 'intersect' || left.kind !== 'list' || right.kind !== 'list')
    return null;
  const [only, ...others] = left.shown;
  if (only?.role !== 'other' || others.length > 0) return null;
  const rows = [left, right].map(
    ({ about, groups, limit, subject }) =>
      about === 'rows' && groups === null && limit === null && subject !== null,
  );
  if (rows.includes(false)) return null;
  const values = pluralText(r.about(left.subject).noun(only.term));
  const [one, other] = [left, right].map((list) => r.query({ ...list, shown: [], distinct: false }));
  return `${values} shared by ${one} and ${other}`;
}

/** Whether a list is all rows of a table, by a column that identifies them. */
function isBareList(list: Clauses): list is ListClauses {
  if (list.kind !== 'list' || list.conditions.length + list.read.length > 0 || list.groups !== null)
    return false;
  return list.columns.some(
    (term) =>
      term.kind === 'property' && term.base !== null && hasUniqueValues(term.base.table, term.base.column),
  );
}

function setText({ op, recursive, left, right }: CombinedClauses, r: Realizer): string {
  const subject = left.kind === 'list' ? left.subject : null;
  const first = r.query(left);
  // The values that two queries share are not rows of both.
  const list = leftmostList(left);
  const rows = list === null || list.shown.length > 1 || list.shown[0]?.role !== 'other';
  // First names of owners are compared with the names of dogs, not with dogs.
  const values: Clauses =
    rows || right.kind !== 'list'
      ? right
      : { ...right, shown: right.shown.map((one) => ({ ...one, role: 'other' as const, stands: null })) };
  const second =
    op === 'intersect' && !rows ? r.query(values).replace(/^distinct /, '') : rightText(left, values, r);
  const people = rows && isPerson(subject);
  const among = op === 'intersect' && second.startsWith('those ') ? 'among ' : '';
  // After "that have friends", another "that" would be about the friends.
  const and = rows && op === 'intersect' && / (that|who|whose) /.test(first) ? ' and' : '';
  const [, again] = /^those ((?:that|who) .*)$/.exec(op === 'intersect' ? second : '') ?? [];
  const also = again?.replace(/^(that|who) ((?:are|were) )?/, (is) => `${is}also `);
  const joined = people ? COMBINED[op].replace('that', 'who') : COMBINED[op];
  if (recursive) return `${first}${recursionText(left, right, r)}`;
  const [has, ...more] = right.kind === 'list' ? right.conditions : [];
  // Countries without cities, if each has its own name.
  if (
    op === 'except' &&
    isBareList(left) &&
    has?.kind === 'exists' &&
    !has.negated &&
    more.length === 0 &&
    r.style === 'summary'
  )
    return r.query({ ...left, conditions: [{ ...has, negated: true }] });
  if (and !== '' && also !== undefined) return `${first} and ${also}`;
  // Countries except those that have cities.
  const bare = op === 'except' && left.kind === 'list' && left.conditions.length + left.read.length === 0;
  return `${first}${and}${bare && r.style === 'summary' ? joined.replace(',', '') : joined}${among}${second}`;
}

/** The rows that a recursive query adds in each round: and in turn those whose parent ID is one of them. */
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
  const about = r.about(right.subject);
  const rest = about.adjuncts(conditions.filter((one) => one !== link));
  const shown = left.kind === 'list' ? left.columns.map(signature) : [];
  const [of, to] = shown.includes(signature(link.of)) ? [link.to, link.of] : [link.of, link.to];
  return `, and in turn those whose ${joinTexts(singularText(about.noun(of)), `is the ${singularText(about.noun(to))} of one of them`, rest)}`;
}

/** The second query, as "those" if it returns the same columns of the same rows. */
function rightText(left: Clauses, right: Clauses, r: Realizer): string {
  const plain = (one: Clauses) =>
    one.kind === 'list' && one.limit === null && one.read.length === 0 && one.groups === null;
  if (left.kind === 'list' && right.kind === 'list' && plain(left) && plain(right)) {
    const [one, other] = [left, right].map((list) => JSON.stringify(headText(list, r.about(list.subject))));
    const same = one === other && left.about === 'rows';
    const about = r.about(right.subject);
    const adjuncts = same ? about.adjuncts(throughGrain(right, about)) : '';
    if (adjuncts !== '') return `those ${adjuncts}`;
  }
  return r.query(right);
}
