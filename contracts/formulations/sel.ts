import { toolChain } from './tool-chain.ts';

/** The tools of SLOT with every choice bound into a tool of its own. */
export const sel = toolChain({
  name: 'sel',
  title: 'SEL',
  summary: 'The same operations, one tool for each condition, aggregation, transformation and column',
});
