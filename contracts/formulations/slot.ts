import { toolChain } from './tool-chain.ts';

/** A handful of general table tools. */
export const slot = toolChain({
  name: 'slot',
  title: 'SLOT',
  summary: 'General operations whose arguments name columns',
});
