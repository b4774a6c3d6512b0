import { type Column, type Expr, exprKey, type SourceId, visitExpr } from '../../../../sql/index.ts';
import { unsupported } from './unsupported.ts';

/** How aggregates are computed at this point of a query. */
export type AggregateMode =
  /** No groups: aggregates are values of the whole table. */
  | 'whole'
  /** The rows are groups: aggregates are columns. */
  | 'grouped';

/** The rows at some point of a query: their label, and the expressions that their columns hold. */
export class Frame {
  label: string;
  mode: AggregateMode = 'whole';
  /** The sources whose columns the frame has. */
  readonly sources = new Set<SourceId>();
  readonly #columns = new Map<string, string>();
  /** Results for aggregates of the whole table, by expression. */
  readonly values = new Map<string, string>();
  /** Columns that hold the same value in every row, by that value. */
  readonly constants = new Map<unknown, string>();
  /** How often an expression occurs in the query; the column of one that occurs once may be changed in place. */
  readonly #uses = new Map<string, number>();

  constructor(label: string) {
    this.label = label;
  }

  /** The column that holds an expression, if one does. */
  find(expr: Expr): string | undefined {
    return this.#columns.get(exprKey(expr));
  }

  /** The column of a source. Throws when no table shows it, such as a row id. */
  column(expr: Column): string {
    const key = this.find(expr);
    if (key !== undefined) return key;
    throw unsupported(expr.name === 'rowid' ? 'rowid' : 'column', `no table shows the column ${expr.name}`);
  }

  has(expr: Expr): boolean {
    return this.#columns.has(exprKey(expr));
  }

  hold(expr: Expr, key: string): void {
    this.#columns.set(exprKey(expr), key);
  }

  forget(expr: Expr): void {
    this.#columns.delete(exprKey(expr));
  }

  holdColumn(source: SourceId, name: string, key: string): void {
    this.sources.add(source);
    this.#columns.set(exprKey({ kind: 'column', source, name }), key);
  }

  /** All columns that hold something. */
  keys(): string[] {
    return [...new Set(this.#columns.values())];
  }

  /** Columns by expression, for a frame that continues this one. */
  entries(): ReadonlyMap<string, string> {
    return this.#columns;
  }

  /** A copy of the frame that can be filtered independently. */
  fork(): Frame {
    const copy = new Frame(this.label);
    copy.adopt(this, (key) => key);
    for (const [expr, uses] of this.#uses) copy.#uses.set(expr, uses);
    return copy;
  }

  /** Adds the columns of another frame, renamed; existing ones stay. */
  adopt(other: Frame, rename: (key: string) => string): void {
    for (const source of other.sources) this.sources.add(source);
    for (const [expr, key] of other.entries()) {
      if (!this.#columns.has(expr)) this.#columns.set(expr, rename(key));
    }
  }

  /** Counts a use of an expression and of all its parts. */
  countAllUses(expr: Expr): void {
    visitExpr(expr, {
      expr: (inner) => {
        const key = exprKey(inner);
        this.#uses.set(key, (this.#uses.get(key) ?? 0) + 1);
      },
    });
  }

  /**
   * Whether the column that holds `expr` is needed for nothing else, so that an operation on it may replace
   * it. True when everything the column holds stands once in the query, all in all.
   */
  isUsedOnce(key: string): boolean {
    let uses = 0;
    for (const [expr, holder] of this.#columns) if (holder === key) uses += this.#uses.get(expr) ?? 0;
    return uses === 1;
  }

  /** The column now holds `expr` and nothing else. */
  replace(key: string, expr: Expr): void {
    for (const [held, holder] of this.#columns) if (holder === key) this.#columns.delete(held);
    this.hold(expr, key);
  }
}
