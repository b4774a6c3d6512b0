import type { CatalogColumn, CatalogTable } from '../../../../contracts/catalog.ts';
import {
  type Column,
  type Expr,
  exprsOf,
  holdsAggregate,
  keyTable,
  leftmost,
  type Origins,
  type Query,
  queryExprs,
  type Select,
  type SourceId,
} from '../../../sql/index.ts';
import type { Lexicon, Noun } from '../words/lexicon.ts';
import { withoutKey } from '../words/lexicon.ts';
import { PARTICIPLE, PREPOSITION, singular } from '../words/nouns.ts';
import { extendsParent, hasOwnKey, isLinkTable, type JoinEdge, joinEdges, tellsApart } from './joins.ts';
import { labelOf } from './label.ts';
import { isPersonName } from './outputs.ts';
import { type Phrase, plainPhrase } from './phrase.ts';
import { fixedBy, rowSources } from './row-sources.ts';
import { endsWith, sameWords } from './word-lists.ts';

const lower = (words: readonly string[]): string => words.join(' ').toLowerCase();

/** Speaks of the columns and tables of one query. */
export class Speaker {
  readonly origins: Origins;
  readonly lexicon: Lexicon;
  readonly edges: readonly JoinEdge[];
  readonly #roles = new Map<SourceId, readonly string[]>();
  /** Column names that more than one table of the query has. */
  readonly #shared: ReadonlySet<string>;

  constructor(query: Query, origins: Origins, lexicon: Lexicon) {
    this.origins = origins;
    this.lexicon = lexicon;
    this.edges = joinEdges(query, origins);
    for (const { child, parent, alternative } of this.edges) {
      if (!alternative) this.#findRole(child, parent);
    }
    this.#shared = this.#sharedNames(query);
  }

  noun(table: CatalogTable): Noun {
    return this.lexicon.noun(table.name);
  }

  /** Whether a query's own FROM names a table. */
  reads(query: Query, table: CatalogTable): boolean {
    return (
      query.kind === 'select' && query.from.some(({ source }) => this.origins.tableOf(source.id) === table)
    );
  }

  /** What a source is called for the key that it is joined by, where that is not its table's noun. */
  roleOf(source: SourceId): readonly string[] | null {
    return this.#roles.get(source) ?? null;
  }

  /** A base column in names: with its table's noun where it says little or is said of several tables. */
  column(column: Column, qualified: boolean): Phrase {
    const base = this.origins.baseColumn(column);
    if (base === null) return plainPhrase([column.name === 'rowid' ? 'row' : 'value', 'ID'].slice(0, 1));
    const words = this.#words(base, qualified);
    return { ...plainPhrase(words, this.#text(base, words)), scale: scaleOf(base.column) };
  }

  #words(
    base: { readonly table: CatalogTable; readonly column: CatalogColumn; readonly source: SourceId },
    qualified: boolean,
  ): readonly string[] {
    const words = this.lexicon.column(base.table.name, base.column.name);
    const role = this.#roles.get(base.source);
    const noun = this.noun(base.table).one;
    if (role !== undefined) return inRole(role, noun, words);
    if (!qualified) return words;
    const unclear = this.lexicon.isGeneric(words) || this.#shared.has(lower(words));
    return unclear ? qualify(noun, words) : words;
  }

  /** In prose a column goes by its written name, after what its name in words has before it. */
  #text(
    base: { readonly table: CatalogTable; readonly column: CatalogColumn },
    words: readonly string[],
  ): string {
    const own = this.lexicon.column(base.table.name, base.column.name);
    const text = asNoun(flagText(this.lexicon.columnText(base.table.name, base.column.name)), base.column);
    if (lower(words) === lower(own)) return text;
    const at = words.length - own.length;
    return at > 0 && lower(words.slice(at)) === lower(own)
      ? `${words.slice(0, at).join(' ')} ${text}`
      : words.join(' ');
  }

  /** The words of a column with its table's noun, unless they hold it already. */
  qualifiedColumn(column: Column): readonly string[] {
    const base = this.origins.baseColumn(column);
    if (base === null) return this.column(column, true).noun;
    const words = this.#words(base, true);
    return this.#roles.has(base.source) ? words : qualify(this.noun(base.table).one, words);
  }

  /** `superhero.eye_colour_id = colour.id` makes a colour an eye colour. */
  #findRole(child: Column, parent: Column): void {
    const table = this.origins.tableOf(parent.source);
    const from = this.origins.tableOf(child.source);
    if (table === null || from === null) return;
    const noun = this.noun(table).one;
    const key = this.#referenceWords(from, child, table, parent);
    if (key.length === 0) return;
    // `liked_id` makes somebody a liked student, `checked_by` somebody who it is checked by.
    const last = key.at(-1) ?? '';
    const open = key.length === 1 ? PARTICIPLE.test(last) : PREPOSITION.test(last);
    const role = /^reports? to$/i.test(key.join(' ')) ? ['manager'] : open ? [...key, ...noun] : key;
    const said = lower(singular(role));
    if (said === lower(noun) || lower(noun).endsWith(` ${said}`)) return;
    const siblings = from.foreign_keys.filter((key) => key.references_table === table.name).length;
    const extends_ = said.endsWith(` ${lower(noun)}`) || said.endsWith(` ${noun.at(-1)?.toLowerCase()}`);
    // `lost_in_battle` tells of the ship, not of another kind of battle.
    if (role.some((word, i) => i > 0 && PREPOSITION.test(word)) && siblings === 1 && from !== table) return;
    // A table that refers to itself always says as what: a manager, a mother.
    if (extends_ || siblings > 1 || from === table) this.#roles.set(parent.source, role);
  }

  /**
   * What a reference says besides the key that it refers to: a home driver of `home_driver_code` and `driver_code`,
   * nothing of two columns of one name; all but the ID where the key itself says no more.
   */
  #referenceWords(from: CatalogTable, child: Column, table: CatalogTable, parent: Column): readonly string[] {
    const words = this.lexicon.column(from.name, child.name);
    const key = this.lexicon.column(table.name, parent.name);
    const before = words.slice(0, Math.max(0, words.length - key.length));
    const named = withoutKey(key).length < key.length && sameWords([...before, ...key], words);
    if (!named || (before.length === 0 && from === table)) return withoutKey(words);
    const noun = this.noun(table).one;
    return before.length === 0 || endsWith(before, noun) ? before : [...before, ...noun];
  }

  #sharedNames(query: Query): ReadonlySet<string> {
    const tables = new Map<string, Set<string>>();
    const seen = new Set<CatalogTable>();
    for (const expr of exprsOf(query)) {
      const base = expr.kind === 'column' ? this.origins.baseColumn(expr) : null;
      if (base !== null) seen.add(base.table);
    }
    for (const table of seen) {
      for (const column of table.columns) {
        const words = this.lexicon.column(table.name, column.name);
        const name = lower(words);
        // A key that refers to another table is said with that table's noun already.
        if (words.length > 1 && withoutKey(words).length < words.length) continue;
        tables.set(name, (tables.get(name) ?? new Set()).add(table.name));
      }
    }
    return new Set([...tables].filter(([, owners]) => owners.size > 1).map(([name]) => name));
  }

  /** What the rows of a query's outermost SELECT are, before it groups them. */
  rowTable(query: Query, counted: Expr | null = null): CatalogTable | null {
    if (query.kind === 'set_operation') return this.rowTable(query.left);
    if (query.kind === 'values') return null;
    const [finest = null] = rowSources(query, this.edges, this.origins);
    const table = finest === null ? null : this.origins.tableOf(finest);
    if (finest === null || table === null) {
      const first = query.from[0]?.source;
      const inner = first === undefined ? null : this.origins.queryOf(first);
      return inner === null ? null : this.#groupTable(inner);
    }
    if (isLinkTable(table)) return this.#linkedTable(query, table, counted);
    const whole = this.edges.find(
      (edge) => edge.child.source === finest && extendsParent(edge, this.origins),
    );
    return (whole === undefined ? null : this.origins.tableOf(whole.parent.source)) ?? table;
  }

  /** The tables of which each row of a SELECT combines a row, where these are several that none is looked up in. */
  pairedTables(query: Query): readonly CatalogTable[] {
    if (query.kind !== 'select') return [];
    const tables = rowSources(query, this.edges, this.origins).map((id) => this.origins.tableOf(id));
    const known = tables.flatMap((table) => table ?? []);
    return known.length > 1 && known.length === tables.length ? known : [];
  }

  /** Rows of a grouped query are what it groups by. */
  #groupTable(inner: Query): CatalogTable | null {
    const first = leftmost(inner);
    if (first.kind !== 'select') return null;
    const [key] = first.groupBy;
    if (key !== undefined) return keyTable(key, this.origins) ?? this.rowTable(inner);
    // Rows that are told apart by what they show are those of the table that shows first.
    const distinct = first.distinct || (inner.kind === 'set_operation' && inner.op !== 'union_all');
    const shown = first.columns[0]?.expr;
    const base = shown === undefined || !distinct ? null : this.origins.baseColumn(shown);
    return base?.table ?? this.rowTable(inner);
  }

  /** Rows of a link table are those of the one end that the query does not hold fixed. */
  #linkedTable(query: Select, link: CatalogTable, counted: Expr | null): CatalogTable {
    const read = query.from.flatMap(({ source }) => this.origins.tableOf(source.id) ?? []);
    const ends = link.foreign_keys.flatMap((key) => this.origins.tableNamed(key.references_table) ?? []);
    const held = this.#heldTables(query);
    const free = ends.filter((table) => !held.has(table));
    // Friends tie people to people: to count the people would say nothing.
    if (ends.length > 1 && ends.every((table) => table === ends[0])) return link;
    if (hasOwnKey(link)) return link;
    if (free.length === 1) return free[0] ?? link;
    // Where neither end is one row, what is counted is the ties.
    if (free.length === ends.length && queryExprs(query).some(holdsAggregate)) return link;
    const key = counted === null ? null : keyTable(counted, this.origins);
    if (key !== null && key !== link && !held.has(key)) return key;
    return read.find((table) => !isLinkTable(table)) ?? link;
  }

  /** Tables of which a query fixes one row: what tells rows apart, or names them, is grouped by or compared with a value. */
  #heldTables(query: Select): ReadonlySet<CatalogTable> {
    const fixed = fixedBy(query);
    const columns = fixed.flatMap((expr) => this.origins.baseColumn(expr) ?? []);
    const named = columns.filter(({ table, column }) => {
      const others = columns.filter((other) => other.table === table).map((other) => other.column.name);
      const person = isPersonName(others.map((name) => this.lexicon.column(table.name, name)));
      return person || tellsApart(table, column) || labelOf(table, this.lexicon) === column;
    });
    return new Set([
      ...fixed.flatMap((expr) => keyTable(expr, this.origins) ?? []),
      ...named.map(({ table }) => table),
    ]);
  }
}

function qualify(noun: readonly string[], words: readonly string[]): readonly string[] {
  const last = noun.at(-1)?.toLowerCase() ?? '';
  const said = words.map((word) => word.toLowerCase());
  if (said.includes(last) || said.includes(lower(singular([last])))) return words;
  return [...noun, ...words];
}

function inRole(
  role: readonly string[],
  noun: readonly string[],
  words: readonly string[],
): readonly string[] {
  const said = words.map((word) => word.toLowerCase());
  const roles = role.map((word) => word.toLowerCase());
  if (said.every((word) => roles.includes(word))) return role;
  const nouns = noun.map((word) => word.toLowerCase());
  return [...role, ...words.filter((word) => !nouns.includes(word.toLowerCase()))];
}

/** `is promo` and `has foil` say themselves what they are not: a given promo flag. */
function flagText(text: string): string {
  const flag = text.match(/^(?:is|has|if) (.+)$/);
  return flag === null ? text : `${flag[1]} flag`;
}

/** `opened` and `paid on` are no nouns: an opened date, a "paid on" date. */
function asNoun(text: string, column: CatalogColumn): string {
  const words = text.split(' ');
  const last = words.at(-1) ?? '';
  const dangling = words.length > 1 && PREPOSITION.test(last);
  if (!dangling && !(words.length === 1 && (PARTICIPLE.test(last) || ADVERB.test(last)))) return text;
  const kind = kindOf(column);
  return `${dangling ? `"${text}"` : text} ${kind === 'number' && MONEY.test(last) ? 'amount' : kind}`;
}

const MONEY = /^(spent|paid|owed|earned|raised|remaining|left)$/i;

const ADVERB = /^(since|until|from|to|by|before|after|active|open)$/i;

/** What the values of a column are, in one word. */
function kindOf(column: CatalogColumn): string {
  const { min, max, distinct } = column.statistics;
  if (
    isDate(column) ||
    (typeof min === 'string' && DATES.test(min)) ||
    (typeof max === 'string' && DATES.test(max))
  )
    return 'date';
  if (distinct > 0 && distinct <= 2) return 'flag';
  if (column.type === 'string') return 'value';
  return typeof min === 'number' && typeof max === 'number' && min > 1000 && max < 2200 ? 'year' : 'number';
}

/** A day in any writing. */
const DATES = /^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}/;

/** Whether the values of a column are moments in time, by its name, type and values. */
export function isDate(column: CatalogColumn): boolean {
  const { min, max } = column.statistics;
  const iso = /^\d{4}-\d{2}(-\d{2})?([ T]\d{2}:\d{2}.*)?$/;
  if (typeof min === 'string' && typeof max === 'string') return iso.test(min) && iso.test(max);
  return min === null && /DATE|TIMESTAMP/i.test(column.declared_type);
}

function scaleOf(column: CatalogColumn): Phrase['scale'] {
  if (isDate(column)) return 'date';
  return column.type === 'string' && !looksNumeric(column) ? 'text' : 'number';
}

/** Text that is ordered as quantities are: `1:29.488`, `007`. */
function looksNumeric({ statistics: { min, max } }: CatalogColumn): boolean {
  const quantity = /^[+-]?\.?\d/;
  return (
    typeof min === 'string' &&
    typeof max === 'string' &&
    (min === '' || quantity.test(min)) &&
    quantity.test(max)
  );
}
