import type { Call, Formulation } from '../sample.ts';
import type { Service } from '../service.ts';
import type { AnswerFacts } from './answer-facts.ts';
import type { CallRequest } from './call-request.ts';
import type { ReplayContext, Replayed } from './replay.ts';

/**
 * What everybody may know of a formulation: what its calls look like, and what their answers come to. How it is
 * served stands in services/domain/formulations/, how its gold is made in generator/formulations/.
 */
export interface FormulationContract {
  /** In ids, addresses and file names. */
  readonly name: Formulation;
  /** For people. */
  readonly title: string;
  /** What its tools are, in a line. */
  readonly summary: string;
  /**
   * `single`: a call answers a question by itself. `chain`: calls begin from start tables and refer to the results of
   * earlier ones, as `$label$` in samples and by handle in a live service.
   */
  readonly calls: 'single' | 'chain';
  /** The request that carries out a call of a domain's service. */
  requestOf(service: CalledService, call: SentCall): CallRequest;
  /** Carries out calls in their order and puts their answers together. */
  replay(service: CalledService, calls: readonly Call[], context: ReplayContext): Promise<Replayed>;
  /** What the text of a successful answer says of itself, without parsing it: some have millions of characters. */
  factsOf(body: string): AnswerFacts;
}

/** A call to be sent, from a sample or from an agent, whose arguments may be anything. */
export interface SentCall {
  readonly name: string;
  readonly arguments: unknown;
  readonly path?: string | undefined;
}

/** As much of a domain's service as it takes to address it. */
export type CalledService = Pick<Service, 'split' | 'db' | 'endpoints'>;
