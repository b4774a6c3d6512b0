import { type Formulation, formulation } from '../sample.ts';
import type { Question } from '../split.ts';
import type { FormulationContract } from './contract.ts';
import { hybrid } from './hybrid.ts';
import { query } from './query.ts';
import { rest } from './rest.ts';
import { sel, slot } from './tool-chain.ts';

/** Every formulation, by its name in `formulation` of contracts/sample.ts. */
export const FORMULATIONS: Readonly<Record<Formulation, FormulationContract>> = {
  rest,
  slot,
  sel,
  query,
  hybrid,
};

/** The formulations that apply to a question; just `query` if it comes with a gold call of its own. */
export function formulationsOf({
  query_arguments,
}: Pick<Question, 'query_arguments'>): readonly Formulation[] {
  return query_arguments ? ['query'] : OF_EVERY_QUESTION;
}

/** The formulations that apply to every question. */
export const OF_EVERY_QUESTION: readonly Formulation[] = formulation.options.filter(
  (kind) => FORMULATIONS[kind].everyQuestion,
);
