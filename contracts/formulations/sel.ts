import { toolChain } from './tool-chain.ts';

/** The SLOT tools with every choice bound into a separate tool. */
export const sel = toolChain({
  name: 'sel',
  title: 'SEL',
  summary: 'The same operations, one tool for each condition, aggregation, transformation and column',
});
