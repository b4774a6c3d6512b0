import { soleKey } from '../../sql/index.ts';
import {
  type Clauses,
  type Condition,
  columnsWithin,
  type Groups,
  isReference,
  type Limit,
  type ListClauses,
  manyOf,
  oneOf,
  ownerText,
  type Shown,
  type Sort,
  sameThing,
  signature,
  type Term,
  type Thing,
  visitNodes,
  wordsFor,
} from './clause.ts';
import { IN_UNIT } from './column-text.ts';
import { withoutKey } from './lexicon.ts';
import {
  isMeasured,
  isThing,
  knownRows,
  measuresOf,
  namedGroup,
  perKeys,
  showsRank,
  withoutConstants,
} from './lists.ts';
import {
  countedPlural,
  joinTexts,
  type NounPhrase,
  noun,
  pluralText,
  presentNoun,
  rankedPlural,
  singularText,
} from './noun-phrase.ts';
import type { Realizer } from './realizer.ts';
import { extreme, isMoment, superlative } from './relations.ts';
import { countsNamed, isOfSubject, ownNoun, sortText } from './terms.ts';
import { COUNTS, isPerson, listed, ordinal, plural } from './words.ts';

/** A query's columns: the leading noun, and the rest. */
export interface Head {
  readonly lead: string;
  readonly rest: string;
}

/** The columns of a list, of many rows or of its groups. */
export function headText(list: ListClauses, r: Realizer, naming: Partial<Naming> = {}): Head {
  const once = list.over === null || !r.detail.order ? '' : `(once for each ${oneOf(list.over)})`;
  if (list.about === 'all') return { lead: measuresText(list.shown, r), rest: once };
  if (list.about === 'groups' && list.groups !== null && isMeasured(list))
    return groupedHead(list, list.groups, r, naming);
  const { lead, rest } = rowsHead(list, r, { many: true, ...naming });
  const unshown = list.groups?.unshown ?? [];
  const per =
    unshown.length === 0 || list.distinct
      ? ''
      : `(one per ${listed(unshown.map((one) => keyText(one, r.about(null))))})`;
  return { lead, rest: joinTexts(rest, per) };
}

/** Numbers for each group: number of cities per district. */
function groupedHead(
  list: ListClauses,
  groups: Groups,
  r: Realizer,
  { ofGroups, given }: Partial<Naming>,
): Head {
  const about = r.about(measuredThing(list));
  const lead = measuresText(measuresOf(groups, list.shown), about);
  // Names of the groups' things are put in brackets: per matter (with name).
  const isNamed = ({ owner }: Shown) => groups.unshown.some((one) => isThing(one) && sameThing(one, owner));
  const named = groups.shownKeys.filter(isNamed);
  const others = groups.shownKeys.filter((one) => !isNamed(one));
  const shownKeys = shownKeyTexts({ ...groups, shownKeys: others }, about, ofGroups, given);
  const unshown = groups.unshown.map((one) => keyText(one, about));
  const keys =
    groups.shownKeys.length === 0 && unshown.length === 0
      ? groups.keys.map((key) => singularText(about.noun(key)))
      : [];
  const per = listed([...new Set([...shownKeys, ...unshown, ...keys])]);
  // A name is shown for the thing that it names.
  const titles = named.filter(({ role, term, owner }) => {
    const text = singularText(r.about(owner).noun(term));
    return role !== 'label' && !/^(name|title)$/.test(text);
  });
  const beside = companionsText({ ...groups, companions: [...titles, ...groups.companions] }, r);
  return { lead, rest: joinTexts(per === '' ? '' : `per ${per}`, beside) };
}

/** Columns that come from any row of a group. */
function companionsText({ companions }: Groups, r: Realizer): string {
  const beside = companions.map((one) => singularText(r.about(null).noun(one.term)));
  return beside.length === 0 ? '' : `(with ${beside.length > 3 ? OTHERS : listed(beside)})`;
}

/** The texts for groups: the thing that a name or key stands for, and keys of other things. */
function shownKeyTexts(
  groups: Groups,
  r: Realizer,
  limits = '',
  given: readonly string[] = [],
): readonly string[] {
  const named = namedGroup(groups);
  const texts = groups.keys.map(signature);
  const others = withoutConstants(groups.shownKeys).filter(
    (one) =>
      named === null ||
      (one !== named.shownKey &&
        !sameThing(one.owner, named.shownKey.owner) &&
        texts.includes(signature(one.term))),
  );
  const limited = (thing: Thing) => joinTexts(oneOf(thing), limits);
  const theirs =
    named === null
      ? []
      : // Works grouped by their titles are counted per title.
        [
          sameThing(named.thing, r.subject)
            ? singularText(r.noun(named.shownKey.term))
            : limited(named.thing),
        ];
  const rest = others.map(({ term }) =>
    joinTexts(given.includes(signature(term)) ? 'given' : '', singularText(r.noun(term))),
  );
  return limits === '' ? [...theirs, ...rest] : [...rest, ...theirs];
}

/** The text of a key of groups. */
function keyText(key: Thing | Term, r: Realizer): string {
  return isThing(key) ? oneOf(key) : singularText(r.noun(key));
}

/** Numbers about rows, with the rows' noun unless the numbers include it. */
export function measuresText(measures: readonly Shown[], r: Realizer, which = ''): string {
  const [alone, ...more] = withoutConstants(measures);
  if (more.length === 0 && alone?.term.kind === 'summary' && alone.term.where !== null) {
    // total number of wins of standings with given points
    const { owner, ...np } = r.noun({ ...alone.term, where: null });
    if (owner !== null && np.tail === '' && r.style === 'summary')
      return joinTexts(
        singularText({ ...np, owner }),
        'of',
        `${which}${manyOf(owner)}`,
        r.about(owner).adjuncts([alone.term.where]),
      );
  }
  const phrases = withoutConstants(measures).map(({ term }) => r.noun(which === '' ? term : ofAll(term)));
  if (phrases.length > 8)
    return `${listed(phrases.slice(0, 5).map(singularText))} and ${phrases.length - 5} more numbers`;
  const [first, ...others] = [...new Set(phrases.map(singularText))];
  const counted = measures[0]?.term.kind === 'count' ? measures[0].term.of : null;
  // number of fees and their total amount
  if (first !== undefined && others.length > 0 && counted !== null && isThing(counted)) {
    const theirs = phrases.slice(1).every((one) => sameThing(one.owner, counted));
    if (theirs) return `${first} and their ${listed(others)}`;
  }
  const text = sharedHead(phrases) ?? listed([first ?? '', ...others]);
  const owners = phrases.map((np, i) => {
    const term = withoutConstants(measures)[i]?.term;
    return np.owner ?? (which !== '' && term?.kind === 'arithmetic' ? termThing(term) : null);
  });
  const [owner = null] = owners;
  if (owner === null || !owners.every((one) => sameThing(one, owner))) return text;
  const whole = `${which}${manyOf(owner)}`;
  return (which === '' ? mentions(text, owner) : text.includes(whole)) ? text : `${text} of ${whole}`;
}

/** lowest salary and highest salary → lowest and highest salary; null for different things. */
function sharedHead(phrases: readonly NounPhrase[]): string | null {
  const leads = [...new Set(phrases.map(({ lead }) => lead))];
  const [first] = phrases;
  const same = phrases.every((np) => np.head.join() === first?.head.join() && np.tail === first.tail);
  if (first === undefined || !same || leads.length < 2 || leads.includes('') || first.tail.includes(' of '))
    return null;
  return joinTexts(listed(leads), first.head.join(' '), first.tail);
}

/** A count, alone or within arithmetic, with "all": number of all films. */
function ofAll(term: Term): Term {
  if (term.kind === 'arithmetic') return { ...term, items: term.items.map(ofAll) };
  if (term.kind !== 'count' || term.distinct || !isThing(term.of)) return term;
  const [one, many] = [oneOf(term.of), `all ${manyOf(term.of)}`];
  return { ...term, of: { ...term.of, text: { one, many } } };
}

/** Whether a text contains the noun of the rows. */
export function mentions(text: string, { one, many }: Thing): boolean {
  const words = ` ${text.toLowerCase()} `;
  return [one, many].some(
    (noun) =>
      words.includes(` ${noun.join(' ').toLowerCase()} `) || words === ` ${noun.at(-1)?.toLowerCase()} `,
  );
}

/** How rows are named: as many or one, with a word before their noun, and set so that conditions may follow. */
interface Naming {
  readonly many: boolean;
  readonly article?: 'a' | 'the';
  /** Before the noun: three heaviest. */
  readonly before?: string;
  /** Whether conditions follow, which must be about the rows: names and fees of guests, not guests and their fees. */
  readonly limited?: boolean;
  /** The limits of the thing that groups are: per ward of a given district. */
  readonly ofGroups?: string;
  /** The keys whose values are given: per given cause. */
  readonly given?: readonly string[];
}

/** Rows by their name, with their other columns: film and its year; names and years of films. */
export function rowsHead(list: ListClauses, r: Realizer, naming: Naming): Head {
  const { many, article: which = 'a', before = '', limited = false } = naming;
  const { shown, subject } = list;
  const the = before === '' ? '' : 'the';
  const rows = (thing: Thing) => joinTexts(before, many ? manyOf(thing) : oneOf(thing));
  const known = knownRows(list);
  if (known !== null) {
    const { checks, plain } = splitChecks(known.rest);
    const whether = r.detail.columns === 0 ? [] : checks.map(({ term }) => singularText(r.noun(term)));
    const columns = plain.map((one) => ofOwner(ownPhrase(one, r), known.thing));
    const text = columnsText(columns, many, r) || (checks.length > whether.length ? DETAILS : '');
    const theirs = text === '' ? '' : `and ${many ? 'their' : possessive(list)} ${text}`;
    const asked = whether.map((one) => `and ${one}`);
    if (!limited || text === '' || !sameThing(known.thing, subject))
      return { lead: rows(known.thing), rest: joinTexts(theirs, ...asked) };
    const first = ofOwner(labelPhrase(known.label, r), known.thing);
    const all = text === DETAILS ? DETAILS : columnsText([first, ...columns], many, r);
    return { lead: joinTexts(all, ...asked, 'of', many ? the : which, rows(known.thing)), rest: '' };
  }
  const [only] = shown;
  // The years of groups of films do not belong to single films.
  const { about, groups } = list;
  const values =
    about === 'groups' && groups !== null && groups.companions.length === 0 && groups.unshown.length === 0;
  const columns = withoutConstants(shown);
  const split = splitChecks(columns);
  const plain = split.plain.length > 0 ? split.plain : columns;
  const phrases = plain.map((one) => (values ? groupNoun(one.term, list, r) : ownPhrase(one, r)));
  if (phrases.length === 0) return { lead: subject === null ? 'fixed values' : rows(subject), rest: '' };
  const own = !values && subject !== null && phrases.some(({ owner }) => sameThing(owner, subject));
  const text =
    (values && r.style === 'summary' ? keysText(plain, phrases, many) : null) ??
    columnsText(phrases, many, r);
  // Lap times whose driver has a given name, not times whose driver has one.
  const named = singularText(phrases[0] ?? noun('')) === subject?.one.at(-1) && phrases.length === 1;
  if (named && own && subject !== null && limited && subject.one.length > 1)
    return { lead: rows(subject), rest: '' };
  const ends = subject !== null && (text.endsWith(manyOf(subject)) || text.endsWith(oneOf(subject)));
  const clear =
    subject === null ||
    subject.text !== undefined ||
    (text !== DETAILS &&
      (!own ||
        ((ends || !limited || about !== 'rows') &&
          ((shown.length === 1 && only?.role !== 'key' && mentions(text, subject)) ||
            allMention(phrases, subject)))));
  const ofRows = limited && !ends && isOfValues(list);
  const whose =
    subject !== null &&
    (!clear ||
      before !== '' ||
      (limited && about === 'rows' && !ends) ||
      (ofRows && !allMention(phrases, subject)));
  const lead = whose
    ? joinTexts(
        columnsText(
          phrases.map((np) => ofOwner(np, subject)),
          many,
          r,
        ),
        /^whether /.test(text) ? 'for' : 'of',
        many ? the : which,
        rows(subject),
      )
    : text;
  const all = plain !== columns && r.detail.columns > 0;
  const whether = all ? split.checks.map(({ term }) => singularText(r.noun(term))) : [];
  const left = split.checks.length > 0 && plain !== columns && !all && !text.endsWith(OTHERS) ? [OTHERS] : [];
  if (left.length > 0)
    return {
      lead: joinTexts([text, ...left].join(' and '), subject === null ? '' : `of ${rows(subject)}`),
      rest: '',
    };
  return { lead: [lead, ...whether].join(' and '), rest: '' };
}

/** The keys of what groups refer to: IDs of skiers, not skier IDs with passes; null for other columns. */
function keysText(
  [only]: readonly Shown[],
  [np, ...others]: readonly NounPhrase[],
  many: boolean,
): string | null {
  if (only === undefined || np === undefined || others.length > 0 || !isReference(only.term)) return null;
  const what = withoutKey(np.head);
  const key = np.head.slice(what.length);
  if (key.length === 0 || np.tail + np.lead !== '') return null;
  return many ? joinTexts(...plural(key), 'of', ...plural(what)) : joinTexts(...key, 'of the', ...what);
}

/** The value of groups, without its owner where their number of owners names it: the grade with the most students. */
function groupNoun(term: Term, { order, conditions }: ListClauses, r: Realizer): NounPhrase {
  const terms = [...order, ...conditions].flatMap((one) => ('of' in one ? [one.of] : []));
  const counted = terms.flatMap((one) => (one.kind === 'count' && isThing(one.of) ? [one.of] : []));
  const owner =
    r.style === 'description'
      ? null
      : counted.find((one) => term.kind === 'property' && isOfSubject(term, one));
  return r.about(owner ?? null).noun(term);
}

/** A column before "of" its owner: IDs of accounts, not account IDs of accounts. */
function ofOwner(np: NounPhrase, { one }: Thing): NounPhrase {
  const rest = np.head.slice(one.length).join(' ');
  const starts = np.lead === '' && np.head.slice(0, one.length).join(' ') === one.join(' ');
  const plain = /^ID$|(^| )(name|title|code|phone number|description|text|type|kind|status|date)$/.test(rest);
  return starts && plain ? { ...np, head: np.head.slice(one.length) } : np;
}

/** The name of a row among its other columns: name, for a full name too. */
function labelPhrase({ term, columns, stands }: Shown, r: Realizer): NounPhrase {
  return columns.length > 1 ? noun('name') : presentNoun(r.noun(term), stands);
}

/** Separates checks, which are not properties of rows: texts of rulings and whether the card has one. */
function splitChecks(shown: readonly Shown[]) {
  const checks = shown.filter(({ term }) => term.kind === 'check');
  return { checks, plain: shown.filter((one) => !checks.includes(one)) };
}

/** The possessive for one row: its, for people their. */
function possessive({ shown, subject }: ListClauses): string {
  const label = shown.find(({ role }) => role === 'label');
  return (label?.columns.length ?? 0) > 1 || isPerson(label?.stands ?? subject) ? 'their' : 'its';
}

function allMention(phrases: readonly NounPhrase[], subject: Thing): boolean {
  return phrases.every((np) => mentions(singularText(np), subject));
}

/** A column with its owner, unless it belongs to the subject. */
function ownPhrase({ term, owner }: Shown, r: Realizer): NounPhrase {
  const np = r.noun(term);
  if (term.kind !== 'property' || sameThing(owner, r.subject) || owner === null || r.subject === null)
    return np;
  return { ...np, head: term.full.text.split(' '), owner: null };
}

/** More columns than there is room for. */
const DETAILS = 'details';
const OTHERS = 'other details';

/** Whether a list has the different values of rows that meet conditions: GROUP BY without numbers is DISTINCT. */
export function isOfValues({ about, groups, shown, conditions, order }: ListClauses): boolean {
  if (about !== 'groups' || groups === null || groups.companions.length + groups.unshown.length > 0)
    return false;
  const texts = shown.map(({ term }) => signature(term));
  if (!groups.keys.every((key) => texts.includes(signature(key)))) return false;
  if (measuresOf(groups, shown).length > 0) return false;
  return order.length === 0 && conditions.length > 0 && !conditions.some(holdsNumber);
}

/** A value of one row, which counts things if its noun is a plural: the number of cylinders. */
function numberText(np: NounPhrase): string {
  const counted = np.head[0] === 'number' || np.counted !== null ? null : countedPlural(np);
  return counted === null ? singularText(np) : `number of ${counted}`;
}

/** The first columns, and a mention of the others. */
function columnsText(phrases: readonly NounPhrase[], many: boolean, r: Realizer): string {
  const texts = [...new Set(phrases.map((np) => (many ? pluralText(np) : numberText(np))))];
  const most = r.detail.columns;
  if (texts.length <= most + 1) return listed(texts);
  if (most === 0) return DETAILS;
  return `${texts.slice(0, most).join(', ')} and ${OTHERS}`;
}

/**
 * A list as a summary shows it: queries that are read only for their conditions are replaced by these, and values that
 * group or rank rows are not mentioned as known.
 */
export function summarised(list: ListClauses): ListClauses {
  const several = list.read.length > 1;
  const folded = list.read.reduce<ListClauses>((whole, inner) => withRead(whole, inner, several), {
    ...list,
    read: [],
  });
  const ranks = folded.limit === null ? [] : folded.order.slice(0, 1).map(({ of }) => signature(of));
  const keys = folded.about === 'groups' ? (folded.groups?.keys.map(signature) ?? []) : [];
  const conditions = folded.conditions.filter(
    (one) =>
      !(one.kind === 'known' && !one.negated && [...ranks, ...keys].includes(signature(one.of))) &&
      !(folded.read.length > 0 && isSameColumn(one)),
  );
  return withCounted(withoutKnownKeys(withKnown({ ...folded, conditions })));
}

/** Conditions on the rows of groups that are values are those of the rows counted: cities with more than two young employees. */
function withCounted(list: ListClauses): ListClauses {
  const [number, ...more] = list.conditions.filter(holdsNumber);
  const rest = list.conditions.filter((one) => one !== number);
  const isOfValues = list.about === 'groups' && list.groups !== null && namedGroup(list.groups) === null;
  if (!isOfValues || isMeasured(list) || list.order.length + more.length > 0 || rest.length === 0)
    return list;
  if (number?.kind !== 'compare' || number.of.kind !== 'count' || !isThing(number.of.of)) return list;
  const { of } = number;
  if (of.where !== null || of.having !== null || of.distinct) return list;
  const [only, ...others] = rest;
  const where: Condition = only !== undefined && others.length === 0 ? only : { kind: 'all', items: rest };
  return { ...list, conditions: [{ ...number, of: { ...of, where } }] };
}

/** Counting the rows that have a value is counting the rows with that condition. */
function withKnown(list: ListClauses): ListClauses {
  const [only, ...others] = list.shown;
  const term = only?.term;
  if (only === undefined || others.length > 0 || list.about !== 'all' || term?.kind !== 'count') return list;
  if (term.known === null || term.known.always || term.where !== null || term.having !== null) return list;
  if (countsNamed(term)) return list;
  const known: Condition = { kind: 'known', of: term.known.of, negated: false };
  return {
    ...list,
    shown: [{ ...only, term: { ...term, known: null } }],
    conditions: [...list.conditions, known],
  };
}

/** Whether a condition joins rows to those of a query by the same column. */
function isSameColumn(one: Condition): boolean {
  if (one.kind !== 'compare' || one.relation !== 'equal') return false;
  const { of, to } = one;
  return of.kind === 'property' && to.kind === 'property' && of.base?.column === to.base?.column;
}

/** Adds a query that a list reads; the query's conditions become the list's if nothing else of it matters. */
function withRead(list: ListClauses, inner: Clauses, several: boolean): ListClauses {
  const kept = { ...list, read: [...list.read, inner] };
  // Conditions of one of several groupings are not those of the others.
  if (several && inner.kind === 'list' && inner.groups !== null && inner.conditions.length > 0) return kept;
  if (inner.kind !== 'list' || inner.limit !== null || list.padded.length > 0 || inner.padded.length > 0)
    return kept;
  const read = summarised(inner);
  if (read.about === 'all') return read.conditions.length > 0 || read.read.length > 0 ? kept : list;
  // A list of groups names its own keys.
  const ofGroups = list.groups !== null && list.groups.keys.length === 0 && list.groups.shownKeys.length > 0;
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
  // Counting distinct rows is counting different ones.
  const [only, ...others] = list.shown;
  const [own, ...more] = read.shown;
  const term = only?.term;
  if (only === undefined || others.length > 0 || own === undefined || more.length > 0) return kept;
  if (term?.kind !== 'count' || !('one' in term.of) || term.distinct || term.where !== null) return kept;
  const of = identifies(own, term.of) ? term.of : own.term;
  return { ...merged, shown: [{ ...only, term: { ...term, of, distinct: true, known: null } }] };
}

/** Whether a column identifies rows of a thing: its key or name, or a reference to it. */
function identifies({ role, owner, term }: Shown, thing: Thing): boolean {
  if (sameThing(owner, thing)) return role !== 'other';
  const base = term.kind === 'property' ? term.base : null;
  return base?.table.foreign_keys.some(({ columns }) => columns.join() === base.column.name) ?? false;
}

/** Whether a condition contains a count or an aggregate, and so is one on groups; not one of a query that it compares with. */
export function holdsNumber(condition: Condition): boolean {
  let found = false;
  const to = 'to' in condition && condition.to.kind !== 'query' ? condition.to : null;
  visitNodes({ ...condition, to, query: null, among: null }, ({ kind }) => {
    found ||= kind === 'count' || kind === 'summary';
  });
  return found;
}

/** Whether a list returns any of some terms, ranks by them or compares them with anything but one value. */
function usesAny({ shown, order, conditions }: ListClauses, terms: readonly Term[]): boolean {
  const wanted = new Set(terms.map(signature));
  const isPlain = (one: Condition) =>
    one.kind === 'compare' && /^(given|constant)$/.test(one.to.kind) && wanted.has(signature(one.of));
  let found = false;
  const parts = [shown.map(({ term }) => term), order, conditions.filter((one) => !isPlain(one))];
  visitNodes(parts, (node) => {
    found ||= wanted.has(signature(node));
  });
  return found;
}

/** Drops "known" from counts of the values that rows are grouped by. */
function withoutKnownKeys(list: ListClauses): ListClauses {
  const keys = new Set(list.groups?.keys.map(signature));
  if (keys.size === 0) return list;
  const tables = new Set(
    list.groups?.keys.flatMap((key) => (key.kind === 'property' ? (key.base?.table.name ?? []) : [])),
  );
  // Rows of a group refer to what the group is named after.
  const isKnown = (of: Term) =>
    keys.has(signature(of)) ||
    (of.kind === 'property' &&
      of.base?.table.foreign_keys.some(
        (one) => one.columns.join() === of.base?.column.name && tables.has(one.references_table),
      ) === true) ||
    // An outer join leaves only rows without a partner unknown.
    (of.kind === 'property' &&
      (of.base?.column.primary_key ?? 0) > 0 &&
      list.padded.some(({ thing }) => sameThing(thing, of.owner)));
  const plain = (term: Term): Term =>
    term.kind === 'count' && term.known !== null && isKnown(term.known.of) ? { ...term, known: null } : term;
  return {
    ...list,
    shown: list.shown.map((one) => ({ ...one, term: plain(one.term) })),
    order: list.order.map((one) => ({ ...one, of: plain(one.of) })),
    conditions: list.conditions.map((one) => (one.kind === 'compare' ? { ...one, of: plain(one.of) } : one)),
  };
}

/** Whether a list is one row: that of a given key, or one that a subquery finds: the post of the comment with the highest score. */
export function isOneRow(list: ListClauses): boolean {
  const { about, groups, limit, conditions, subject, grain, crossed, padded, read } = list;
  const alone = grain.length + crossed.length + padded.length + read.length === 0;
  const isKey = (one: Condition) => {
    const found = one.kind === 'first' && one.tied && !one.itself;
    const given = one.kind === 'compare' && one.relation === 'equal' && one.to.kind === 'given' && alone;
    if (!(found || given) || !('of' in one) || one.of.kind !== 'property') return false;
    const { base, owner } = one.of;
    return base !== null && soleKey(base.table) === base.column && sameThing(owner, subject);
  };
  return about === 'rows' && groups === null && limit === null && conditions.some(isKey);
}

/** Whether a list's numbers have conditions of their own: `one` for a single share or count, `several` otherwise. */
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
  return about !== 'all' && limit?.rows === 1 && order.length > 0 && limit.skipped !== null;
}

/**
 * Rows that ORDER BY and LIMIT leave, as sentence parts: film with the highest score for a given year; its title.
 * `limits` renders the rows' limits, and is called at their place in the sentence.
 */
export function rankedText(
  list: ListClauses,
  by: Sort,
  limit: Limit,
  r: Realizer,
  limits: (about?: Thing | null, isRow?: boolean) => string,
): readonly string[] {
  const distinct = list.distinct ? 'distinct' : '';
  const itself = showsRank(list, by);
  const groups = rankedGroups(list, by, r);
  const best = groups === null && !itself ? superlativeOf(list, by, r) : null;
  // The rows of ranked groups are those of the ranking number: most visits of a given type.
  const ranked = list.groups === null || list.conditions.some(holdsNumber) ? null : termThing(by.of);
  const bestOf = (sort: Sort, skipped: number, several: boolean) => {
    const other = otherRanked(list, sort, skipped, r);
    if (other !== null) return other;
    if (ranked === null || list.conditions.length === 0)
      return joinTexts(bestText(sort, skipped, r, several), limits());
    const text = bestText(sort, skipped, r.about(ranked), several);
    return joinTexts(text, mentions(text, ranked) ? '' : `of ${manyOf(ranked)}`, limits(ranked));
  };
  if (rankedOne(list)) {
    const skipped = limit.skipped ?? 0;
    if (itself) {
      const np = r.noun(by.of);
      const owner = np.owner ?? (r.style === 'summary' && list.groups === null ? list.subject : null);
      const whose = owner === null || mentions(singularText(np), owner) ? '' : `of ${manyOf(owner)}`;
      const which = joinTexts(extremeWord(by, np, skipped), skipped > 0 ? distinct : '');
      return [joinTexts(which, singularText(np), whose, perText(list, r), limits(undefined, whose === ''))];
    }
    const nth = ordinal(skipped);
    const before = best === null ? '' : joinTexts(nth, best);
    const head = groups ?? rankedHead(list, by, r, before);
    if (best === null)
      return [joinTexts(distinct, head.lead, unshownText(list, r), bestOf(by, skipped, false)), head.rest];
    return [joinTexts(distinct, head.lead, unshownText(list, r), limits()), head.rest];
  }
  const count = countText(limit, r);
  const fixed = typeof limit.rows === 'number' ? count : '';
  const np = r.noun(by.of);
  const place = by.direction === 'asc' ? 'first' : 'last';
  const byPlace = np.scale === 'text' || isKeyOf(list, by);
  const sorts = byPlace && fixed === '' && r.style === 'summary';
  const first =
    best === null && limit.skipped === 0 && byPlace && !sorts && !list.distinct
      ? joinTexts(place, fixed)
      : '';
  // The names of the three films with the highest score, not three names of films.
  const counted =
    list.groups === null && best === null && first === '' && !byPlace && !itself && r.style !== 'description'
      ? fixed
      : '';
  const before =
    limit.skipped !== 0 ? '' : best === null ? joinTexts(first, counted) : joinTexts(fixed, best);
  const many =
    groups === null
      ? headText(list, r, { limited: true, before })
      : { lead: joinTexts(first, groups.many), rest: '' };
  const what = joinTexts(many.lead, many.rest);
  const more = groups?.rest ?? '';
  if (limit.skipped !== 0) {
    const sorted = `sorted by ${sortText(by, r)}`;
    return [joinTexts(distinct, what, limits()), more, sorted, cutText(limit, r)];
  }
  const upTo =
    limit.rows === null || typeof limit.rows === 'number'
      ? ''
      : r.style === 'summary'
        ? 'up to a given number'
        : `up to ${r.given(limit.rows, noun('number'), 'value')}`;
  const lead = upTo === '' ? count : '';
  if (byPlace) {
    const key = `by ${singularText(np)}`;
    if (sorts && upTo !== '')
      return [joinTexts(distinct, what, limits()), more, `sorted by ${sortText(by, r)}`, upTo];
    if (list.distinct)
      return [joinTexts(distinct, what, limits()), more, `the ${joinTexts(place, fixed)} ${key}`, upTo];
    return typeof limit.rows === 'number'
      ? [joinTexts(distinct, what, limits(), key), more]
      : [joinTexts(distinct, what, limits()), more, key, upTo];
  }
  if (itself) {
    const all = joinTexts(lead, extremeWord(by, np, 0), distinct, what, limits());
    return [all, upTo];
  }
  if (counted !== '' && before !== '') return [joinTexts(distinct, what, bestOf(by, 0, false)), more];
  if (before !== '') return [joinTexts(distinct, what, limits()), more, upTo];
  if (groups === null && list.groups !== null && isMeasured(list)) {
    const those = joinTexts('for', upTo === '' ? `the ${lead}` : 'those', bestText(by, 0, r, true));
    return [joinTexts(distinct, what, limits()), those, upTo];
  }
  return [joinTexts(lead, distinct, what, bestOf(by, 0, upTo !== '')), more, upTo];
}

/**
 * Rows that rank first by a column of others: of the badge with the earliest date, if each row is a badge's; whose clinic
 * has the most beds, if each refers to a clinic. Null for other rows.
 */
function otherRanked(list: ListClauses, by: Sort, skipped: number, r: Realizer): string | null {
  const several = !rankedOne(list);
  const { subject, about, groups, distinct, shown, conditions, whose, read, padded } = list;
  const [thing, column] = [termThing(by.of), columnsWithin(by.of)[0]];
  if (subject === null || thing === null || column === undefined || isOfSubject(column, subject)) return null;
  if (r.style !== 'summary' || about !== 'rows' || groups !== null || distinct) return null;
  if ([...whose, ...read, ...padded].length > 0 || [subject, thing].some(({ text }) => text !== undefined))
    return null;
  const text = bestText(by, skipped, r.about(thing), several);
  const best = superlativeOf({ ...list, subject: thing }, by, r);
  // The driver with the most points in driver standings.
  if (subject.one.every((word, i) => word === thing.one[i]) && sameThing(list.grain[0] ?? null, thing))
    return joinTexts(text, 'in', manyOf(thing), r.about(thing).adjuncts(conditions));
  if (column.referring.some((one) => sameThing(one, subject))) {
    const limits =
      conditions.length === 0 ? '' : `among ${manyOf(subject)} ${r.about(subject).adjuncts(conditions)}`;
    const [are, have] = several ? ['are', 'have'] : ['is', 'has'];
    const has =
      best === null
        ? text.replace(/^(that|with) /, (_, word) => (word === 'with' ? `${have} ` : ''))
        : joinTexts(are, 'the', ordinal(skipped), best);
    return joinTexts('whose', ownerText(thing, subject, several), has, limits);
  }
  if (shown.some(({ owner }) => sameThing(owner, thing))) return null;
  const [grain, ...others] = list.grain;
  const rows = several ? manyOf(thing) : oneOf(thing);
  const ranked = () =>
    best === null
      ? joinTexts(rows, text, r.about(thing).adjuncts(conditions, 'among'))
      : joinTexts(ordinal(skipped), best, rows, r.about(thing).adjuncts(conditions, 'one'));
  const isHeld = column.holders.some((one) => sameThing(one, subject));
  // The race of the superhero with the highest attribute value.
  const way = column.ways.find(({ from }) => sameThing(from, subject));
  if (way?.refers === false && (isPerson(way.via) || !isHeld) && conditions.length === 0) {
    const [own, many] = [bestText(by, skipped, r.about(way.via), several), manyOf(way.via)];
    return joinTexts('of the', several ? many : oneOf(way.via), own);
  }
  // The employee with the highest evaluation bonus.
  const isOneWord = by.of.kind === 'property' && by.of.full.words.length === thing.one.length + 1;
  if (isHeld && !several && isOneWord && conditions.length === 0 && subject.roleIn === undefined) return null;
  if (!isHeld && conditions.length === 0)
    return way?.refers && !sameThing(way.via, thing)
      ? joinTexts('whose', oneOf(way.via), 'has the', ranked())
      : joinTexts('linked to the', ranked());
  if (!isHeld || !sameThing(grain ?? null, thing) || others.length > 0) return null;
  return joinTexts('of the', ranked());
}

/** The thing that all numbers of a list are about, if it is one; the number of rows is about these. */
export function measuredThing({ groups, shown }: ListClauses): Thing | null {
  const things = (groups === null ? shown : measuresOf(groups, shown)).map(({ term }) => termThing(term));
  const [first = null] = things;
  return things.every((one) => sameThing(one, first)) ? first : null;
}

/** The thing that a number counts, or whose columns it is made of. */
export function termThing(term: Term): Thing | null {
  if (term.kind === 'arithmetic' && term.items.every(({ kind }) => /^(count|share|constant)$/.test(kind))) {
    const [one = null, ...more] = term.items.flatMap((item) =>
      item.kind === 'constant' ? [] : [termThing(item)],
    );
    return more.every((other) => sameThing(one, other)) ? one : null;
  }
  if (term.kind === 'count' && isThing(term.of)) return term.of;
  if (term.kind === 'share') return isThing(term.of) ? term.of : termThing(term.of);
  const owners: (Thing | null)[] = [];
  visitNodes(term.kind === 'count' || term.kind === 'summary' ? term.of : term, (node) => {
    if (node.kind === 'property') owners.push(node.owner as Thing | null);
    if (node.kind === 'count') owners.push('one' in (node.of as object) ? (node.of as Thing) : null);
  });
  const [first = null] = owners;
  return owners.every((one) => sameThing(one, first)) ? first : null;
}

/** The superlative for rows that rank first by their own column: heaviest, earliest, lowest lap times; null without. */
export function superlativeOf(
  { subject, about }: ListClauses,
  { of, direction }: Sort,
  { style }: Realizer,
): string | null {
  if (about !== 'rows' || of.kind !== 'property' || !isOfSubject(of, subject)) return null;
  const { highest, lowest } = wordsFor(of);
  const { own, scale } = of;
  const isOwn =
    (isMoment(scale) && /^(date|year)$/.test(own.text)) ||
    (scale === 'number' && own.text === subject?.one.at(-1) && subject.one.length > 1);
  const whole = isOwn && style !== 'description' ? extreme(scale, direction, oneOf(subject as Thing)) : null;
  return (direction === 'desc' ? highest : lowest) ?? whole;
}

/** Whether rows are ranked by a number that only identifies them. */
export function isKeyOf({ about, subject }: ListClauses, { of }: Sort): boolean {
  if (about !== 'rows' || of.kind !== 'property' || of.base === null) return false;
  return isOfSubject(of, subject) && soleKey(of.base.table) === of.base.column;
}

/** The columns of the row or group that ranks first, if no group is named. */
function rankedHead(list: ListClauses, by: Sort, r: Realizer, before: string): Head {
  const { groups, shown } = list;
  if (list.about === 'groups' && groups !== null) {
    if (isMeasured(list)) {
      // Ranking groups by their key chooses one: the number of clients with the highest rate.
      const [key, ...others] = groups.keys;
      const chosen = key !== undefined && others.length === 0 && signature(key) === signature(by.of);
      if (chosen && groups.shownKeys.length === 0 && groups.companions.length === 0) {
        const among = limitsOfNumbers(list) === null ? '' : 'among those';
        return { lead: joinTexts(measuresText(measuresOf(groups, shown), r.about(null)), among), rest: '' };
      }
      const { lead, rest } = headText(list, r);
      // One group is left: the number of comments on the post with the highest score.
      return { lead: joinTexts(lead, rest.replace(/^per /, 'of the ')), rest: '' };
    }
    const shownKeys =
      groups.unshown.length > 0 || groups.companions.length === 0 ? [] : shownKeyTexts(groups, r.about(null));
    if (shownKeys.length > 0)
      return { lead: joinTexts(listed(shownKeys), companionsText(groups, r)), rest: '' };
  }
  const some = (groups?.unshown.length ?? 0) > 0;
  return rowsHead(list, r, { many: false, article: some ? 'a' : 'the', limited: true, before });
}

function unshownText(list: ListClauses, r: Realizer): string {
  if (list.about === 'groups' && isMeasured(list)) return '';
  const unshown = list.groups?.unshown ?? [];
  return unshown.length === 0 ? '' : `of the ${listed(unshown.map((one) => keyText(one, r.about(null))))}`;
}

function perText(list: ListClauses, r: Realizer): string {
  const keys = perKeys(list);
  return keys.length === 0 ? '' : `per ${listed(keys.map((one) => keyText(one, r.about(null))))}`;
}

/** The groups, when they are ranked by a number: the district with the most cities, with its population. */
function rankedGroups(list: ListClauses, by: Sort, r: Realizer): (Head & { readonly many: string }) | null {
  const { groups } = list;
  if (groups === null || !isMeasured(list) || groups.companions.length > 0) return null;
  const named = namedGroup(groups);
  const values = withoutConstants(groups.shownKeys).map(({ term }) => groupNoun(term, list, r));
  const one = named === null ? values.map(singularText) : shownKeyTexts(groups, r.about(null));
  if (one.length === 0 || groups.unshown.length > 0) return null;
  const many = named === null ? listed(values.map(pluralText)) : manyOf(named.thing);
  const measures = measuresOf(groups, list.shown);
  const others = measures.filter(({ term }) => signature(term) !== signature(by.of));
  const about = r.about(named?.thing ?? null);
  const [alone, isShown] = [rankedOne(list), measures.length > others.length];
  const own = alone
    ? by.of.kind === 'count'
      ? 'how many'
      : `that ${valueNoun(r.noun(by.of))}`
    : `the ${valueNoun(r.noun(by.of))} for each`;
  const rest =
    others.length > 2 ? ['other numbers'] : others.map(({ term }) => `the ${singularText(about.noun(term))}`);
  const more = listed([...(isShown ? [own] : []), ...rest]);
  return { lead: listed(one), many, rest: more === '' ? '' : `${alone ? 'and' : 'with'} ${more}` };
}

/** The noun for a value that has been named: that weight, the number for each. */
function valueNoun({ head, tail }: NounPhrase): string {
  const [first = 'value', ...others] = head;
  if (first === 'number') return first;
  return others.length === 0 && /^(of .*|from .*)?$/.test(tail) ? first : 'value';
}

/** with the highest score, with the second most films, that comes first by title */
function bestText(by: Sort, skipped: number, r: Realizer, many: boolean): string {
  const np = ownNoun(by.of, r);
  const nth = ordinal(skipped);
  const counted = rankedPlural(np);
  if (np.scale === 'text')
    return `that comes ${joinTexts(nth, superlative('text', by.direction))} by ${singularText(np)}`;
  if (counted !== null) return `with the ${joinTexts(nth, superlative('count', by.direction), counted)}`;
  const text = many ? pluralText(np) : singularText(np);
  // The greatest height is the same in any unit.
  const short = r.style === 'description' ? text : text.replace(IN_UNIT, '');
  return `with the ${joinTexts(nth, extremeWord(by, np, 0), short)}`;
}

/** highest, also of a number of things; '' if the phrase begins with it. */
function extremeWord({ direction }: Sort, np: NounPhrase, skipped: number): string {
  const word = joinTexts(
    np.scale === 'text' && skipped === 0 ? 'alphabetically' : '',
    extreme(np.scale, direction, np.head.join(' ')),
  );
  const nth = ordinal(skipped);
  return joinTexts(nth, np.lead === word ? '' : word);
}

/** The number of rows: three, a given number of. */
function countText({ rows }: Limit, r: Realizer): string {
  if (rows === null) return 'a computed number of';
  if (typeof rows === 'number') return COUNTS[rows] ?? String(rows);
  return r.style === 'summary' ? 'a given number of' : r.given(rows, noun('number of rows'), 'value');
}

/** Whether a value is a query that reads no table. */
function isFixed(of: Term): boolean {
  return of.kind === 'query' && of.query.kind === 'fixed';
}

/** The effect of LIMIT and OFFSET: at most three rows; places 11 to 20; '' without. */
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
          ? 'up to a given number'
          : `at most ${r.given(rows, noun('number of rows'), 'value')} rows`;
  return skipped === 0
    ? count
    : `${count}, after ${skipped === null ? asMany(computed?.skipped, 'others') : `${skipped} others`}`;
}
