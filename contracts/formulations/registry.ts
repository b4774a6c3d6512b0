import { type Formulation, formulation } from '../sample.ts';
import type { Question } from '../split.ts';
import type { FormulationContract } from './contract.ts';
import { hybrid } from './hybrid.ts';
import { query } from './query.ts';
import { rest } from './rest.ts';
import { sel, slot } from './tool-chain.ts';

/** Every formulation; its name also stands in `formulation` of contracts/sample.ts. */
export const FORMULATIONS: Readonly<Record<Formulation, FormulationContract>> = {
  rest,
  slot,
  sel,
  query,
  hybrid,
};

/** The formulations that a question is put in: all but where it names a call of its own. */
export function formulationsOf({
  query_arguments,
}: Pick<Question, 'query_arguments'>): readonly Formulation[] {
  return query_arguments ? ['query'] : OF_EVERY_QUESTION;
}

/** The formulations of every question. */
export const OF_EVERY_QUESTION: readonly Formulation[] = formulation.options.filter(
  (kind) => FORMULATIONS[kind].everyQuestion,
);
