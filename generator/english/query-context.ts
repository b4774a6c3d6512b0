import type { CatalogTable } from '../../contracts/catalog.ts';
import {
  type Column,
  columnsOf,
  columnsOfQuery,
  type Expr,
  holdsAggregate,
  isReferenceTo,
  keyTable,
  type Literal,
  leftmost,
  type Origins,
  type Query,
  queryExprs,
  type Select,
  type SourceId,
  selectsOf,
} from '../../sql/index.ts';
import { isPadded } from '../template/canonical-form.ts';
import type { Choice } from '../template/choices.ts';
import { formatOf } from './catalog-prose.ts';
import {
  type Base,
  type Clauses,
  type Condition,
  combinationOf,
  isReferring,
  type Property,
  type Scale,
  type Term,
  type Thing,
  type Way,
  type Words,
} from './clause.ts';
import { columnText, isDate, isEpoch, isMonth, isYear, looksNumeric } from './column-text.ts';
import {
  extendsParent,
  fixedBy,
  hasOwnKey,
  hasUniqueValues,
  isJoin,
  isLinkTable,
  type JoinEdge,
  joinConditions,
  joinEdges,
  labelOf,
  rowSources,
} from './joins.ts';
import { type Lexicon, withoutKey } from './lexicon.ts';
import {
  doerOf,
  endsWith,
  isPerson,
  isPersonName,
  lower,
  PARTICIPLE,
  PREPOSITION,
  plural,
  qualify,
  sameWords,
  singular,
} from './words.ts';

/** The place of an expression: the context of the whole, the query whose rows are the subject, and readers of its parts. */
export interface Scope {
  readonly context: QueryContext;
  readonly query: Query;
  /** The same with another query's rows as the subject. */
  within(query: Query): Scope;
  term(expr: Expr): Term;
  condition(expr: Expr): Condition;
  clauses(query: Query): Clauses;
}

/** The words for the tables, columns and rows of one query. */
export class QueryContext {
  readonly origins: Origins;
  readonly lexicon: Lexicon;
  readonly choiceOf: ReadonlyMap<Literal, Choice>;
  readonly edges: readonly JoinEdge[];
  /** The expression that each term was read from. */
  readonly exprOf = new WeakMap<Term, Expr>();
  readonly #roles = new Map<SourceId, Thing>();
  readonly #select: Select | null;
  /** Column names that more than one table of the query has. */
  readonly #shared: ReadonlySet<string>;

  constructor(query: Query, origins: Origins, lexicon: Lexicon, choices: readonly Choice[]) {
    this.origins = origins;
    this.lexicon = lexicon;
    this.choiceOf = new Map(
      choices.flatMap((choice) =>
        choice.occurrences.flatMap(({ literals }) => literals.map((literal) => [literal, choice] as const)),
      ),
    );
    this.edges = joinEdges(query, origins);
    this.#select = query.kind === 'select' ? query : null;
    for (const { child, parent, alternative, inSubquery } of this.edges) {
      // The first of two references to one row determines its role.
      if (!alternative && !inSubquery && !this.#roles.has(parent.source)) this.#findRole(child, parent);
    }
    for (const select of selectsOf(query)) this.#nameTwins(select);
    this.#shared = this.#sharedNames(query);
  }

  /** Distinguishes two rows of one table without roles: a film and another film. */
  #nameTwins(select: Select): void {
    const shown = new Set(select.columns.flatMap(({ expr }) => columnsOf(expr)).map(({ source }) => source));
    const plain = select.from.map(({ source }) => source.id).filter((id) => !this.#roles.has(id));
    const inOrder = [...plain.filter((id) => shown.has(id)), ...plain.filter((id) => !shown.has(id))];
    const seen = new Map<CatalogTable, number>();
    for (const id of inOrder) {
      const table = this.origins.tableOf(id);
      if (table === null) continue;
      const before = seen.get(table) ?? 0;
      seen.set(table, before + 1);
      const word = ['', 'other', 'third', 'fourth'][before] ?? 'further';
      const { one, many } = this.thing(table);
      if (before > 0) this.#roles.set(id, { one: [word, ...one], many: [word, ...many] });
    }
  }

  thing(table: CatalogTable): Thing {
    const noun = this.lexicon.noun(table.name);
    // A table named by a verb links rows of two others: pairs of student and pet.
    if (noun.many.at(-1) !== 'records' || !isLinkTable(table) || hasOwnKey(table)) return noun;
    const ends = table.foreign_keys.flatMap((key) => this.origins.tableNamed(key.references_table) ?? []);
    const nouns = ends.map((end) => this.lexicon.noun(end.name));
    const named = nouns.length === 2 && nouns.every(({ many }) => many.at(-1) !== 'records');
    return (named && ends[0] !== ends[1] ? combinationOf(nouns) : null) ?? noun;
  }

  /** The role of a source by the key that joins it, if that is not its table's noun. */
  roleOf(source: SourceId): Thing | null {
    return this.#roles.get(source) ?? null;
  }

  /** The noun for the rows of a source: by their role, else by their table; null for other queries. */
  thingOf(source: SourceId): Thing | null {
    const table = this.origins.tableOf(source);
    return this.#roles.get(source) ?? (table === null ? null : this.thing(table));
  }

  /** The thing that a column refers to in a role: current addresses. Null without a role or a reference. */
  referredThing(column: Column): Thing | null {
    const base = this.origins.baseColumn(column);
    const referred = base === null ? null : keyTable(column, this.origins);
    if (base === null || referred === null || referred === base.table) return null;
    const words = withoutKey(this.lexicon.column(base.table.name, base.column.name));
    const noun = this.thing(referred).one;
    const several =
      base.table.foreign_keys.filter((key) => key.references_table === referred.name).length > 1;
    const namesRole = words.length > noun.length && endsWith(words, noun);
    const called = base.column.words?.noun !== undefined && !endsWith(noun, words);
    if (!namesRole && !((several || called) && words.length > 0 && !sameWords(words, noun))) return null;
    const open = PREPOSITION.test(words.at(-1) ?? '') || PARTICIPLE.test(words.at(-1) ?? '');
    const one = open && !sameWords(words.slice(0, noun.length), noun) ? [...words, ...noun] : words;
    return { one, many: plural(one) };
  }

  property(column: Column): Property {
    const base = this.origins.baseColumn(column);
    if (base === null) return nameless(column.name === 'rowid' ? 'row' : 'value');
    const own = this.lexicon.column(base.table.name, base.column.name);
    const role = this.#roles.get(base.source);
    const noun = this.thing(base.table);
    const other = this.#keyOwner(base);
    const full = role === undefined ? qualify((other ?? noun).one, own) : inRole(role.one, noun.one, own);
    const shared = this.lexicon.isGeneric(own) || this.#shared.has(lower(own));
    const plain = role === undefined && other === null;
    const whole = plain ? this.#wholeOf(base.source) : null;
    return {
      kind: 'property',
      own: { words: nameWords(own, own, base), text: columnText(base, this.lexicon, own) },
      full: {
        words: nameWords(full, own, base),
        text: ownedText(full, own, columnText(base, this.lexicon, full)),
      },
      owner: role ?? other ?? whole ?? noun,
      part: whole === null ? (plain ? this.#twinOf(base.source) : null) : noun,
      clear: role === undefined && !shared,
      inRole: role !== undefined,
      referring: this.#referringTo(base.source),
      holders: this.#holdersOf(base.source),
      ways: this.#waysTo(base.source),
      scale: scaleOf(base, columnText(base, this.lexicon, own)),
      base,
    };
  }

  /** The owner of a key named only `id` that refers to another table: `id` of an examination refers to its patient. */
  #keyOwner({ table, column }: Base): Thing | null {
    if (!this.lexicon.isKeyWord(this.lexicon.column(table.name, column.name))) return null;
    if (hasUniqueValues(table, column)) return null;
    const key = table.foreign_keys.find(({ columns }) => columns.length === 1 && columns[0] === column.name);
    const other = key === undefined ? null : this.origins.tableNamed(key.references_table);
    const referred = other?.columns.find(({ name }) => name === key?.references_columns[0]);
    if (other === null || other === table || referred === undefined) return null;
    return hasUniqueValues(other, referred) ? this.thing(other) : null;
  }

  /** What rows do to those of a source that refer to them, in the vocabulary's words: owns; null without. */
  inverseOf(source: SourceId): string | null {
    const verbs = this.edges.flatMap(({ child, parent }) => {
      const words = this.origins.baseColumn(child)?.column.words;
      if (child.source === source) return [words?.inverse ?? null];
      return parent.source === source ? [words?.verb ?? null] : [];
    });
    return verbs.length === 1 ? (verbs[0] ?? null) : null;
  }

  /** The things whose rows refer to one row of a source, by one reference or several in a row. */
  #referringTo(source: SourceId): readonly Thing[] {
    const found = new Set<SourceId>([source]);
    for (const id of found) {
      for (const edge of this.edges) {
        const { child, parent, alternative } = edge;
        if (parent.source === id && !alternative) found.add(child.source);
        // Rows that correspond one to one refer to each other.
        else if (child.source === id && extendsParent(edge, this.origins)) found.add(parent.source);
      }
    }
    found.delete(source);
    return [...found].flatMap((id) => this.rowsOf(id) ?? []);
  }

  /** The things that a source's rows refer to, by one reference or several in a row, and that link tables tie to these. */
  #holdersOf(source: SourceId): readonly Thing[] {
    const found = new Set<SourceId>([source]);
    for (const id of found) {
      for (const { child, parent } of this.edges) if (child.source === id) found.add(parent.source);
    }
    const links = this.edges.flatMap(({ child, parent }) => {
      const table = this.origins.tableOf(child.source);
      return found.has(parent.source) && table !== null && isLinkTable(table)
        ? [{ id: child.source, table }]
        : [];
    });
    const tied = links.flatMap(({ id, table }) => {
      const read = this.edges
        .filter(({ child }) => child.source === id)
        .map(({ parent }) => this.rowsOf(parent.source));
      const ends = table.foreign_keys.map((key) => this.origins.tableNamed(key.references_table));
      return [...read, ...ends.map((end) => end && this.thing(end))];
    });
    found.delete(source);
    return [...[...found].map((id) => this.rowsOf(id)), ...tied].flatMap((thing) => thing ?? []);
  }

  /** The things that are tied to a source by others between them, of which link tables are none. */
  #waysTo(source: SourceId): readonly Way[] {
    const next = new Map<SourceId, JoinEdge & { readonly to: SourceId }>();
    const found = new Set<SourceId>([source]);
    for (const id of found) {
      for (const edge of this.edges) {
        const ends = [edge.child.source, edge.parent.source];
        const from = ends.includes(id) ? ends.find((end) => end !== id) : undefined;
        if (from === undefined || found.has(from) || edge.alternative) continue;
        next.set(from, { ...edge, to: id });
        found.add(from);
      }
    }
    const isLink = (id: SourceId) => {
      const table = this.origins.tableOf(id);
      return table !== null && isLinkTable(table);
    };
    return [...next].flatMap(([id, edge]) => {
      let [at, refers] = [edge.to, edge.child.source === id];
      while (isLink(at) && at !== source) [at, refers] = [next.get(at)?.to ?? source, false];
      const [from, via] = [this.rowsOf(id), this.rowsOf(at)];
      return from === null || via === null || at === source ? [] : [{ from, via, refers }];
    });
  }

  /** The noun for a source's rows: by their role, as part of another table's rows, or by their table. */
  rowsOf(source: SourceId): Thing | null {
    return this.roleOf(source) ?? this.#wholeOf(source) ?? this.thingOf(source);
  }

  /** The thing whose rows a source extends with more columns: scores of a school; null for others. */
  #wholeOf(source: SourceId): Thing | null {
    const edge = this.edges.find(
      (one) => one.child.source === source && extendsParent(one, this.origins) && !this.#isEven(one),
    );
    return edge === undefined ? null : this.thingOf(edge.parent.source);
  }

  /** The thing whose rows correspond one to one to a source's; null for none. */
  #twinOf(source: SourceId): Thing | null {
    const edge = this.edges.find(({ child, parent }) => child.source === source || parent.source === source);
    if (edge === undefined || !extendsParent(edge, this.origins) || !this.#isEven(edge)) return null;
    return this.thingOf(edge.child.source === source ? edge.parent.source : edge.child.source);
  }

  /** Whether two tables have as many rows. */
  #isEven({ child, parent }: JoinEdge): boolean {
    const [a, b] = [child, parent].map(
      ({ source }) => this.origins.tableOf(source)?.columns[0]?.statistics.rows,
    );
    return a === b;
  }

  /** Whether a source's rows are those of a table with more columns. */
  isPartOf(source: SourceId, table: CatalogTable): boolean {
    const whole = this.#wholeOf(source) ?? this.#twinOf(source);
    return whole !== null && whole.one.join() === this.thing(table).one.join();
  }

  /** Whether a query's own FROM names a table. */
  reads(query: Query, table: CatalogTable): boolean {
    return (
      query.kind === 'select' && query.from.some(({ source }) => this.origins.tableOf(source.id) === table)
    );
  }

  /** `superhero.eye_colour_id = colour.id` makes a colour an eye colour. */
  #findRole(child: Column, parent: Column): void {
    const table = this.origins.tableOf(parent.source);
    const from = this.origins.tableOf(child.source);
    if (table === null || from === null) return;
    const noun = this.thing(table).one;
    const words = this.#referenceWords(from, child, table, parent);
    // An owner user is an owner.
    const person = words.slice(0, -noun.length);
    const key = endsWith(words, noun) && isPerson({ one: person }) ? person : words;
    if (key.length === 0) return;
    // `liked_id` refers to a liked student, `checked_by` to a checking student.
    const last = key.at(-1) ?? '';
    const open = key.length === 1 ? PARTICIPLE.test(last) || ATTRIBUTE.test(last) : PREPOSITION.test(last);
    const named = sameWords(key.slice(0, noun.length), noun);
    const called = /^reports? to$/i.test(key.join(' '))
      ? ['manager']
      : open && !named
        ? [...key, ...noun]
        : key;
    const siblings = from.foreign_keys.filter((one) => one.references_table === table.name).length;
    // `lost_in_battle` describes the ship, not a kind of battle.
    const isPhrase = called.some((word, i) => i > 0 && PREPOSITION.test(word));
    const doing = doerOf(called, noun);
    if (isPhrase && doing === null && siblings === 1 && from !== table) return;
    const role = doing ?? called;
    // Rows are the nearest or the next only as one looks from others.
    if (/^(nearest|closest|next|previous)$/i.test(role[0] ?? '') && this.#areRows(parent.source)) return;
    const text = lower(singular(role));
    if (text === lower(noun) || lower(noun).endsWith(` ${text}`)) return;
    const extends_ = text.endsWith(` ${lower(noun)}`) || text.endsWith(` ${noun.at(-1)?.toLowerCase()}`);
    // References to the same table always have a role: a manager, a mother.
    // Rows that may have no such row beside them are not called by its reference.
    const isNamed = from.columns.find(({ name }) => name === child.name)?.words?.noun !== undefined;
    // An artist who conducts is the conductor, a teacher who examines the examiner.
    const isWhat =
      isPerson({ one: noun }) &&
      (isPerson({ one: role }) || /(er|or|ist)$/.test(text)) &&
      !lower(noun).endsWith(text);
    const isCalled = (isNamed || isWhat) && !isPadded(child.source, this.origins);
    if (extends_ || isCalled || siblings > 1 || from === table) {
      // The manager of a manager is not the manager.
      const path = this.#roles.get(child.source)?.one;
      const whole =
        path === undefined || child.source === parent.source
          ? role
          : [...path.slice(0, -1), `${path.at(-1)}'s`, ...role];
      this.#roles.set(parent.source, {
        one: whole,
        many: plural(whole),
        roleIn: this.thing(from).one.join(' '),
      });
    }
  }

  /** Whether an answer is about the rows of a source alone: it shows them, or groups by them. */
  #areRows(source: SourceId): boolean {
    const { columns, groupBy } = this.#select ?? { columns: [], groupBy: [] };
    const shown = [...columns.map(({ expr }) => expr), ...groupBy].flatMap((expr) =>
      holdsAggregate(expr) ? [] : columnsOf(expr),
    );
    return shown.length > 0 && shown.every((column) => column.source === source);
  }

  /**
   * The words that a reference adds to the key that it refers to: a home driver for `home_driver_code` and `driver_code`,
   * none for two columns of one name; all words but the ID where the key itself has no others.
   */
  #referenceWords(from: CatalogTable, child: Column, table: CatalogTable, parent: Column): Words {
    const words = this.lexicon.column(from.name, child.name);
    const key = this.lexicon.column(table.name, parent.name);
    const before = words.slice(0, Math.max(0, words.length - key.length));
    const named = withoutKey(key).length < key.length && sameWords([...before, ...key], words);
    if (!named || (before.length === 0 && from === table)) return withoutKey(words);
    const noun = this.thing(table).one;
    return before.length === 0 || endsWith(before, noun) ? before : [...before, ...noun];
  }

  #sharedNames(query: Query): ReadonlySet<string> {
    const tables = new Map<string, Set<string>>();
    const seen = new Set<CatalogTable>();
    for (const column of columnsOfQuery(query)) {
      const base = this.origins.baseColumn(column);
      if (base !== null) seen.add(base.table);
    }
    for (const table of seen) {
      for (const column of table.columns) {
        const words = this.lexicon.column(table.name, column.name);
        // The name of a key that refers to another table includes that table's noun.
        if (words.length > 1 && withoutKey(words).length < words.length) continue;
        if (column.words?.noun !== undefined && isReferring({ table, column })) continue;
        tables.set(lower(words), (tables.get(lower(words)) ?? new Set()).add(table.name));
      }
    }
    return new Set([...tables].filter(([, owners]) => owners.size > 1).map(([name]) => name));
  }

  /** The noun for the rows of a query's outermost SELECT, before grouping: by a role, else by their table. */
  rowThing(query: Query, counted: Expr | null = null): Thing | null {
    const table = this.rowTable(query, counted);
    if (table === null) return null;
    const [source, ...others] =
      query.kind === 'select'
        ? query.from.filter(({ source: one }) => this.origins.tableOf(one.id) === table)
        : [];
    return (
      (source && others.length === 0 ? this.roleOf(source.source.id) : null) ?? this.#counted(table, query)
    );
  }

  /** Rows as they are counted: languages of one country, country languages of several, countries with one language. */
  #counted(table: CatalogTable, query: Query): Thing {
    const shared = this.lexicon.shared(table.name);
    const owner = shared === undefined ? null : this.origins.tableNamed(shared.owner);
    if (shared === undefined || owner === null || query.kind !== 'select') return this.thing(table);
    if (this.#heldTables(query).has(owner)) return this.thing(table);
    const [key, ...others] = query.groupBy.map((expr) => this.origins.baseColumn(expr));
    const isByName =
      others.length === 0 && key?.table === table && key.column.primary_key > 0 && !isReferenceTo(key, owner);
    const isLimited = joinConditions(query).some(
      (one) => !isJoin(one) && columnsOf(one).some((column) => this.origins.tableOf(column.source) === table),
    );
    return isByName && !isLimited ? this.thing(owner) : shared;
  }

  /** The table whose rows are those of a query's outermost SELECT, before grouping. */
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

  /** The tables whose rows a SELECT combines, if there are several and none is only looked up. */
  pairedTables(query: Query): readonly CatalogTable[] {
    if (query.kind !== 'select') return [];
    const tables = rowSources(query, this.edges, this.origins).map((id) => this.origins.tableOf(id));
    const known = tables.flatMap((table) => table ?? []);
    return known.length > 1 && known.length === tables.length ? known : [];
  }

  /** The table that a grouped query has one row for. */
  #groupTable(inner: Query): CatalogTable | null {
    const first = leftmost(inner);
    if (first.kind !== 'select') return null;
    const [key] = first.groupBy;
    if (key !== undefined) return keyTable(key, this.origins) ?? this.rowTable(inner);
    // Distinct rows are those of the first column's table.
    const distinct = first.distinct || (inner.kind === 'set_operation' && inner.op !== 'union_all');
    const shown = first.columns[0]?.expr;
    const base = shown === undefined || !distinct ? null : this.origins.baseColumn(shown);
    if (shown === undefined || base === null) return this.rowTable(inner);
    if (first.columns.length > 1) return base.table;
    // Different directors are people; different years of films are not films.
    const own = hasUniqueValues(base.table, base.column) || labelOf(base.table, this.lexicon) === base.column;
    return keyTable(shown, this.origins) ?? (own ? base.table : null);
  }

  /** The table of a link table's rows: the one end that the query does not fix. */
  #linkedTable(query: Select, link: CatalogTable, counted: Expr | null): CatalogTable {
    const read = query.from.flatMap(({ source }) => this.origins.tableOf(source.id) ?? []);
    const ends = link.foreign_keys.flatMap((key) => this.origins.tableNamed(key.references_table) ?? []);
    const held = this.#heldTables(query);
    const free = ends.filter((table) => !held.has(table));
    // A link table of one table with itself, such as friends, counts links.
    if (ends.length > 1 && ends.every((table) => table === ends[0])) return link;
    if (hasOwnKey(link)) return link;
    if (free.length === 1) return free[0] ?? link;
    // Each row of a pet is the only one with that pet, so counting these counts pets.
    const alone = ends.find((end) =>
      link.columns.some(
        (column) => isReferenceTo({ table: link, column }, end) && hasUniqueValues(link, column),
      ),
    );
    if (free.length === ends.length && alone !== undefined && this.thing(link).text !== undefined)
      return alone;
    // If neither end is fixed, aggregates count links.
    if (free.length === ends.length && queryExprs(query).some(holdsAggregate)) return link;
    const key = counted === null ? null : keyTable(counted, this.origins);
    if (key !== null && key !== link && !held.has(key)) return key;
    return read.find((table) => !isLinkTable(table)) ?? link;
  }

  /** The tables whose row a query fixes, by grouping or comparing a key or a name. */
  #heldTables(query: Select): ReadonlySet<CatalogTable> {
    const fixed = fixedBy(query);
    const columns = fixed.flatMap((expr) => this.origins.baseColumn(expr) ?? []);
    const named = columns.filter(({ table, column }) => {
      const others = columns.filter((other) => other.table === table).map((other) => other.column.name);
      const person = isPersonName(others.map((name) => this.lexicon.column(table.name, name)));
      return person || hasUniqueValues(table, column) || labelOf(table, this.lexicon) === column;
    });
    return new Set([
      ...fixed.flatMap((expr) => keyTable(expr, this.origins) ?? []),
      ...named.map(({ table }) => table),
    ]);
  }
}

function nameless(word: string): Property {
  const wording = { words: [word], text: word };
  return {
    kind: 'property',
    own: wording,
    full: wording,
    owner: null,
    part: null,
    clear: true,
    inRole: false,
    referring: [],
    holders: [],
    ways: [],
    scale: 'number',
    base: null,
  };
}

function inRole(role: Words, noun: Words, words: Words): Words {
  const lowered = words.map((word) => word.toLowerCase());
  const roles = role.map((word) => word.toLowerCase());
  if (lowered.every((word) => roles.includes(word))) return role;
  const nouns = noun.map((word) => word.toLowerCase());
  return [...role, ...words.filter((word) => !nouns.includes(word.toLowerCase()))];
}

function scaleOf({ column }: Base, text: string): Scale {
  if (isMonth(column)) return 'month';
  if (isDate(column) || isEpoch(column) || formatOf(column) === 'YYYYMMDD') return 'date';
  if (isYear(column, text)) return 'year';
  return column.type === 'string' && !looksNumeric(column) ? 'text' : 'number';
}

/** composer year of birth → composer's year of birth */
function ownedText(full: Words, own: Words, text: string): string {
  const owner = full.slice(0, full.length - own.length).join(' ');
  const ends =
    own.some((word) => PREPOSITION.test(word)) && text === [owner, ...own].join(' ') && owner !== '';
  return ends ? `${owner}'s ${own.join(' ')}` : text;
}

/** What a role adds to a noun: a white player, a home team. */
const ATTRIBUTE =
  /^(white|black|red|blue|home|away|visiting|first|second|third|main|primary|secondary|previous|next|old|new|original|final|current|senior|junior|chief)$/i;

/** The words of a column in an identifier: beds for a number of beds, birth year for a year of birth. */
function nameWords(words: Words, own: Words, { column }: Base): Words {
  const before = words.slice(0, words.length - own.length);
  if (!endsWith(words, own)) return words;
  const { counts } = column.words ?? {};
  if (counts !== undefined) return [...before, ...counts.split(' ')];
  const [what = '', of, whose = ''] = own;
  const short = own.length === 3 && of === 'of' && /^(year|date|time|place|day|way|cause|kind)$/.test(what);
  return short ? [...before, whose, what] : words;
}
