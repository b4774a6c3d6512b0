import type { Stored } from '../oracle/messages.ts';
import type { Draft } from './draft.ts';
import type { Combination } from './proposals.ts';
import type { Part } from './target.ts';

/** Rows that one search may visit. */
export const MAX_VISITS = 200_000;

/** Rows that reach a part's result together. */
export interface Found {
  /** By table of the part. */
  readonly identities: readonly (readonly Stored[])[];
  readonly rows: Combination;
}

/** Some combinations of rows that reach a part's result now; none when the search would take too long. */
export function combinationsOf(draft: Draft, { rows, tables }: Part): Found[] {
  return (draft.rows(rows, MAX_VISITS) ?? []).map((values) => {
    let at = 0;
    const identities = tables.map(({ identity }) => {
      const own = values.slice(at, at + identity.length);
      at += identity.length;
      return own;
    });
    return { identities, rows: tables.map((table, i) => draft.row(table, identities[i] ?? [])) };
  });
}
