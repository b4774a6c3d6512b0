import type { Groups, ListClauses, Shown, Term, Thing } from '../clauses/clause.ts';
import { holderOf, isMeasured, isThing, knownRows, measuresOf, toldOf } from '../clauses/lists.ts';
import { manyOf, oneOf, sameThing } from '../clauses/thing.ts';
import { signature } from '../clauses/tree.ts';
import { joinTexts, type NounPhrase, pluralText, singularText } from '../noun-phrase.ts';
import type { Realizer } from '../realizer.ts';
import { isPerson } from '../words/nouns.ts';
import { listed } from '../words/word-lists.ts';

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
