import type { Catalog, CatalogTable } from '../../contracts/catalog.ts';
import { article } from '../../contracts/wording.ts';
import { columnText, eventOf } from '../english/column-text.ts';
import { Lexicon } from '../english/lexicon.ts';
import { countedText } from '../english/noun-phrase.ts';
import { ofMany } from '../english/predicates.ts';
import {
  inPlace,
  isMassNoun,
  isPerson,
  isPlaceNoun,
  listed,
  plural,
  withoutName,
  withThe,
} from '../english/words.ts';
import { isUnspoken } from '../synthesize/asked-columns.ts';
import type { ProfiledColumn, ProfiledTable, Value } from '../synthesize/profile.ts';
import { type Carried, type Condition, labelsOf, type Place, type Shown } from './plan.ts';

/** The words that people use for the parts of a plan. */
export class Words {
  readonly #lexicon: Lexicon;
  readonly #tables: ReadonlyMap<string, CatalogTable>;
  readonly #columns = new Map<string, ProfiledColumn['column']>();

  constructor(catalog: Catalog) {
    this.#lexicon = new Lexicon(catalog, []);
    this.#tables = new Map(catalog.tables.map((table) => [table.name, table]));
    for (const { name, columns } of catalog.tables)
      for (const column of columns) this.#columns.set(`${name}\n${column.name}`, column);
  }

  many({ table }: ProfiledTable): string {
    return this.#lexicon.noun(table.name).many.join(' ');
  }

  one({ table }: ProfiledTable): string {
    return this.#lexicon.noun(table.name).one.join(' ');
  }

  isPeople({ table }: ProfiledTable): boolean {
    return isPerson(this.#lexicon.noun(table.name));
  }

  /** Whether people would use a column's words in a sentence. */
  isPlain({ table, column }: ProfiledColumn): boolean {
    if (column.words?.noun !== undefined) return true;
    if (isUnspoken(column)) return false;
    const words = this.#lexicon.column(table, column.name);
    const text = words.join(' ').toLowerCase();
    return (
      words.every((word) => /^[a-z]{2,}$/.test(word) && /[aeiouy]/.test(word)) &&
      words.length < 4 &&
      !AWKWARD.test(text)
    );
  }

  /** Whether numbers of a column are years. */
  isYear(column: ProfiledColumn): boolean {
    return column.kind === 'year' || (column.kind === 'number' && /\byear$/.test(this.noun(column)));
  }

  noun({ table: name, column }: ProfiledColumn): string {
    const table = this.#tables.get(name);
    if (table === undefined) return this.#lexicon.columnText(name, column.name);
    const text = columnText({ table, column }, this.#lexicon, this.#lexicon.column(name, column.name));
    if (column.words?.noun !== undefined) return text;
    // The age of a pet, not its pet age; a city, not a city name.
    const own = `${this.#lexicon.noun(name).one.join(' ')} `;
    const short = withoutName(text.startsWith(own) ? text.slice(own.length) : text);
    const isTaken = table.columns.some((one) => this.#lexicon.columnText(name, one.name) === short);
    const noun = isTaken ? text : short;
    return column.type === 'integer' ? countedText(noun) : noun;
  }

  /** What a column is a number of: beds. */
  counts(column: ProfiledColumn): string | undefined {
    return column.column.words?.counts ?? /^number of (.*)$/.exec(this.noun(column))?.[1];
  }

  nouns(column: ProfiledColumn): string {
    return column.column.words?.nouns ?? plural(this.noun(column).split(' ')).join(' ');
  }

  /** What a condition is about: the city, the clinic. */
  about({ column, via, table }: Place): string {
    if (via === null) return this.noun(column);
    const own = this.roleOf(via, table);
    return labelsOf(table).includes(column) ? own : `${own}'s ${this.noun(column)}`;
  }

  /** What a row calls the row that it refers to: a patient's owner, an employee's manager. */
  roleOf({ from }: NonNullable<Place['via']>, table: ProfiledTable): string {
    const words = this.#lexicon
      .column(from.table, from.column)
      .filter((word) => !/^(id|code|no|number|key|nr)$/i.test(word));
    const noun = this.one(table);
    const text = words.join(' ').toLowerCase();
    return text === '' || /\b(of|by|in|to|from|with)$/.test(text) ? noun : text;
  }

  /** A value as people say it: cat, vet, 30,000 pounds a year. */
  value({ place: { column }, value }: Pick<Condition, 'place' | 'value'>): string {
    const code = column.column.words?.codes?.[String(value)];
    if (code !== undefined) return code;
    if (typeof value === 'string') return isPlace(this.noun(column)) ? withThe(value.trim()) : value.trim();
    if (this.isYear(column)) return String(value);
    const { unit } = column.column.words ?? {};
    return unit === undefined || column.kind === 'category' ? number(value) : `${number(value)} ${unit}`;
  }

  /** A condition after the rows' noun, or after "those": in Saltmere, heavier than 5 kilograms. */
  that(condition: Condition, subject: ProfiledTable): string {
    const { place, test } = condition;
    const { words } = place.column.column;
    const people = this.isPeople(subject);
    const who = people ? 'who' : 'that';
    const own = place.via === null;
    if (test === 'missing') return `${who} ${words?.missing}`;
    if (test === 'present') return `${who} ${words?.present}`;
    const value = this.value(condition);
    const noun = this.about(place);
    if (test === 'year') return this.#inYear(place, value, who);
    if (test !== '=') return this.#beyond(condition, value, noun);
    const there = inPlace(noun, value, people);
    if (!own && labelsOf(place.table).includes(place.column)) {
      const verb = this.verbOf(place);
      if (verb === null && isPlace(noun)) return there;
      if (verb === null) return `whose ${noun} is ${value}`;
      const preposition = /^are (\w+)$/.exec(verb)?.[1];
      return preposition === undefined ? `${who} ${verb} ${value}` : `${preposition} ${value}`;
    }
    if (own && isPlace(noun)) return there;
    if (own && isTime(noun)) return `from ${value}`;
    if (own && isNationality(noun)) return `${who} are ${value}`;
    if (own && isGroup(noun)) return `in the ${noun} ${asQuoted(value)}`;
    if (own && this.isTrait(place)) return `${who} are ${value}`;
    if (own && people && isRole(noun) && isPersonNoun(value))
      return `who are ${plural(value.split(' ')).join(' ')}`;
    return `whose ${noun} is ${asQuoted(value)}`;
  }

  /** A condition of several values after the rows' noun: in Saltmere or Ashcombe, hired on 2008-03-04. */
  thatOneOf({ column, values }: Carried, subject: ProfiledTable): string {
    const place: Place = { column, table: subject, via: null };
    const texts = listed(
      values.map((value) => this.value({ place, value })),
      'or',
    );
    if (labelsOf(subject).includes(column)) return `called ${texts}`;
    const people = this.isPeople(subject);
    const who = people ? 'who' : 'that';
    const noun = this.noun(column);
    if (column.kind !== 'date')
      return isPlace(noun) ? inPlace(noun, texts, people) : `whose ${noun} is ${texts}`;
    const when = this.whenOf(column);
    if (when === undefined) return /^(date|day)$/.test(noun) ? `from ${texts}` : `whose ${noun} is ${texts}`;
    const passive = /^(?:was|were) (.+)$/.exec(when)?.[1];
    return passive === undefined ? `${who} ${when} on ${texts}` : `${passive} on ${texts}`;
  }

  /** Asks for the rows that have values of the turn before: which orders were placed that day; null without words for it. */
  thatHave({ column, values }: Carried, subject: ProfiledTable): readonly [text: string, ref: string] | null {
    const many = this.many(subject);
    const isOne = values.length === 1;
    const noun = this.noun(column);
    const nouns = this.nouns(column);
    if (column.kind === 'date') {
      const when = this.whenOf(column);
      const day = isOne ? 'that day' : 'those days';
      if (when !== undefined) return [`which ${many} ${ofMany(when)} ${isOne ? day : `on ${day}`}`, day];
      return /^(date|day)$/.test(noun) ? [`which ${many} are from ${day}`, day] : null;
    }
    if (isPlace(noun)) {
      const there = `${this.isPeople(subject) && isOrigin(noun) ? 'from' : 'in'} those ${nouns}`;
      const from = there.startsWith('from') ? 'from there' : 'there';
      return isOne
        ? [`which ${many} are ${from}`, 'there']
        : [`which ${many} are ${there}`, `those ${nouns}`];
    }
    return isOne
      ? [`which ${many} have that ${noun}`, `that ${noun}`]
      : [`which ${many} have one of those ${nouns}`, `those ${nouns}`];
  }

  /** What happened to a row at a moment: was opened. */
  whenOf(column: ProfiledColumn): string | undefined {
    const { when } = column.column.words ?? {};
    if (when !== undefined) return when;
    const isMoment = column.kind === 'date' || /\byear\b/.test(this.noun(column));
    return (isMoment ? eventOf(this.#lexicon.column(column.table, column.column.name)) : null) ?? undefined;
  }

  #inYear({ column, via }: Place, year: string, who: string): string {
    const when = this.whenOf(column);
    if (via !== null) return `whose ${this.noun(column)} is in ${year}`;
    if (when !== undefined) {
      const passive = /^(?:was|were) (.+)$/.exec(when)?.[1];
      return passive === undefined ? `${who} ${when} in ${year}` : `${passive} in ${year}`;
    }
    const noun = this.noun(column);
    return /^(date|day|year|time)$/.test(noun) ? `from ${year}` : `with ${article(noun)} in ${year}`;
  }

  #beyond({ place: { column, via }, test }: Condition, value: string, noun: string): string {
    const { above, below, unit } = column.column.words ?? {};
    const counts = this.counts(column);
    const given = test === '>' ? above : below;
    const word = unit === undefined && / than$/.test(given ?? '') ? undefined : given;
    const more = test === '>' ? 'more' : 'less';
    if (via === null && word !== undefined) return `${word} ${value}`;
    if (counts !== undefined && via === null)
      return `with ${test === '>' ? 'more' : 'fewer'} than ${value} ${counts}`;
    if (this.isYear(column) && via === null && /^was /.test(this.whenOf(column) ?? ''))
      return `${this.whenOf(column)?.slice('was '.length)} ${test === '>' ? 'after' : 'before'} ${value}`;
    if (this.isYear(column) && via === null && this.whenOf(column) === 'died')
      return `who died ${test === '>' ? 'after' : 'before'} ${value}`;
    if (this.isYear(column)) return `with ${article(noun)} ${test === '>' ? 'after' : 'before'} ${value}`;
    const the = isMassNoun(noun) ? noun : article(noun);
    return via === null ? `with ${the} of ${more} than ${value}` : `whose ${noun} is ${more} than ${value}`;
  }

  /** A condition that leaves out its value: in a certain city; null if it cannot be worded. */
  withheld({ place, test }: Condition, subject: ProfiledTable): string | null {
    const noun = this.about(place);
    const who = this.isPeople(subject) ? 'who' : 'that';
    if (test === 'year') return this.#inYear(place, 'a certain year', who);
    if (test !== '=' || this.isTrait(place)) return null;
    if (place.via !== null) {
      const verb = labelsOf(place.table).includes(place.column) ? this.verbOf(place) : null;
      if (verb === null) return null;
      return `${/^are \w+$/.test(verb) ? verb.slice(4) : `${who} ${verb}`} a certain ${noun}`;
    }
    if (isTime(noun) || (isOrigin(noun) && this.isPeople(subject))) return `from a certain ${noun}`;
    if (isPlace(noun) || isGroup(noun)) return `in a certain ${noun}`;
    const preposition = Object.entries(PREPOSITIONS).find(([, nouns]) => nouns.test(last(noun)))?.[0];
    return preposition === undefined ? null : `${preposition} a certain ${noun}`;
  }

  /** The verb of a reference in the plural: work at, belong to, were made by; null without one. */
  verbOf({ via }: Place): string | null {
    const verb = via === null ? undefined : this.referenceWords(via).verb;
    return verb === undefined ? null : ofMany(verb);
  }

  referenceWords({ from }: NonNullable<Place['via']>) {
    return this.#columns.get(`${from.table}\n${from.column}`)?.words ?? {};
  }

  /** Whether the values of a column are adjectives: open around the clock, not open around the clock. */
  isTrait({ column }: Place): boolean {
    const texts = Object.values(column.column.words?.codes ?? {});
    return (
      texts.length > 1 &&
      (texts.some((text) => /^not /.test(text)) ||
        texts.every((text) => /^(open|closed|active|in|on|out|still|no longer)\b/.test(text)))
    );
  }

  /** Another value for a condition of an earlier turn: And in Ashcombe? */
  instead(condition: Condition, subject: ProfiledTable, shown: Shown['kind']): readonly string[] {
    const { place, test } = condition;
    const value = this.value(condition);
    if (test === '>' || test === '<') {
      const beyond = this.#beyond(condition, value, this.about(place));
      const short = beyond
        .replace(/^with (an? )?/, '')
        .replace(/^.* (of|is) (?=(more|less) than)/, '')
        .replace(/^.* (?=(after|before) \d+$)/, '');
      return [`Make that ${short}.`, `Let's say ${short}.`];
    }
    const short = this.short(condition, subject);
    if (short === null) return [];
    const whose = /^whose .*$/.exec(this.that(condition, subject));
    if (whose !== null && place.via === null)
      return shown === 'count'
        ? [`And how many ${whose[0]}?`]
        : [`And ${shown === 'rows' ? '' : 'for '}those ${whose[0]}?`, `What about those ${whose[0]}?`];
    const isName = /^(in|at|for|from|by|about) (\p{Lu}|\d{4}$)/u.test(short);
    return isName
      ? [`And ${short}?`, `What about ${value}?`]
      : [`And ${short}?`, `What about ${short.replace(/^(for|in|at|by|from|about) /, '')}?`];
  }

  /** A condition's value in the place of another: in Ashcombe, for the species dog, nurses; null if it cannot be said. */
  short(condition: Condition, subject: ProfiledTable): string | null {
    const { place, test } = condition;
    const value = this.value(condition);
    if (test === 'year') return `in ${value}`;
    if (test !== '=' || this.isTrait(place)) return null;
    const that = this.that(condition, subject);
    if (/^in /.test(that)) return that;
    if (/^from /.test(that)) return isTime(this.about(place)) ? `for ${value}` : that;
    const noun = this.about(place);
    if (isNationality(noun)) return `the ${value} ones`;
    const people = /^who are (.*)$/.exec(that)?.[1];
    if (people !== undefined) return `the ${people}`;
    if (place.via === null) return `for the ${noun} ${asQuoted(value)}`;
    if (!labelsOf(place.table).includes(place.column)) return null;
    const verb = this.verbOf(place);
    return verb === null
      ? `for the ${noun} ${value}`
      : `${/ (at|in|by|about|from)$/.exec(verb)?.[1] ?? 'for'} ${value}`;
  }

  /** What rows do that meet a condition, with "they" or "those" before it: were hired in 2008; null if it has no verb. */
  predicate(condition: Condition, that: string): string | null {
    const { place, test } = condition;
    const verb = /^(?:who|that) (.*)$/.exec(that)?.[1];
    if (verb !== undefined) return verb;
    if (/^whose /.test(that)) return null;
    const having = /^with (.*)$/.exec(that)?.[1];
    if (having !== undefined) return `have ${having}`;
    const passive = /^(was|were) /.test(this.whenOf(place.column) ?? '');
    return (test === 'year' || this.isYear(place.column)) && passive && !/^from /.test(that)
      ? `were ${that}`
      : `are ${that}`;
  }

  /** What questions call a condition's value, in lower case. */
  slotWords({ place, test }: Condition): string[] {
    const noun = this.about(place).toLowerCase();
    const more = [
      ...(place.column.column.words?.synonyms ?? []),
      ...(isPlace(noun) ? ['where', 'place', 'location'] : []),
      ...(test === 'year' ? ['year', 'when', 'date'] : []),
      ...(place.via !== null ? [this.one(place.table), 'who'] : []),
    ];
    return [...new Set([noun, ...noun.split(/[ -]/).filter((word) => word.length > 3), ...more])];
  }
}

/** Names of columns that are no noun of their own. */
const AWKWARD =
  /\b(id|ids|code|no|nr|num|number|flag|url|key|index|gname|lname|fname)\b|^(is|has|if|total|average|avg|count|value|values|amount|info|other|others|note|notes|text|details|description|date|type|status|level|rank|result|order|highest|lowest|milliseconds|seconds|minutes|duration)$|^(is|has|if) /;

/** Several words that are no name need marks in a sentence: whose status is “never collected”. */
function asQuoted(value: string): string {
  return /^\p{Ll}.* /u.test(value) ? `“${value}”` : value;
}

function last(text: string): string {
  return text.split(' ').at(-1) ?? '';
}

export function isPlace(noun: string): boolean {
  return isPlaceNoun(last(noun));
}

/** Prepositions before what a row has one of: of a certain species, in a certain condition. */
const PREPOSITIONS = {
  of: /^(species|breed|type|kind|family|genre|sort|nationality|age|size|colou?r|school|rank|grade|class|style|form|make|model)$/,
  in: /^(condition|state|language|currency|phase)$/,
  with: /^(role|position|job|title|status|reason|cause|result|purpose|instrument|subject|profession|occupation|method|priority)$/,
} as const;

/** People are from a country, whatever town they are in. */
function isOrigin(noun: string): boolean {
  return last(noun) === 'country';
}

function isNationality(noun: string): boolean {
  return /^(nationality|sex|gender)$/.test(last(noun));
}

function isGroup(noun: string): boolean {
  return (
    noun !== 'blood group' &&
    /^(category|group|class|division|league|department|section|ward)$/.test(last(noun))
  );
}

function isTime(noun: string): boolean {
  return /^(year|season)$/.test(noun);
}

function isRole(noun: string): boolean {
  return /^(role|position|job|profession|occupation|job title)$/.test(noun);
}

export function isPersonNoun(value: string): boolean {
  const word = last(value);
  return /^[a-z]/.test(value) && (isPerson({ one: [word] }) || /(er|or|ist|ian|vet|nurse)$/.test(word));
}

/** 30000 → 30,000 */
function number(value: Value | null): string {
  const text = String(value);
  const [whole = '', fraction] = text.split('.');
  const grouped = whole.length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, ',') : whole;
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}
