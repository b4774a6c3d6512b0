import type { Formulation } from '../../contracts/sample.ts';
import { hybrid } from './hybrid.ts';
import { query } from './query.ts';
import { records } from './records.ts';
import { rest } from './rest.ts';
import type { SampleMaker } from './sample-maker.ts';
import { sequences } from './sequences.ts';

export const SAMPLE_MAKERS: Readonly<Record<Formulation, SampleMaker>> = {
  rest,
  slot: sequences,
  sel: sequences,
  query,
  hybrid,
  records,
  actions: records,
};
