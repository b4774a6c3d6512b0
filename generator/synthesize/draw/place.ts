import type { ProfiledColumn, ProfiledTable } from '../profile/profile.ts';

/** A table in FROM, under its alias. */
export interface Seat {
  readonly alias: string;
  readonly table: ProfiledTable;
}

/** A column of a table in FROM. */
export interface Place {
  readonly seat: Seat;
  readonly column: ProfiledColumn;
  readonly sql: string;
}
