import type { Catalog } from '../../../contracts/catalog.ts';
import { startColumns } from '../../../services/domain/tools/plan/start-columns.ts';
import { hasGetters } from '../../../services/domain/tools/sel/has-getters.ts';
import type { SlotSequence } from '../slot/sequence/sequence.ts';

/** The columns of a task's start tables: those that have a getter of their own. */
export function startKeysOf(sequence: SlotSequence, catalog: Catalog): Set<string> {
  const narrow = sequence.startTables.filter((start) => hasGetters(start, catalog));
  return new Set(narrow.flatMap((start) => startColumns(start, catalog).map(({ key }) => key)));
}
