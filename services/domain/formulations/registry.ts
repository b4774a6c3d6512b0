import type { Formulation } from '../../../contracts/sample.ts';
import type { ServedFormulation } from './contract/served-formulation.ts';
import { hybrid } from './hybrid/hybrid.ts';
import { query } from './query/query.ts';
import { rest } from './rest/rest.ts';
import { toolFormulation } from './tools/tool-formulation.ts';

/** How each formulation is served. */
export const SERVED_FORMULATIONS: Readonly<Record<Formulation, ServedFormulation>> = {
  rest,
  slot: toolFormulation('slot'),
  sel: toolFormulation('sel'),
  query,
  hybrid,
};
