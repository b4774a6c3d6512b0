import type { Stored } from '../../oracle/messages.ts';
import { identityOf, type Row } from '../../variants/perturb-table.ts';
import type { TableShape } from '../../variants/table-shape.ts';

/** Cells that questions depend on to find anything: random changes leave them alone. */
export class Guard {
  readonly #rows = new Map<string, Set<string>>();

  add(table: TableShape, identity: readonly Stored[], column: string): void {
    const key = keyOf(table, identity);
    const columns = this.#rows.get(key) ?? new Set();
    columns.add(column);
    this.#rows.set(key, columns);
  }

  has(table: TableShape, row: Row, column: string): boolean {
    return this.#columnsOf(table, row)?.has(column) ?? false;
  }

  hasRow(table: TableShape, row: Row): boolean {
    return this.#columnsOf(table, row) !== undefined;
  }

  #columnsOf(table: TableShape, row: Row): Set<string> | undefined {
    return this.#rows.get(keyOf(table, Object.values(identityOf(table, row))));
  }
}

function keyOf({ name }: TableShape, identity: readonly Stored[]): string {
  return [name, ...identity.map(String)].join('\0');
}
