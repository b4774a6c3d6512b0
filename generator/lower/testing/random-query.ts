import { Random } from '../../variants/random.ts';

/** The shop database of tests/support/small-database.ts. */
const TABLES: Readonly<Record<string, Columns>> = {
  customer: {
    num: ['id', '"Percent (%) off"', 'referred_by'],
    txt: ['"first name"', 'last_name', 'city', 'born', 'type', '"group"'],
  },
  '"order"': { num: ['id', 'customer_id', 'total'], txt: ['date', 'status'] },
  product: { num: ['price', 'stock', '"order"'], txt: ['sku', 'title', 'kind'] },
  line: { num: ['order_id', 'quantity'], txt: ['sku', 'note'] },
  rating: { num: ['customer_id'], txt: ['sku', 'stars'] },
};

const JOINS = [
  ['customer', 'id', '"order"', 'customer_id'],
  ['"order"', 'id', 'line', 'order_id'],
  ['product', 'sku', 'line', 'sku'],
  ['customer', 'id', 'rating', 'customer_id'],
  ['product', 'sku', 'rating', 'sku'],
  ['customer', 'id', 'customer', 'referred_by'],
] as const;

interface Columns {
  readonly num: readonly string[];
  readonly txt: readonly string[];
}

interface Source extends Columns {
  readonly alias: string;
}

type Sources = readonly Source[];

/** Seeded queries over everything that is lowered; their rows, if not the order, are determined by SQL. */
export class RandomQueries {
  readonly #choices: Random;
  #aliases = 0;

  constructor(seed: number) {
    this.#choices = new Random(String(seed));
  }

  next(): string {
    this.#aliases = 0;
    const { from, sources, ties } = this.#from();
    const conditions = [...ties];
    if (this.#chance(0.6)) conditions.push(this.#condition(sources, 2));
    if (this.#chance(0.35)) conditions.push(this.#subquery(sources));
    if (this.#chance(0.2)) conditions.push(this.#condition(sources, 1));
    const rows = `FROM ${from}${conditions.length > 0 ? ` WHERE ${conditions.join(' AND ')}` : ''}`;
    return this.#one(
      () => this.#wholeTable(sources, rows),
      () => this.#groups(sources, rows),
      () => this.#rows(sources, rows),
      () => this.#rows(sources, rows),
      () => this.#setOperation(sources, rows),
    );
  }

  #wholeTable(sources: Sources, rows: string): string {
    const values = this.#some(1, 2, () =>
      this.#one(
        () => this.#aggregate(sources),
        () => `${this.#aggregate(sources)} ${this.#pick(['+', '-', '*', '/'])} ${this.#aggregate(sources)}`,
        () => `CAST(SUM(IIF(${this.#condition(sources, 1)}, 1, 0)) AS REAL) * 100 / COUNT(*)`,
        () => `COUNT(CASE WHEN ${this.#condition(sources, 1)} THEN ${this.#number(sources, 1)} END)`,
        () => `ROUND(${this.#aggregate(sources)}, 2)`,
        () => `CASE WHEN ${this.#aggregate(sources)} > 3 THEN 'a' ELSE 'b' END`,
      ),
    );
    return `SELECT ${values.join(', ')} ${rows}`;
  }

  #groups(sources: Sources, rows: string): string {
    const keys = this.#some(1, 2, () => this.#computed(sources));
    const first = this.#aggregate(sources);
    const second = `${this.#aggregate(sources)} * 1.0 / COUNT(*)`;
    const having = this.#pick(['', '', 'COUNT(*) > 1', `${first} > 2`, `COUNT(*) = 1 OR ${first} IS NULL`]);
    const order = this.#chance(0.5) ? ` ORDER BY ${first} DESC, ${keys.join(', ')}` : '';
    const limit = order !== '' && this.#chance(0.5) ? ' LIMIT 3' : '';
    const shown = [...keys, first, second].join(', ');
    return `SELECT ${shown} ${rows} GROUP BY ${keys.join(', ')}${having ? ` HAVING ${having}` : ''}${order}${limit}`;
  }

  #rows(sources: Sources, rows: string): string {
    const values = this.#some(1, 3, () =>
      this.#chance(0.6) ? this.#column(sources) : this.#computed(sources),
    );
    const more: string[] = [];
    if (this.#chance(0.1)) more.push(`RANK() OVER (ORDER BY ${this.#computed(sources)} DESC)`);
    if (this.#chance(0.1)) {
      more.push(
        `(SELECT SUM(total) + 1 FROM "order" z WHERE z.customer_id = ${this.#column(sources, 'num')})`,
      );
    }
    const order = this.#chance(0.4) ? ` ORDER BY ${values.join(', ')}` : '';
    // With all columns in ORDER BY, tied rows are equal.
    const limit = order !== '' && more.length === 0 && this.#chance(0.4) ? ' LIMIT 4' : '';
    const distinct = this.#chance(0.25) ? 'DISTINCT ' : '';
    return `SELECT ${distinct}${[...values, ...more].join(', ')} ${rows}${order}${limit}`;
  }

  #setOperation(sources: Sources, rows: string): string {
    const other = this.#from();
    const where = other.ties.length > 0 ? ` WHERE ${other.ties.join(' AND ')}` : '';
    const op = this.#pick(['UNION', 'INTERSECT', 'EXCEPT', 'UNION ALL']);
    return `SELECT ${this.#column(sources)} ${rows} ${op} SELECT ${this.#column(other.sources)} FROM ${other.from}${where}`;
  }

  #from(): { from: string; sources: Sources; ties: readonly string[] } {
    const a = `a${this.#aliases++}`;
    if (this.#chance(0.4)) {
      const table = this.#table();
      return { from: `${table} ${a}`, sources: [this.#source(table, a)], ties: [] };
    }
    if (this.#chance(0.2)) return this.#fromDerived(a);
    const [left, leftKey, right, rightKey] = this.#pick(JOINS);
    const b = `a${this.#aliases++}`;
    const sources = [this.#source(left, a), this.#source(right, b)];
    const on = `${a}.${leftKey} = ${b}.${rightKey}`;
    if (this.#chance(0.15)) return { from: `${left} ${a}, ${right} ${b}`, sources, ties: [on] };
    const type = this.#pick(['JOIN', 'JOIN', 'LEFT JOIN']);
    const more = this.#chance(0.2) ? ` AND ${this.#condition(sources, 1)}` : '';
    return { from: `${left} ${a} ${type} ${right} ${b} ON ${on}${more}`, sources, ties: [] };
  }

  #fromDerived(a: string): { from: string; sources: Sources; ties: readonly string[] } {
    const table = this.#table();
    const inner = [this.#source(table, 'd')];
    const key = this.#pick((TABLES[table] as Columns).txt);
    const where = this.#chance(0.5) ? `WHERE ${this.#condition(inner, 1)} ` : '';
    const sum = `SUM(${this.#number(inner, 1)})`;
    const derived = `(SELECT d.${key} AS g, COUNT(*) AS n, ${sum} AS m FROM ${table} d ${where}GROUP BY d.${key})`;
    const groups: Source = { alias: 'q', num: ['n', 'm'], txt: ['g'] };
    if (this.#chance(0.4)) return { from: `${derived} q`, sources: [groups], ties: [] };
    const from = this.#pick([
      `${derived} q JOIN ${table} ${a} ON ${a}.${key} = q.g`,
      `${table} ${a} JOIN ${derived} q ON ${a}.${key} = q.g`,
      `${table} ${a} LEFT JOIN ${derived} q ON ${a}.${key} = q.g AND q.n < ${a}.${this.#pick((TABLES[table] as Columns).num)}`,
    ]);
    return { from, sources: [this.#source(table, a), groups], ties: [] };
  }

  #subquery(sources: Sources): string {
    const table = this.#table();
    const alias = `s${this.#aliases++}`;
    const own = [this.#source(table, alias)];
    const tied = `${this.#column(own, 'num')} ${this.#pick(['=', '=', '<'])} ${this.#column(sources, 'num')}`;
    const rows = `FROM ${table} ${alias} WHERE ${this.#condition(own, 1)}${this.#chance(0.5) ? ` AND ${tied}` : ''}`;
    const not = this.#chance(0.3) ? 'NOT ' : '';
    return this.#one(
      () => `${this.#column(sources, 'num')} ${not}IN (SELECT ${this.#column(own, 'num')} ${rows})`,
      () => `${not}EXISTS (SELECT 1 ${rows})`,
      () =>
        `${this.#number(sources, 1)} ${this.#pick(['>', '<', '='])} (SELECT ${this.#pick(['MAX', 'MIN', 'AVG', 'SUM', 'COUNT'])}(${this.#number(own, 1)}) ${rows})`,
    );
  }

  #condition(sources: Sources, depth: number): string {
    const inner = () => this.#condition(sources, depth - 1);
    if (depth > 0 && this.#chance(0.3)) {
      return this.#pick([`(${inner()} AND ${inner()})`, `(${inner()} OR ${inner()})`, `NOT (${inner()})`]);
    }
    const value = () => this.#value(sources, depth - 1);
    const not = this.#chance(0.3) ? 'NOT ' : '';
    return this.#one(
      () => `${value()} ${this.#pick(['=', '<>', '<', '>=', '>', '<='])} ${value()}`,
      () => `${this.#number(sources, depth - 1)} ${not}BETWEEN 1 AND ${this.#pick(['3', '10', '100'])}`,
      () => `${this.#text(sources, depth - 1)} ${not}LIKE ${this.#pick(["'%o%'", "'A%'", "'_l%'"])}`,
      () => `${value()} IS ${not}NULL`,
      () => `${value()} ${not}IN ('A', 1, 'London', 10)`,
      () => `${this.#column(sources, 'num')} > ${this.#number(sources, depth - 1)}`,
    );
  }

  #aggregate(sources: Sources): string {
    if (this.#chance(0.2)) return 'COUNT(*)';
    const distinct = this.#chance(0.2) ? 'DISTINCT ' : '';
    return `${this.#pick(['COUNT', 'SUM', 'AVG', 'MIN', 'MAX', 'TOTAL'])}(${distinct}${this.#number(sources, 2)})`;
  }

  /** Not a bare number, which ORDER BY and GROUP BY would take for a position. */
  #computed(sources: Sources): string {
    return this.#chance(0.5) ? this.#column(sources) : this.#text(sources, 1);
  }

  #value(sources: Sources, depth: number): string {
    return this.#chance(0.5) ? this.#number(sources, depth) : this.#text(sources, depth);
  }

  #number(sources: Sources, depth: number): string {
    if (depth <= 0 || this.#chance(0.4)) {
      return this.#chance(0.8) ? this.#column(sources, 'num') : this.#pick(['1', '2.0', '10', '0', '-3']);
    }
    const inner = () => this.#number(sources, depth - 1);
    return this.#one(
      () => `(${inner()} ${this.#pick(['+', '-', '*', '/'])} ${inner()})`,
      () => `LENGTH(${this.#text(sources, depth - 1)})`,
      () => `ABS(${inner()})`,
      () => `ROUND(${inner()}, 1)`,
      () => `CAST(${this.#value(sources, depth - 1)} AS ${this.#pick(['INTEGER', 'REAL'])})`,
      () => `CASE WHEN ${this.#condition(sources, depth - 1)} THEN ${inner()} ELSE ${inner()} END`,
      () => `COALESCE(${inner()}, 0)`,
      () => `INSTR(${this.#text(sources, depth - 1)}, 'o')`,
    );
  }

  #text(sources: Sources, depth: number): string {
    if (depth <= 0 || this.#chance(0.5)) {
      return this.#chance(0.85) ? this.#column(sources, 'txt') : this.#pick(["'London'", "'A'", "'done'"]);
    }
    const inner = () => this.#text(sources, depth - 1);
    return this.#one(
      () => `SUBSTR(${inner()}, ${this.#pick(['1', '2', '-2', '2, 3', '-3, 2'])})`,
      () => `UPPER(${inner()})`,
      () => `(${inner()} || ${this.#value(sources, depth - 1)})`,
      () => `STRFTIME('%Y', ${inner()})`,
      () => `CASE ${this.#column(sources, 'txt')} WHEN 'A' THEN 'x' WHEN 'B' THEN ${inner()} END`,
      () => `REPLACE(${inner()}, 'o', '0')`,
    );
  }

  #column(sources: Sources, kind: keyof Columns = this.#pick(['num', 'txt'] as const)): string {
    const source = this.#pick(sources);
    return `${source.alias}.${this.#pick(source[kind])}`;
  }

  #source(table: string, alias: string): Source {
    return { alias, ...(TABLES[table] as Columns) };
  }

  #table(): string {
    return this.#pick(Object.keys(TABLES));
  }

  #some(least: number, most: number, make: () => string): string[] {
    return Array.from({ length: least + this.#choices.below(most - least + 1) }, make);
  }

  #one(...makers: readonly (() => string)[]): string {
    return this.#pick(makers)();
  }

  #pick<T>(items: readonly T[]): T {
    return this.#choices.pick(items) as T;
  }

  #chance(share: number): boolean {
    return this.#choices.chance(share);
  }
}
