import type { StartTable } from '../../../contracts/start-table.ts';
import type { SampleMaker } from '../contract/sample-maker.ts';
import { type LoweredSequences, lowerSequences } from './lower-sequences.ts';
import { otherOrders } from './other-orders.ts';
import { proveSequences } from './prove-sequences.ts';

/**
 * SLOT and SEL: a sequence of table tools for each question, and the same sequence with every choice bound into a
 * separate tool.
 */
export const sequences: SampleMaker = {
  lower({ golds, tieBroken }, { catalog, file, goldAnswers, onBug }) {
    const orders = otherOrders(golds, tieBroken, { file, goldAnswers });
    const lowered = lowerSequences(golds, orders, { catalog, onBug });
    return {
      offers: { endpoints: [], start_tables: lowered.flatMap(startTablesOf) },
      async prove(context) {
        const { startTables, samples, verdicts } = await proveSequences(lowered, context);
        return { offers: { endpoints: [], start_tables: [...startTables] }, samples, verdicts };
      },
    };
  },
};

function startTablesOf(item: LoweredSequences): readonly StartTable[] {
  return 'attempts' in item ? item.attempts.flatMap(({ startTables }) => startTables) : [];
}
