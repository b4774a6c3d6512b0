import type { Formulation } from '../../contracts/sample.ts';
import type { SampleMaker } from './contract/sample-maker.ts';
import { hybrid } from './hybrid/hybrid.ts';
import { query } from './query/query.ts';
import { rest } from './rest/rest.ts';
import { sequences } from './sequences/sequences.ts';

/** What makes the samples of each formulation. */
export const SAMPLE_MAKERS: Readonly<Record<Formulation, SampleMaker>> = {
  rest,
  slot: sequences,
  sel: sequences,
  query,
  hybrid,
};
