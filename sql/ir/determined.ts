import type { Catalog, CatalogTable } from '../../contracts/catalog.ts';
import { conjuncts } from './conjuncts.ts';
import { sameExpr } from './equal.ts';
import type { Column, Expr, Select, SourceId } from './nodes.ts';
import { columnsOfQuery } from './parts.ts';
import { childExprs, subqueryOf } from './walk.ts';

/**
 * The values determined by some known values of a row of a SELECT's joined sources: a table's key determines all its
 * columns, an equality its other side.
 */
export class Determined {
  readonly #select: Select;
  readonly #tables: ReadonlyMap<SourceId, CatalogTable>;
  readonly #own: ReadonlySet<SourceId>;
  readonly #known: Expr[];
  readonly #columns = new Set<string>();
  readonly #fixed = new Set<SourceId>();

  constructor(select: Select, catalog: Catalog, known: readonly Expr[]) {
    this.#select = select;
    this.#tables = new Map(
      select.from.flatMap(({ source }) => {
        const table = source.kind === 'table' && catalog.tables.find(({ name }) => name === source.table);
        return table ? [[source.id, table] as const] : [];
      }),
    );
    this.#own = new Set(select.from.map(({ source }) => source.id));
    this.#known = known.filter((expr) => !this.#folds(expr));
    for (const expr of this.#known) this.#learn(expr);
    this.#close();
  }

  /** Whether every source gives at most one row, so that there is one combination of rows at most. */
  get singleRow(): boolean {
    return [...this.#own].every((id) => this.#fixed.has(id));
  }

  /** Whether the expression can have only one value. */
  has(expr: Expr): boolean {
    if (this.#known.some((each) => sameExpr(each, expr))) return true;
    if (expr.kind === 'column') return !this.#own.has(expr.source) || this.#columns.has(keyOf(expr));
    if (expr.kind === 'aggregate' || expr.kind === 'window') return false;
    const query = subqueryOf(expr);
    return (
      childExprs(expr).every((part) => this.has(part)) &&
      (query === null || columnsOfQuery(query).every((column) => this.has(column)))
    );
  }

  #learn(expr: Expr): boolean {
    if (expr.kind !== 'column' || this.#columns.has(keyOf(expr)) || !this.#own.has(expr.source)) return false;
    if (this.#folds(expr)) return false;
    this.#columns.add(keyOf(expr));
    return true;
  }

  /** Whether values that compare equal may still be different texts: under NOCASE or RTRIM. */
  #folds(expr: Expr): boolean {
    if (expr.kind === 'collate') return expr.collation.toUpperCase() !== 'BINARY';
    if (expr.kind === 'cast' || expr.kind === 'unary') return this.#folds(expr.expr);
    if (expr.kind !== 'column') return false;
    const column = this.#tables.get(expr.source)?.columns.find(({ name }) => name === expr.name);
    return column !== undefined && column.collation !== 'BINARY';
  }

  #close(): void {
    for (let grown = true; grown; ) {
      grown = false;
      for (const [id, table] of this.#tables) {
        if (!this.#fixed.has(id) && this.#hasKey(id, table)) {
          grown = true;
          this.#fixed.add(id);
          for (const { name } of [...table.columns, { name: 'rowid' }]) this.#columns.add(`${id}\0${name}`);
        }
      }
      for (const [from, to] of this.#equalities()) if (this.has(from) && this.#learn(to)) grown = true;
    }
  }

  #hasKey(id: SourceId, table: CatalogTable): boolean {
    if (table.has_rowid && this.#columns.has(`${id}\0rowid`)) return true;
    const key = table.columns.filter(({ primary_key }) => primary_key > 0);
    // SQLite lets NULLs into most primary keys, any number of them.
    const unique = key.length > 0 && key.every(({ statistics }) => statistics.nulls === 0);
    return unique && key.every(({ name }) => this.#columns.has(`${id}\0${name}`));
  }

  /** Pairs where the first value determines the second. */
  *#equalities(): Generator<readonly [Expr, Expr]> {
    for (const condition of conjuncts(this.#select.where)) yield* bothWays(condition);
    for (const { join, on, source } of this.#select.from) {
      for (const condition of conjuncts(on)) {
        for (const [from, to] of bothWays(condition)) {
          // The left side of a LEFT JOIN determines the right; a NULL on the right does not determine the left.
          if (join === 'inner' || join === 'cross' || join === 'from') yield [from, to];
          if (join === 'left' && to.kind === 'column' && to.source === source.id) yield [from, to];
        }
      }
    }
  }
}

function bothWays(condition: Expr): (readonly [Expr, Expr])[] {
  if (condition.kind === 'is_null' && !condition.negated) return [];
  if (condition.kind !== 'compare' || (condition.op !== '=' && condition.op !== 'is')) return [];
  const { left, right } = condition;
  return [
    [left, right],
    [right, left],
  ];
}

function keyOf({ source, name }: Column): string {
  return `${source}\0${name}`;
}
