import type { Call, Formulation } from '../sample.ts';
import type { Service } from '../service.ts';
import type { ToolVariant } from '../tool-variants.ts';
import type { AnswerFacts } from './answer-facts.ts';
import type { CallRequest } from './call-request.ts';
import type { ReplayContext, Replayed } from './replay.ts';

/**
 * The public part of a formulation: the form of its calls, and how their answers combine. How it is served is in
 * services/domain/formulations/, how its gold is made in generator/formulations/.
 */
export interface FormulationContract {
  /** In ids, addresses and file names. */
  readonly name: Formulation;
  /** For people. */
  readonly title: string;
  /** One line that describes its tools. */
  readonly summary: string;
  /**
   * `single`: a call answers a question by itself. `chain`: calls begin from start tables and refer to the results of
   * earlier ones, as `$label$` in samples and by handle in a live service.
   */
  readonly calls: 'single' | 'chain';
  /**
   * Whether it takes every question, and so says why it does not keep one; else only those that it has a form for, and it
   * is run when it is asked for.
   */
  readonly everyQuestion: boolean;
  /** How its tools may be offered; in one way unless given. */
  readonly variants?: readonly ToolVariant[];
  /** How a tool of a domain's service is called: the path as in OpenAPI, with `{parameters}`. */
  routeOf(service: CalledService, tool: string): { readonly method: 'GET' | 'POST'; readonly path: string };
  /** The request that carries out a call of a domain's service. */
  requestOf(service: CalledService, call: SentCall): CallRequest;
  /** Carries out calls in their order and puts their answers together. */
  replay(service: CalledService, calls: readonly Call[], context: ReplayContext): Promise<Replayed>;
  /** Facts about a successful answer, read without parsing it: some have millions of characters. */
  factsOf(body: string): AnswerFacts;
}

/** A call to be sent, from a sample or from an agent, whose arguments may be anything. */
export interface SentCall {
  readonly name: string;
  readonly arguments: unknown;
  readonly path?: string | undefined;
}

/** The part of a domain's service that is needed to address it. */
export type CalledService = Pick<Service, 'split' | 'db' | 'endpoints' | 'hidden'>;
