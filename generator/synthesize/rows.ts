import type Database from 'better-sqlite3';
import type { CatalogColumn, CatalogTable } from '../../contracts/catalog.ts';
import { keyOf } from '../../contracts/records.ts';
import { quoteText } from '../../sql/index.ts';
import { columnText, eventOf, isNo, isUnit, isYesNo } from '../english/column-text.ts';
import { withoutKey } from '../english/lexicon.ts';
import { countedText } from '../english/noun-phrase.ts';
import {
  COMMON_WORDS,
  doerOf,
  inPlace,
  isPerson,
  isPlaceNoun,
  PREPOSITION,
  plural,
  sameWords,
  singular,
} from '../english/words.ts';
import type { Random } from '../variants/random.ts';
import { isUnspoken } from './asked-columns.ts';
import {
  type Profile,
  type ProfiledColumn,
  type ProfiledTable,
  peopleOf,
  type Reference,
} from './profile.ts';
import { identifier } from './query-builder.ts';
import { isName, meaningOf, type Wording } from './wording.ts';

export type RecordValue = string | number | bigint | null;
export type RecordRow = Readonly<Record<string, RecordValue>>;

/** A row in words that hold for no other, and as a condition. */
export interface DescribedRow {
  readonly table: ProfiledTable;
  readonly row: RecordRow;
  /** `the patient Bella whose owner is Anna Smith` */
  readonly text: string;
  /** The same after a noun for it, such as `patient:`. */
  readonly short: string;
  readonly where: string;
  /** Columns of the description, whose values must stay for it to hold. */
  readonly columns: readonly string[];
  /** Whether more than a name describes it. */
  readonly hasClause: boolean;
}

/** One fact of a row by which it is described. */
interface Fact {
  readonly columns: readonly string[];
  readonly where: string;
  /** The same, if capitals make no difference. */
  readonly loose?: string;
  /** After the noun: `Bella`. */
  readonly name?: string;
  /** After the noun, without an article before it: `visit 4711`. */
  readonly number?: string;
  /** After `that`: `took place on 2024-05-01`. */
  readonly does?: string;
  /** After `whose`: `type is emergency`. */
  readonly has?: string;
  /** The same without `whose`, if nothing follows: `of the gym Crux`, `in Bonn`. */
  readonly of?: string;
  /** Whether a clause of its own follows in it, so that it must come last. */
  readonly isLong?: boolean;
}

/** The rows of a database, and how people speak of them. */
export class Rows {
  readonly profile: Profile;
  readonly tables: readonly ProfiledTable[];
  readonly random: Random;
  readonly #db: Database.Database;
  readonly #wording: Wording;

  constructor(profile: Profile, connection: Database.Database, wording: Wording, random: Random) {
    this.profile = profile;
    this.random = random;
    this.#db = connection;
    this.#wording = wording;
    this.tables = profile.tables.filter(
      ({ table }) =>
        keyOf(table) !== null && isProse(this.one(table)) && !this.many(table).endsWith(' records'),
    );
  }

  one(table: Pick<CatalogTable, 'name'>): string {
    return this.#nouns(table).one.join(' ');
  }

  many(table: Pick<CatalogTable, 'name'>): string {
    return this.#nouns(table).many.join(' ');
  }

  /** Before what a row has: `its price`, `their salary`. */
  its(table: Pick<CatalogTable, 'name'>): string {
    return isPeople(this.one(table)) ? 'their' : 'its';
  }

  /** What several rows have: `closing dates`, `values in dispute`. */
  nouns(table: CatalogTable, column: CatalogColumn): string {
    const [, head = '', rest = ''] =
      /^(.*?)((?: (?:of|in|for|per|with|to|from|at|on)\b.*)?)$/.exec(this.noun(table, column)) ?? [];
    return `${plural(head.split(' ')).join(' ')}${rest}`;
  }

  /** A table `Dogs` has dogs, even if no text of the domain has the word. */
  #nouns({ name }: Pick<CatalogTable, 'name'>) {
    const { one, many } = this.#wording.lexicon.noun(name);
    const single = singular(one);
    const isPlural = many.at(-1) === 'records' && sameWords(plural(single), one) && !sameWords(single, one);
    return isPlural ? { one: single, many: one } : { one, many };
  }

  /** What a column is called; a reference, what it refers to. */
  noun(table: CatalogTable, column: CatalogColumn): string {
    const { lexicon } = this.#wording;
    const { noun } = column.words ?? {};
    if (noun !== undefined) return noun;
    const reference = this.referenceOf(table, column.name);
    if (!reference) return this.#quantity(table, column).noun;
    const words = withoutKey(lexicon.column(table.name, column.name));
    const parent = this.one({ name: reference.to.table });
    // The `sku` of a line is its product, as that is known by its own `sku`.
    const isKey = reference.to.column.toLowerCase() === column.name.toLowerCase();
    if (isKey || lexicon.isKeyWord(words) || isAcronym(words)) return parent;
    return (doerOf(words, parent.split(' ')) ?? words).join(' ');
  }

  /** A column's noun apart from its unit; what it is a number of. */
  #quantity(table: CatalogTable, column: CatalogColumn): { readonly noun: string; readonly unit?: string } {
    const { lexicon } = this.#wording;
    const text = columnText({ table, column }, lexicon, lexicon.column(table.name, column.name));
    const [, noun = text, unit] =
      (column.type === 'string' ? null : /^(.+) in (\p{L}+2?)$/u.exec(text)) ?? [];
    if (unit !== undefined && isUnit(unit)) return { noun, unit };
    return { noun: column.type === 'integer' ? countedText(text) : text };
  }

  /** What happened to a row on a date, by the column's name: `was hired`, `is dated`. */
  #event(table: CatalogTable, column: CatalogColumn): string | undefined {
    const own = this.noun(table, column).replace(/^date of (.+)$/, '$1 date');
    const [isDate, of = ''] = /^(?:(.+) )?date$/.exec(own) ?? [];
    const event = eventOf(this.#wording.lexicon.column(table.name, column.name)) ?? undefined;
    if (event !== undefined && / time$/.test(own)) return event;
    if (isDate !== undefined && (of === '' || ` ${this.one(table)}`.endsWith(` ${of}`))) return 'is dated';
    return event;
  }

  /** The noun with its verb: `type is`, `cylinders are`. */
  nounIs(table: CatalogTable, column: CatalogColumn): string {
    const noun = this.noun(table, column);
    const head = noun.split(' of ')[0]?.split(' ').at(-1) ?? '';
    const isPlural = /[^su]s$/.test(head) && !/is$/.test(head) && singular([head])[0] !== head;
    return `${noun} ${isPlural ? 'are' : 'is'}`;
  }

  /** Whether a column is called by a noun, not by a question such as `is_male`. */
  isNamed(table: CatalogTable, column: CatalogColumn): boolean {
    return !/^(is|has|have|was|can|if|whether|does)\b/i.test(this.noun(table, column));
  }

  table(name: string): ProfiledTable | undefined {
    return this.tables.find(({ table }) => table.name === name);
  }

  referenceOf(table: CatalogTable, column: string): Reference | undefined {
    return this.profile.references.find(({ from }) => from.table === table.name && from.column === column);
  }

  /** The references to a table's rows, declared or not. */
  referencesTo(table: CatalogTable): readonly Reference[] {
    return this.profile.references.filter(({ to }) => to.table === table.name);
  }

  /** The columns of each UNIQUE constraint or primary key; a key that SQLite numbers itself is not among them. */
  uniqueKeys({ name }: CatalogTable): readonly (readonly string[])[] {
    const found = this.query(
      `SELECT l.name AS i, c.name AS c FROM pragma_index_list(${quoteText(name)}) AS l, pragma_index_info(l.name) AS c WHERE l."unique" = 1 AND l.partial = 0`,
    );
    const indexes = [...new Set(found.map(({ i }) => i))];
    return indexes.map((index) => found.filter(({ i }) => i === index).map(({ c }) => String(c)));
  }

  /** The text of a table's CHECK constraints; '' without any. */
  checks({ name }: CatalogTable): string {
    const [row] = this.query(
      `SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ${quoteText(name)}`,
    );
    return /\bCHECK\b.*/is.exec(String(row?.sql ?? ''))?.[0] ?? '';
  }

  query(sql: string): RecordRow[] {
    return this.#db
      .prepare<[], Record<string, RecordValue | Buffer>>(sql)
      .safeIntegers(true)
      .all()
      .map((row) =>
        Object.fromEntries(
          Object.entries(row).map(([name, value]) => [name, Buffer.isBuffer(value) ? null : plain(value)]),
        ),
      );
  }

  count(table: CatalogTable, where: string): number {
    const [row] = this.query(`SELECT count(*) AS n FROM ${identifier(table.name)} WHERE ${where}`);
    return Number(row?.n ?? 0);
  }

  /** A row at random, of those that meet a condition. */
  any(table: CatalogTable, where = '1'): RecordRow | null {
    const rows = this.count(table, where);
    if (rows === 0) return null;
    const [row] = this.query(
      `SELECT * FROM ${identifier(table.name)} WHERE ${where} ORDER BY ${keyList(table)} LIMIT 1 OFFSET ${this.random.below(rows)}`,
    );
    return row ?? null;
  }

  /** In words that hold for this row alone, without some columns; null if there are none. */
  describe(
    table: ProfiledTable,
    row: RecordRow,
    {
      depth = 1,
      without = [],
    }: { readonly depth?: number; readonly without?: readonly CatalogColumn[] } = {},
  ): DescribedRow | null {
    const isFree = (fact: Fact) => !without.some(({ name }) => fact.columns.includes(name));
    const called = this.#nameFact(table, row);
    const name = called && isFree(called) ? called : null;
    const others = this.#facts(table, row, depth).filter(isFree);
    const sets: (readonly Fact[])[] = name
      ? [[name], ...others.map((fact) => [name, fact])]
      : [
          ...others.map((one) => [one]),
          ...others.flatMap((one, at) => others.slice(at + 1).map((other) => [one, other])),
        ];
    for (const facts of sets) {
      const where = facts.map((fact) => fact.where).join(' AND ');
      const loose = facts.map((fact) => fact.loose ?? fact.where).join(' AND ');
      if (this.count(table.table, loose) !== 1) continue;
      return this.#described(table, row, facts, where);
    }
    const key = this.#keyFact(table, row);
    return key && this.#described(table, row, [key], key.where);
  }

  /** `SELECT visit_id FROM visit WHERE …`, in brackets. */
  select({ table: { table }, where, row }: DescribedRow, column: string): string {
    if (where === equals(column, row[column] ?? null)) return literal(row[column] ?? null);
    return `(SELECT ${identifier(column)} FROM ${identifier(table.name)} WHERE ${where})`;
  }

  /** A value as people say it; null if it has no words, or words of another value too. */
  say(table: CatalogTable, column: CatalogColumn, value: RecordValue): string | null {
    if (value === null) return null;
    const { codes, unit = this.#quantity(table, column).unit } = column.words ?? {};
    const meaning = codes?.[String(value)];
    if (meaning !== undefined && isName(meaning)) {
      const alike = Object.entries(codes ?? {}).filter(([, other]) => other === meaning);
      return alike.length === 1 ? meaning : null;
    }
    // A letter that stands for a clause is no word of the sentence.
    if (meaning !== undefined && String(value).length < 3) return null;
    if (codes === undefined && isYesNo(column)) return isNo(value) ? 'no' : 'yes';
    if (typeof value !== 'string') return `${value}${unitAfter(value, unit)}`;
    if (value !== value.trim() || value === '' || /[\n"\uFFFD]/.test(value)) return null;
    const seen = this.profile.tables
      .find((each) => each.table === table)
      ?.columns.find((each) => each.column === column);
    return seen?.kind === 'date' || isProper(value) ? value : `"${value}"`;
  }

  /** Whether most rows write a value like this: as `Cat`, say, rather than as `cat`. */
  isUsual(table: CatalogTable, { name }: CatalogColumn, value: RecordValue): boolean {
    if (typeof value !== 'string') return true;
    const id = identifier(name);
    const [most] = this.query(
      `SELECT ${id} AS v FROM ${identifier(table.name)} WHERE lower(trim(${id})) = lower(trim(${literal(value)})) GROUP BY ${id} COLLATE BINARY ORDER BY count(*) DESC, ${id} LIMIT 1`,
    );
    return most?.v === value;
  }

  /** What a code stands for, for the evidence of a question; '' where the words say it already. */
  legend(column: CatalogColumn, value: RecordValue): string {
    const code = String(value);
    const meaning =
      column.words?.codes?.[code] ?? meaningOf(code, column.value_description ?? '') ?? undefined;
    return meaning === undefined || meaning === code
      ? ''
      : `${column.name} = '${code}' stands for ${meaning}`;
  }

  #nameFact(table: ProfiledTable, row: RecordRow): Fact | null {
    const { words, columns: all } = table.table;
    const called = (words?.called ?? [])
      .map((name) => all.find((column) => column.name === name))
      .filter((column) => column !== undefined)
      .filter((column) => !this.referenceOf(table.table, column.name) && isWordy(column));
    const label = table.label?.column;
    // An amount or a result is no name, though text.
    const isLabel =
      label &&
      !isSum(label) &&
      // The pet "cat"
      (label.statistics.distinct === table.table.rows || !/(type|kind|category|class)$/i.test(label.name)) &&
      (isWordy(label) || label.statistics.distinct > 0.8 * table.table.rows);
    const people = table.label === null ? [] : peopleOf(table.label, table.columns);
    const columns = called.length > 0 ? called : isLabel ? people.map(({ column }) => column) : [];
    const texts = columns.map((column) => this.say(table.table, column, row[column.name] ?? null));
    if (columns.length === 0 || columns.length > 2 || texts.includes(null)) return null;
    return {
      columns: columns.map((column) => column.name),
      where: columns.map((column) => equals(column.name, row[column.name] ?? null)).join(' AND '),
      loose: columns
        .map((column) => `${equals(column.name, row[column.name] ?? null)} COLLATE NOCASE`)
        .join(' AND '),
      name: texts.join(' '),
    };
  }

  #keyFact(table: ProfiledTable, row: RecordRow): Fact | null {
    const [key, ...more] = keyOf(table.table) ?? [];
    const isCalled = table.table.words?.called?.includes(key?.name ?? '') ?? true;
    if (!key || more.length > 0 || !isCalled || this.referenceOf(table.table, key.name)) return null;
    const value = row[key.name] ?? null;
    const text = typeof value === 'string' ? this.say(table.table, key, value) : String(value);
    // Random letters and digits are for programs.
    if (text === null || text.length > (/\d/.test(text) && typeof value === 'string' ? 12 : 24)) return null;
    const noun = this.noun(table.table, key);
    const one = this.one(table.table);
    const called = noun.startsWith(`${one} `) ? noun.slice(one.length + 1) : noun;
    // Invoice 4711, zip code 1973
    if ((called === 'number' || called === one) && typeof value === 'number')
      return { columns: [key.name], where: equals(key.name, value), number: text };
    const name = typeof value === 'string' && /\d/.test(value) ? value : `with the ${called} ${text}`;
    return { columns: [key.name], where: equals(key.name, value), name };
  }

  #facts(table: ProfiledTable, row: RecordRow, depth: number): Fact[] {
    const { table: catalog, columns } = table;
    const known = columns.filter(({ column }) => row[column.name] !== null && row[column.name] !== undefined);
    const of = (kinds: readonly string[], make: (column: ProfiledColumn) => Fact | null) =>
      known
        .filter(({ kind, column }) => kinds.includes(kind) && (kind === 'key' || !isUnspoken(column)))
        .flatMap((column) => make(column) ?? []);
    const dates = of(['date'], ({ column }) => {
      const value = row[column.name] ?? null;
      const when = column.words?.when ?? this.#event(catalog, column);
      return {
        columns: [column.name],
        where: equals(column.name, value),
        ...(when === undefined
          ? { has: `${this.noun(catalog, column)} is ${value}` }
          : {
              does: `${when} ${when === 'is dated' ? '' : String(value).length > 10 ? 'at ' : 'on '}${value}`,
            }),
      };
    });
    const references =
      depth === 0 ? [] : of(['key'], ({ column }) => this.#referenceFact(table, row, column, depth));
    const kinds = of(['category'], ({ column }) => {
      const value = row[column.name] ?? null;
      const text = this.say(catalog, column, value);
      const has = `${this.nounIs(catalog, column)} ${text}`;
      const noun = this.noun(catalog, column);
      const of =
        text !== null && isPlaceNoun(noun) ? { of: inPlace(noun, text, isPeople(this.one(catalog))) } : {};
      const isAmount = column.type === 'number' && column.words?.codes === undefined;
      return text === null || isAmount || !this.isNamed(catalog, column) || isYesNo(column)
        ? null
        : { columns: [column.name], where: equals(column.name, value), has, ...of };
    });
    return [...references.slice(0, 3), ...dates.slice(0, 2), ...kinds.slice(0, 3)];
  }

  #referenceFact(table: ProfiledTable, row: RecordRow, column: CatalogColumn, depth: number): Fact | null {
    const parent = this.parentOf(table, row, column, depth - 1);
    if (!parent) return null;
    const to = this.referenceOf(table.table, column.name)?.to.column ?? '';
    const verb = column.words?.verb;
    const isLong = parent.hasClause;
    const noun = this.noun(table.table, column);
    if (noun !== this.one(parent.table.table) && isUnspoken(column)) return null;
    // The car of the car
    if (this.one(table.table) === this.one(parent.table.table) && noun === this.one(table.table)) return null;
    return {
      columns: [column.name],
      where: `${identifier(column.name)} = ${this.select(parent, to)}`,
      ...(verb === undefined
        ? {
            has: `${noun} is ${parent.short.replace(`the ${noun} `, 'the one ')}`,
            ...(noun === this.one(parent.table.table) ? { of: `of ${parent.text}` } : {}),
          }
        : { does: `${verb} ${parent.text}` }),
      isLong,
    };
  }

  /** The row that a reference leads to. */
  parentOf(table: ProfiledTable, row: RecordRow, column: CatalogColumn, depth = 1): DescribedRow | null {
    const reference = this.referenceOf(table.table, column.name);
    const parent = reference && this.table(reference.to.table);
    const value = row[column.name] ?? null;
    if (!parent || value === null) return null;
    const [found] = this.query(
      `SELECT * FROM ${identifier(parent.table.name)} WHERE ${equals(reference.to.column, value)}`,
    );
    return found ? this.describe(parent, found, { depth }) : null;
  }

  #described(table: ProfiledTable, row: RecordRow, facts: readonly Fact[], where: string): DescribedRow {
    const name = facts.flatMap((fact) => fact.name ?? []).join(' ');
    const inOrder = [...facts].sort((a, b) => Number(a.isLong ?? false) - Number(b.isLong ?? false));
    const does = inOrder.flatMap((fact) => (fact.does ? [fact.does] : []));
    const has = inOrder.flatMap((fact) => (fact.has ? [fact.has] : []));
    const lastIsHas = inOrder.at(-1)?.has !== undefined;
    const one = this.one(table.table);
    const columns = facts.flatMap((fact) => fact.columns);
    const number = facts.length === 1 ? facts[0]?.number : undefined;
    if (number !== undefined)
      return { table, row, where, text: `${one} ${number}`, short: number, columns, hasClause: false };
    // `the order placed on …`, unless a clause before it would take it for its own.
    const [of] = has.length === 1 ? inOrder.flatMap((fact) => fact.of ?? []) : [];
    const isShort =
      (lastIsHas || has.length === 0 || of !== undefined) && does.every((text) => PASSIVE.test(text));
    const plain = does.map((text) => text.replace(/^(?:was|is) /, ''));
    const and = /^(?:for|about)\b/.test(plain[0] ?? '') ? ' ' : ' and ';
    const that = isShort
      ? withVerbOnce(plain, 1, and)
      : `${isPeople(one) ? 'who' : 'that'} ${withVerbOnce(does, 2, ' and ')}`;
    const clause = has.map((text) => `whose ${text}`).join(' and ');
    const whose = of !== undefined && isShort ? of : clause;
    const said = (lastIsHas ? [does.length > 0 ? that : '', whose] : [whose, that]).filter(
      (text) => text !== '',
    );
    const clauses = said.join(isShort ? ' ' : ' and ');
    // The battle Battle of Hastings
    const called = name.toLowerCase().startsWith(`${one} of `) ? '' : `${one} `;
    const after = [name, clauses].filter((text) => text !== '').join(' ');
    return {
      table,
      row,
      where,
      text: `the ${called}${after}`,
      short: name !== '' && !name.startsWith('with ') ? after : `the ${one} ${after}`,
      columns,
      hasClause: clauses !== '' || name.startsWith('with '),
    };
  }
}

/** `cds`, which no sentence has for what it refers to. */
function isAcronym([word = '', ...more]: readonly string[]): boolean {
  return more.length === 0 && /^[b-df-hj-np-tv-xz]{2,}$/.test(word) && !COMMON_WORDS.has(word);
}

function isPeople(one: string): boolean {
  return isPerson({ one: one.split(' ') });
}

/** What happened to a row: `was placed on …`, `is for …`. */
const PASSIVE =
  /^(?:was|is) (?!open\b)(?:\p{L}+(?:ed|en|wn|ght|ne|ld)|made|sent|paid|run|born|met|put|set|laid|read|kept|left|lent|found|due|for|about)\b/u;

/** `took place at … on …`, `was brought in by … on …` */
function withVerbOnce(does: readonly string[], words: number, and: string): string {
  const [first = '', second, ...others] = does;
  const [one, other] = [first.split(' '), second?.split(' ') ?? []];
  const alike = one.findIndex((word, at) => word !== other[at]);
  return others.length === 0 && alike >= words && and !== ' '
    ? [first, ...other.slice(alike)].join(' ')
    : does.join(and);
}

/** Whether a name can stand in a sentence. */
function isProse(text: string): boolean {
  return /^\p{L}/u.test(text) && !/\d|_/.test(text) && !PREPOSITION.test(text.split(' ').at(-1) ?? '');
}

/** Names of people and places need no quotes, nor do numbers of invoices. */
function isProper(value: string): boolean {
  if (/^\p{Lu}*[\p{Lu}\d./-]*\d$/u.test(value)) return true;
  return /^\p{Lu}[\p{L}'’.-]*( (\p{Lu}[\p{L}'’.-]*|of|de|von|van|and|the|du|la))*$/u.test(value);
}

function unitAfter(value: number | bigint, unit: string | undefined): string {
  if (unit === undefined || / since /.test(unit)) return '';
  if (unit === 'percent') return ' %';
  return ` ${Number(value) === 1 ? unit.replace(/^(\p{L}+?)(?<!s)s\b/u, '$1') : unit}`;
}

/** Whether texts can stand for rows as names do: words, not dates ("2 Aug 2022"), amounts ("1 661,14 €") or numbers ("S997940"). */
function isWordy({ type, statistics: { storage, min, max } }: CatalogColumn): boolean {
  const isWord = (value: unknown) => /^\D*\p{L}{2}/u.test(String(value));
  return type === 'string' && storage.text > 0 && isWord(min) && isWord(max);
}

/** 17 641,21 F */
function isSum({ statistics: { min, max } }: CatalogColumn): boolean {
  return [min, max].some((value) => /^\D{0,3}\d[\d .']*[.,]\d\d?\D{0,4}$/.test(String(value)));
}

export function equals(column: string, value: RecordValue): string {
  return value === null ? `${identifier(column)} IS NULL` : `${identifier(column)} = ${literal(value)}`;
}

export function literal(value: RecordValue): string {
  if (value === null) return 'NULL';
  return typeof value === 'string' ? quoteText(value) : String(value);
}

/** The columns of the key, for an ORDER BY. */
export function keyList(table: CatalogTable): string {
  return (keyOf(table) ?? []).map(({ name }) => identifier(name)).join(', ');
}

function plain(value: RecordValue): RecordValue {
  return typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value;
}
