import type { CatalogTable } from '../../contracts/catalog.ts';
import { QueryError } from '../../contracts/errors.ts';
import { node } from '../ir/build.ts';
import type { Column, Expr, SourceId } from '../ir/nodes.ts';
import { foldName } from './fold-name.ts';

/** A source that names can refer to: its name and columns. */
export interface ScopeSource {
  readonly id: SourceId;
  /** The name that qualifies its columns: the alias, or the table's name. */
  readonly alias: string;
  readonly columns: readonly string[];
  /** The base table, when it is one: it has a rowid then. */
  readonly table: CatalogTable | null;
}

/** Names joined by USING or NATURAL appear once in `*`, and unqualified they mean the left one. */
export interface MergedColumn {
  readonly name: string;
  readonly right: SourceId;
}

const ROWIDS = new Set(['rowid', 'oid', '_rowid_']);

/** The names that one SELECT can use, and the scope around it. */
export class Scope {
  readonly parent: Scope | null;
  readonly sources: ScopeSource[] = [];
  readonly merged: MergedColumn[] = [];
  /** Aliases of result columns by folded name, known once they are bound. */
  readonly aliases = new Map<string, Expr>();

  constructor(parent: Scope | null) {
    this.parent = parent;
  }

  /** The column that a name means here or in an enclosing scope, as SQLite finds it; null when there is none. */
  resolve(table: string | null, name: string): Expr | null {
    for (let scope: Scope | null = this; scope !== null; scope = scope.parent) {
      const found = scope.resolveHere(table, name);
      if (found !== null) return found;
    }
    return null;
  }

  /** Whether the name qualifies columns here or outside. */
  hasSource(alias: string): boolean {
    return (
      this.sources.some((source) => same(source.alias, alias)) || (this.parent?.hasSource(alias) ?? false)
    );
  }

  /** The columns of `*` or `table.*`, in order. */
  star(table: string | null): Column[] {
    const sources = this.sources.filter((source) => table === null || same(source.alias, table));
    if (sources.length === 0) throw new QueryError('SQL_NOT_BOUND', `no table for ${table ?? ''}*`, table);
    return sources.flatMap((source) =>
      source.columns
        .filter((name) => table !== null || !this.isMerged(source.id, name))
        .map((name) => column(source.id, name)),
    );
  }

  private isMerged(source: SourceId, name: string): boolean {
    return this.merged.some((item) => item.right === source && same(item.name, name));
  }

  private resolveHere(table: string | null, name: string): Expr | null {
    const candidates = this.sources.filter((source) => table === null || same(source.alias, table));
    const matches = candidates.flatMap((source) => {
      const found = source.columns.find((column) => same(column, name));
      if (found === undefined || (table === null && this.isMerged(source.id, name))) return [];
      return [column(source.id, found)];
    });
    // SQLite takes the first source of that name; an ambiguous bare name is an error there, so the query never ran.
    const [first] = matches;
    if (first !== undefined) return first;
    const [only] = candidates;
    if (ROWIDS.has(name.toLowerCase()) && candidates.length === 1 && only?.table?.has_rowid) {
      return column(only.id, 'rowid');
    }
    return table === null ? (this.aliases.get(foldName(name)) ?? null) : null;
  }
}

function column(source: SourceId, name: string): Column {
  return node({ kind: 'column', source, name });
}

function same(a: string, b: string): boolean {
  return foldName(a) === foldName(b);
}
