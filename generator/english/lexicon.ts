import type { Catalog, CatalogColumn, CatalogTable } from '../../contracts/catalog.ts';
import type { Question } from '../../contracts/split.ts';
import { isReferenceTo, soleKey } from '../../sql/index.ts';
import { isReferring } from './clause.ts';
import {
  ABBREVIATIONS,
  abbreviates,
  COMMON_WORDS,
  commonLead,
  FUNCTION_WORDS,
  GENERIC_WORDS,
  isCountable,
  isPerson,
  KEY_WORDS,
  lowerWords,
  PAIRS,
  PREPOSITION,
  plural,
  sameWords,
  segment,
  singular,
  splitWords,
  translated,
  withVowels,
} from './words.ts';

/** The noun for a table's rows: `school`, `schools`. In lower case, ready for names. */
interface Noun {
  readonly one: readonly string[];
  readonly many: readonly string[];
}

/** The noun of what several rows of an owner may have, with the whole noun for each one's. */
interface SharedNoun extends Noun {
  readonly text: { readonly one: string; readonly many: string };
  readonly owner: string;
}

const ACRONYMS: ReadonlySet<string> = new Set(
  'APR ID URL UUID GUID URI API HTML XML JSON PDF SAT ACT GPA GNP GDP USD EUR ISBN ISSN SSN TV US USA UK EU IP VAT'.split(
    ' ',
  ),
);

/** Words so common that their abbreviations are unambiguous. */
const GENERIC_PARTS: ReadonlySet<string> = new Set(
  `first last middle name quantity amount address year years percent latitude longitude date of birth code description
  group flag hours number issued indicator duration type score status total price limit unit item created updated
  city term weight header detail level user message label language history`.split(/\s+/),
);

/** With fewer words, a domain's language cannot be judged. */
const FEW_WORDS = 60;

/** With so many words of another language, identifiers are in it. */
const MANY_FOREIGN = 6;

/** The longest name a column gets from a sentence about it. */
const MOST_WORDS = 6;

/** The words for the tables and columns of a domain, in names and in prose. */
export class Lexicon {
  readonly #vocabulary: Vocabulary;
  readonly #nouns = new Map<string, Noun>();
  readonly #shared = new Map<string, SharedNoun>();
  readonly #columns = new Map<string, readonly string[]>();
  readonly #texts = new Map<string, string>();
  /** Whether most of the domain's identifiers are not words of its questions and descriptions. */
  readonly #isForeign: boolean;
  /** Whether its identifiers are German, Spanish or French. */
  readonly #isTranslated: boolean;
  /** Whether all its identifiers are in capitals. */
  readonly #isShouted: boolean;
  /** How many words the names of all tables begin with: `t_`. */
  readonly #frame: number;
  readonly #isSecret: (prose: string) => boolean;

  /** `isSecret`: whether prose holds a value that a question of the domain chooses. */
  constructor(
    catalog: Catalog,
    questions: readonly Question[],
    isSecret: (prose: string) => boolean = () => false,
  ) {
    this.#isSecret = isSecret;
    this.#vocabulary = vocabularyOf(catalog, questions);
    const names = catalog.tables.flatMap(({ name, columns }) => [name, ...columns.map((one) => one.name)]);
    const words = new Set(names.flatMap(lowerWords));
    this.#isTranslated =
      [...words].filter((word) => !COMMON_WORDS.has(word) && translated(word)).length >= MANY_FOREIGN;
    this.#isShouted = names.every((name) => name === name.toUpperCase());
    const lead = commonLead(catalog.tables.map(({ name }) => lowerWords(name)));
    this.#frame = catalog.tables.length < 3 || lead.some((word) => this.isPlain([word])) ? 0 : lead.length;
    this.#isForeign = !this.#isTranslated && this.#knownShare(names) < 0.5;
    for (const table of catalog.tables) this.#nouns.set(table.name, this.#nounOf(table, catalog.tables));
    for (const table of catalog.tables) {
      const referred = table.foreign_keys.map(({ references_table: name }) => name);
      this.#nameColumns(table, [table.name, ...referred]);
    }
    for (const table of catalog.tables) this.#shorten(table, catalog.tables);
  }

  noun(table: string): Noun {
    return this.#nouns.get(table) ?? { one: ['row'], many: ['rows'] };
  }

  /**
   * Shortens a noun that begins with that of another table: the names of cars, one each, are cars; the languages that rows
   * of countries have, each once, are languages.
   */
  #shorten(table: CatalogTable, all: readonly CatalogTable[]): void {
    const { one } = this.noun(table.name);
    const other = all.find(({ name }) => {
      const lead = this.noun(name).one;
      return lead.length < one.length && sameWords(one.slice(0, lead.length), lead);
    });
    if (other === undefined || table.words !== undefined) return;
    if (isSameRows(table, other) || isSameRows(other, table))
      return void this.#nouns.set(table.name, this.noun(other.name));
    const rest = one.slice(this.noun(other.name).one.length);
    const keys = table.columns.filter(({ primary_key }) => primary_key > 0);
    const named = keys.some(({ name }) => sameWords(this.column(table.name, name), rest));
    const refers = keys.some((column) => isReferenceTo({ table, column }, other));
    const taken = all.some(({ name }) => sameWords(this.noun(name).one, rest));
    if (keys.length !== 2 || !named || !refers || taken) return;
    const noun = { one: rest, many: plural(rest) };
    const text = { one: one.join(' '), many: this.noun(table.name).many.join(' ') };
    this.#shared.set(table.name, { ...noun, text, owner: other.name });
    this.#nouns.set(table.name, noun);
  }

  /** The whole noun for rows that several rows of their owner share, such as languages: country languages; undefined for others. */
  shared(table: string): SharedNoun | undefined {
    return this.#shared.get(table);
  }

  /** The words of a column's name, in the case of prose (`CDS`, `ID`), without its table's. */
  column(table: string, column: string): readonly string[] {
    return this.#columns.get(key(table, column)) ?? ['value'];
  }

  /** The same in a sentence: average scores in Math, enrollment (K-12). */
  columnText(table: string, column: string): string {
    return this.#texts.get(key(table, column)) ?? 'value';
  }

  /** Whether a constant of a query may be shown: no question chooses it. */
  mayShow(constant: string): boolean {
    return !this.#isSecret(constant);
  }

  /** Whether every word is in the domain's vocabulary. */
  isPlain(words: readonly string[]): boolean {
    return words.every((word) => this.#isPlainWord(word.toLowerCase()));
  }

  /** Whether a column's name means little without its table's. */
  isGeneric(words: readonly string[]): boolean {
    return words.length === 1 && words.every((word) => GENERIC_WORDS.has(word.toLowerCase()));
  }

  /** Whether words only name a key: `id`. */
  isKeyWord(words: readonly string[]): boolean {
    return words.length === 1 && KEY_WORDS.has(words[0]?.toLowerCase() ?? '');
  }

  /** The words of an identifier: compounds are split, abbreviations that the domain does not use are written out. */
  spell(identifier: string): readonly string[] {
    const words = splitWords(identifier);
    // Alone it is not an adjective.
    if (/^long$/i.test(identifier)) return ['longitude'];
    const shouts = this.#isShouted || (words.length > 1 && words.join('') === words.join('').toUpperCase());
    const spelled = (shouts ? words.map((word) => word.toLowerCase()) : words).flatMap((word, i) => {
      const lower = word.toLowerCase();
      const foreign = this.#isTranslated ? translated(lower) : undefined;
      if (foreign !== undefined) return foreign;
      const known = this.#vocabulary.words.has(lower);
      const pair = known ? undefined : PAIRS.get(`${lower} ${words[i + 1]?.toLowerCase()}`);
      const full = known ? undefined : (pair ?? this.#writtenOut(lower));
      return full ?? segment(lower, this.#vocabulary.words) ?? [word];
    });
    // In Romance languages the head comes first: fecha devolucion is a return date.
    const turned =
      this.#isTranslated && spelled.length === 2 && /^(date|amount|price|year)$/.test(spelled[0] ?? '');
    return turned ? spelled.toReversed() : spelled;
  }

  /** The share of known words in the names of tables and columns; 1 if the vocabulary is too small to judge. */
  #knownShare(names: readonly string[]): number {
    if (this.#vocabulary.own.size < FEW_WORDS) return 1;
    const words = names.flatMap((name) => splitWords(name)).filter((word) => word.length > 2);
    const known = words.filter(
      (word) =>
        segment(word.toLowerCase(), this.#vocabulary.words) !== null || this.#isPlainWord(word.toLowerCase()),
    );
    return words.length === 0 ? 1 : known.length / words.length;
  }

  /** The word of an abbreviation, if the domain uses that word: `emp` may be an empresa. */
  #writtenOut(word: string): readonly string[] | undefined {
    const full = ABBREVIATIONS.get(word);
    if (full === undefined) return withVowels(word);
    const { own } = this.#vocabulary;
    // Projects that were started have a start.
    const isUsed = (part: string) =>
      GENERIC_PARTS.has(part) || [...own].some((known) => known.startsWith(part));
    if (own.size >= FEW_WORDS && !full.every(isUsed)) return undefined;
    // If the schema has production but not product, prod is production.
    const isOther = (part: string) => !own.has(part) && own.has(`${part}ion`);
    return own.size < FEW_WORDS ? full : full.map((part) => (isOther(part) ? `${part}ion` : part));
  }

  #isPlainWord(word: string): boolean {
    return /^\d+(st|nd|rd|th)?$/.test(word) || this.#vocabulary.words.has(word.replace(/\d+$/, ''));
  }

  #nounOf(table: CatalogTable, all: readonly CatalogTable[]): Noun {
    const { one: own = null, many: several = null } = table.words ?? {};
    if (own !== null) return { one: own.split(' '), many: several?.split(' ') ?? plural(own.split(' ')) };
    const bareName = (name: string) => splitWords(name).slice(this.#frame).join('_');
    const raw = this.#frame === 0 ? table.name : bareName(table.name);
    // The stats of a player are no statuses.
    const name = /^stats?$/i.test(splitWords(raw).at(-1) ?? '') ? raw.replace(/stats?$/i, 'Statistics') : raw;
    const chosen = this.#keyNoun(table) ?? this.#choose(name, table.friendly_name, null);
    const framed = chosen ?? ['table', String(all.indexOf(table) + 1)];
    const others = all
      .filter((other) => other !== table)
      .map((other) => withoutFrame(this.spell(bareName(other.name))));
    const bare = withoutFrame(framed);
    const bareOne = singular(bare);
    const words = (others.some((other) => sameWords(singular(other), bareOne)) ? framed : bare).map((word) =>
      this.#inProse(word),
    );
    if (!isCountable(words)) {
      // Records of milk_in are milk-in records, not milk in records.
      const whole = words.length > 1 && PREPOSITION.test(words.at(-1) ?? '') ? [words.join('-')] : words;
      return { one: whole, many: [...whole, 'records'] };
    }
    const one = singular(words);
    const many = plural(one);
    // Abbreviations have no plural: `frpm records`.
    const last = one.at(-1)?.toLowerCase() ?? '';
    // A word of another language has no English plural.
    const isWord =
      /[aeiouy]/.test(last) &&
      (this.#isPlainWord(last) ||
        isPerson({ one }) ||
        (this.#isTranslated
          ? translated(lowerWords(table.name).at(-1) ?? '') !== undefined
          : WORDLIKE.test(last) && !this.#isForeign));
    // A table called Dogs has dogs, though no prose of the domain has the word.
    const isPlural = /[aeiouy]/.test(last) && !sameWords(one, words) && sameWords(many, words);
    if ((isWord || isPlural) && !sameWords(one, many)) return { one, many };
    return isWord && this.#isPlainWord(last)
      ? { one: words, many: words }
      : { one: words, many: [...words, 'records'] };
  }

  /** `disp` with a key `disp_id`, described as "disposition id", has dispositions. */
  #keyNoun(table: CatalogTable): readonly string[] | null {
    const key = soleKey(table);
    if (key === null) return null;
    const raw = withoutKey(this.spell(key.name));
    const called = withoutKey(this.#choose(key.name, key.friendly_name, null) ?? []);
    return sameWords(raw, this.spell(table.name)) && !sameWords(raw, called) && called.length > 0
      ? called
      : null;
  }

  /** Words whose first is an abbreviation of a table, such as `br_cd` of branches. */
  #ofTable(words: readonly string[], tables: readonly string[]): readonly string[] {
    const [first = '', ...rest] = words.map((word) => word.toLowerCase());
    // A host is no abbreviation of a show host.
    const isNoun = this.isPlain([first]) || tables.some((table) => sameWords(this.noun(table).one, [first]));
    if (rest.length === 0 || PREPOSITION.test(rest[0] ?? '') || isNoun) return words;
    const nouns = tables.map((table) => [this.noun(table).one, lowerWords(table).at(-1) ?? ''] as const);
    const [found = null] =
      nouns.find(
        ([noun, raw]) => raw === first || [raw, noun.at(-1) ?? ''].some((full) => abbreviates(first, full)),
      ) ?? [];
    return found === null ? words : [...found, ...words.slice(1)];
  }

  #nameColumns(table: CatalogTable, tables: readonly string[]): void {
    const taken = new Map<string, string>();
    const all = table.columns.map((column, i) => {
      if (column.words?.noun !== undefined) return column.words.noun.split(' ');
      const words = this.#choose(column.name, column.friendly_name, column.description, tables);
      const [lead = '', ...rest] = words ?? ['column', String(i + 1)];
      // A room is known by its number.
      const isKey = column.primary_key > 0 || isReferring({ table, column });
      const numbered = isKey && /^(num|number|no|nr)$/i.test(lead) && rest.length > 0 && rest[0] !== 'of';
      const [to, ...linked] = rest;
      if (isReferring({ table, column }) && linked.length > 0 && /^link to$/i.test(`${lead} ${to}`))
        return [...linked, 'ID'];
      return numbered ? [...rest, 'number'] : [lead, ...rest];
    });
    // Beside a last name, a name is a first name.
    const has = (part: RegExp) => all.some((words) => part.test(words.join(' ')));
    const [first, last] = [has(/^(first name|forename)$/i), has(/^(last name|surname)$/i)];
    const named = all.map((words) =>
      first !== last && /^name$/i.test(words.join(' ')) ? [first ? 'last' : 'first', 'name'] : words,
    );
    named.forEach((words, i) => {
      const column = table.columns[i] as CatalogColumn;
      const { noun } = column.words ?? {};
      if (noun !== undefined) {
        taken.set(noun.toLowerCase(), column.name);
        this.#columns.set(key(table.name, column.name), words);
        this.#texts.set(key(table.name, column.name), noun);
        return;
      }
      // Two columns with the same friendly name keep their own names.
      const clash = named.some((other, j) => i !== j && sameWords(other, words));
      const raw = splitWords(column.name);
      const chosen = clash && raw.length > 0 ? raw : words;
      const text = chosen.join(' ').toLowerCase();
      const last = taken.has(text) ? [...chosen, String(i + 1)] : chosen;
      taken.set(last.join(' ').toLowerCase(), column.name);
      this.#columns.set(
        key(table.name, column.name),
        last.map((word) => this.#inProse(word)),
      );
      this.#texts.set(key(table.name, column.name), this.#textOf(column, last));
    });
  }

  /** A column's friendly name, or its own name if that is readable. */
  #textOf(column: CatalogColumn, words: readonly string[]): string {
    const own = sameWords(words, tidy(this.spell(column.name)));
    const written = own ? column.name : column.friendly_name;
    if (written !== null && /\s/.test(written.trim()) && isFrom(words, written))
      return this.#proseOf(written);
    const text = words.map((word) => this.#inProse(word)).join(' ');
    return text
      .replace(/^num(ber)? (?!of\b)(?=\S+s\b)/, 'number of ')
      .replace(/^num /, 'number of ')
      .replace(/\bnum\b/, 'number')
      .replace(/^number of (\p{L}+)$/u, (_, word) => `number of ${plural([word]).join(' ')}`)
      .replace(/\bavg\b/, 'average')
      .replace(/^(max|min) (?=[a-z]+[^s]s$)/, '$1imum number of ')
      .replace(/^(max|min) /, '$1imum ')
      .replace(/\bzip$/, 'zip code')
      .replace(/\b(phone|telephone|fax)$/, '$1 number')
      .replace(/\bt shirt\b/, 'T-shirt')
      .replace(/\w+/g, (word) => {
        const full = ABBREVIATIONS.get(word) ?? [];
        return full.length > 0 && full.every((one) => GENERIC_PARTS.has(one)) ? full.join(' ') : word;
      })
      .replace(LAST_YEAR, ' in $1');
  }

  /** A written name inside a sentence, without initial capitals. */
  #proseOf(text: string): string {
    const clean = text
      .replace(/[()\s]*\b[Yy]\/[Nn]\b[()\s]*/g, ' ')
      .replace(/_/g, ' ')
      .replace(/(?<=[a-z]{2})(?=[A-Z][a-z])/g, ' ')
      .replace(/ ?\(%\)/g, '')
      .replace(/^percent /i, 'percentage ')
      .trim()
      .replace(/[.,;:]+$/, '');
    return clean
      .replace(/[A-Za-z]+/g, (word) => (/^[A-Z]?[a-z]+$|^[A-Z]+s?$/.test(word) ? this.#inProse(word) : word))
      .replace(/^no\. of /, 'number of ')
      .replace(/\bavg\b/, 'average')
      .replace(/^(average (?:score|mark|grade|rating|price|wage|temperature|speed))s (?=in |on |at )/, '$1 ')
      .replace(/\bzip$/, 'zip code')
      .replace(LAST_YEAR, ' in $1');
  }

  /** A word in prose: acronyms stay in capitals, known words do not. */
  #inProse(word: string): string {
    if (word.length === 1) return word;
    const upper = word.toUpperCase();
    if (ACRONYMS.has(upper)) return upper;
    // The acts of a play are no tests.
    if (ACRONYMS.has(upper.slice(0, -1)) && upper.endsWith('S') && upper !== 'ACTS')
      return `${upper.slice(0, -1)}s`;
    if (/^ID\d+$/.test(upper)) return upper;
    const lower = word.toLowerCase();
    const spoken = this.#vocabulary.spoken.has(lower) && !NO_NOUN.test(word);
    // Without vowels it is an acronym if prose has it only in capitals: FRPM.
    const acronym = word === upper || (/^[^aeiouy\d]{3,}$/.test(lower) && this.#vocabulary.own.has(lower));
    return acronym && word.length <= 5 && !spoken ? upper : lower;
  }

  /** The name itself if it is plain, else a friendly name or short description; null if none is legible. */
  #choose(
    name: string,
    friendly: string | null,
    description: string | null,
    tables: readonly string[] = [],
  ): readonly string[] | null {
    const own = tidy(this.#ofTable(this.spell(name), tables));
    const guessed = lowerWords(name).some(
      (word) => (!this.isPlain([word]) && /^.[^aeiou\d]{2,}$/.test(word)) || /^[a-z]{1,2}\d$/i.test(name),
    );
    const fuller = friendly !== null && inflects(splitWords(friendly), own);
    if (own.length > 0 && this.isPlain(own) && !(friendly !== null && (guessed || fuller || isAwkward(own))))
      return own;
    for (const prose of [friendly, shortDescription(description)]) {
      const words = prose === null ? [] : tidy(concise(splitWords(prose)));
      if (words.length > 0 && words.length <= MOST_WORDS && this.isPlain(words)) return words;
    }
    return own.length > 0 ? own : null;
  }
}

/** Words of five letters, of four that are seldom abbreviations (site, team), and of three that abbreviate nothing. */
const WORDLIKE =
  /^(\w{5,}|\w\w[^aeiou]e|\w[aeiou]{2}\w|\w[aeiou](?:ll|nk|rk|rd|lm|ng|rm|ck|sh|sk)|play|shop|club|port|ship|plan|test|trip|gym|lot|kit|lab|zoo|pub|inn|van|pet|dog|cat|cow|pig|bed|bus|box|bag|job|toy|pie|oil)$/;

/** The year that a name ends with: unemployment rate 1996. */
const LAST_YEAR = /(?<=\p{L}) ((?:19|20)\d\d)$/u;

/** Whether a name is a question or a preposition, such as `why` and `from`, for which a friendly name is better. */
function isAwkward(words: readonly string[]): boolean {
  const [first = '', ...others] = words;
  return (
    /^(how|who|what|when|where|why|which)$/i.test(first) || (others.length === 0 && PREPOSITION.test(first))
  );
}

/** Whether words are others with endings: meeting day for meet day. */
function inflects(words: readonly string[], others: readonly string[]): boolean {
  const starts = (word: string, i: number) => {
    const other = others[i]?.toLowerCase() ?? '';
    return word.toLowerCase() === other || (other.length > 3 && word.toLowerCase().startsWith(other));
  };
  return words.length === others.length && !sameWords(words, others) && words.every(starts);
}

/** Common words that are not nouns: in capitals they are acronyms. */
const NO_NOUN = /^(got|was|can|are|not|did|had|may|who|how|why|its)$/i;

/** Kinds of names of a person or thing: the last one, a short one. */
export const NAME_PART = /^(first|last|middle|given|family|maiden|full|short|long|display)$/i;

/** Removes words without meaning: `(Y/N)`, the acronym of the words before it. Moves digits from the front. */
function tidy(words: readonly string[]): readonly string[] {
  let kept = [...words];
  const text = kept.join(' ').toLowerCase();
  const question = text.match(/ (?:yn|yes no|yes or no)$/);
  if (question !== null) kept = kept.slice(0, text.slice(0, question.index).split(' ').length);
  const last = kept.at(-1) ?? '';
  const initials = kept
    .slice(-1 - last.length, -1)
    .map((word) => word[0]?.toLowerCase())
    .join('');
  if (last.length > 1 && initials === last.toLowerCase()) kept = kept.slice(0, -1);
  if (/^(?:num|number|no)$/i.test(kept[0] ?? '') && kept[1]?.toLowerCase() === 'of')
    kept = ['num', ...kept.slice(2)];
  if (kept.at(-2)?.toLowerCase() === 'name' && NAME_PART.test(kept.at(-1) ?? ''))
    kept = [...kept.slice(0, -2), ...kept.slice(-1), ...kept.slice(-2, -1)];
  if (kept.length > 1 && /^id$/i.test(kept[0] ?? '')) kept = [...kept.slice(1), ...kept.slice(0, 1)];
  // The GNP of before is the old GNP.
  if (kept.length > 1 && /^(old|new)$/i.test(kept.at(-1) ?? ''))
    kept = [...kept.slice(-1), ...kept.slice(0, -1)];
  if (kept.length > 1 && /^(no|nr)$/i.test(kept.at(-1) ?? '')) kept = [...kept.slice(0, -1), 'number'];
  // A name never begins with a digit: JavaScript would move such a key to the front.
  if (kept.length > 0 && kept.every((word) => /^\d/.test(word))) kept = ['column', ...kept];
  const letters = kept.findIndex((word) => !/^\d/.test(word));
  return letters > 0 ? [...kept.slice(letters), ...kept.slice(0, letters)] : kept;
}

/** A table's name without words that only mean table: `tbl_cars`, `model_list`, `cars_data`, `orders_10k`, `EMP_MSTR_01`. */
function withoutFrame(words: readonly string[]): readonly string[] {
  const bare = words.filter(
    (word, i) =>
      !(
        i === 0 && words.length > 2 ? /^(ref|reference|tbl|dim)$/i : /^(tbl|table|tb|mstr|mst|header)$/i
      ).test(word),
  );
  const kept = bare.length > 0 ? bare : words;
  const before = kept.slice(0, -1);
  const last = kept.at(-1)?.toLowerCase() ?? '';
  if (before.length === 0) return kept;
  if (/^(list|info|information|profile|\d+[km]?)$/.test(last)) return withoutFrame(before);
  if (/[a-z]{3}\d+$/.test(last)) return [...before, last.replace(/\d+$/, '')];
  return last === 'data' && !sameWords(singular(before), before) ? before : kept;
}

/** Whether two tables have the same rows: the key of one refers to the other's, and they have as many. */
function isSameRows(table: CatalogTable, other: CatalogTable): boolean {
  const key = soleKey(table);
  const [rows, others] = [table, other].map(({ columns }) => columns[0]?.statistics.rows);
  return (
    key !== null && soleKey(other) !== null && isReferenceTo({ table, column: key }, other) && rows === others
  );
}

/** The words of a key's name without those that mean key: `eye_colour_id` → eye colour. */
export function withoutKey(words: readonly string[]): readonly string[] {
  let kept = [...words];
  if (kept[0]?.toLowerCase() === 'link' && kept[1]?.toLowerCase() === 'to') kept = kept.slice(2);
  if (/^(fk|pk)$/i.test(kept[0] ?? '')) kept = kept.slice(1);
  while (kept.length > 1 && KEY_WORDS.has(kept.at(-1)?.toLowerCase() ?? '')) kept = kept.slice(0, -1);
  return kept;
}

/** A description that is a name rather than a sentence: `date of birth`. */
function shortDescription(description: string | null): string | null {
  if (description === null || /[,;:.!?]\s|\n/.test(description.trim())) return null;
  const words = splitWords(description);
  const capitals = words.filter((word) => /^[A-Z][a-z]/.test(word)).length;
  return words.length <= 4 && capitals < 2 ? description : null;
}

/** `Number of Test Takers` → num Test Takers: articles go, and counting words get short. */
function concise(words: readonly string[]): readonly string[] {
  const text = words.join(' ');
  const short = text
    .replace(/^(?:the )?(?:number|no|total number|num) of (?:the )?/i, 'num ')
    .replace(/\baverages?\b/gi, 'avg')
    .replace(/\b(?:[Tt]he|[Aa]n|a)\b ?|^A /g, '')
    .replace(/\bidentification number\b/gi, 'id')
    .replace(/\bpercentage\b/gi, 'percent');
  const kept = short.split(' ').filter((word) => word !== '');
  if (kept.length <= 4) return kept;
  return kept.filter((word) => !FUNCTION_WORDS.has(word.toLowerCase()));
}

/** Whether a name was made from a text: most of its words are in it. */
function isFrom(words: readonly string[], text: string): boolean {
  const inText = new Set(splitWords(text).map((word) => word.toLowerCase()));
  const kept = words.filter((word) => inText.has(word.toLowerCase())).length;
  return kept * 2 > words.length;
}

function key(table: string, column: string): string {
  return JSON.stringify([table, column]);
}

/** The words of a domain's prose, in lower case. */
interface Vocabulary {
  readonly words: ReadonlySet<string>;
  /** Words that are not always in capitals, as acronyms are. */
  readonly spoken: ReadonlySet<string>;
  /** Words of the domain's own prose, without the words that are common everywhere. */
  readonly own: ReadonlySet<string>;
}

/**
 * The words of a domain's questions and descriptions. A word of an identifier that is not among them is an
 * abbreviation.
 */
function vocabularyOf(catalog: Catalog, questions: readonly Question[]): Vocabulary {
  const words = new Set(COMMON_WORDS);
  const spoken = new Set(COMMON_WORDS);
  const own = new Set<string>();
  const add = (prose: string | null) => {
    // Tokens with capitals, digits or underscores inside are identifiers quoted in prose.
    for (const [word] of (prose ?? '').matchAll(/(?<![\w'’`])(?:[A-Za-z][a-z]+|[A-Z]{2,})(?![\w`])/g)) {
      const lower = word.toLowerCase();
      for (const form of [lower, ...singular([lower]), ...plural([lower])]) {
        words.add(form);
        own.add(form);
        if (word !== word.toUpperCase()) spoken.add(form);
      }
    }
  };
  for (const { question } of questions) add(question);
  for (const table of catalog.tables) {
    add(table.description);
    addFriendly(table.friendly_name, table.name, add);
    for (const { words: own } of [table, ...table.columns])
      add(own === undefined ? null : JSON.stringify(own));
    for (const column of table.columns) {
      add(column.description === column.name ? null : column.description);
      add(column.value_description);
      addFriendly(column.friendly_name, column.name, add);
    }
  }
  return { words, spoken, own };
}

/** Adds a friendly name unless it only repeats the name. */
function addFriendly(friendly: string | null, name: string, add: (prose: string) => void): void {
  if (friendly === null) return;
  if (lowerWords(friendly).join() !== lowerWords(name).join()) add(friendly);
}
