import type { ClientTask } from '../../client/index.ts';
import type { Sample } from '../../contracts/sample.ts';
import type { Row } from '../../contracts/value.ts';
import type { ModelTool } from '../model/model.ts';
import type { RunTask } from './composition.ts';

/** A task whose gold can be told from a guess, with what composing needs to know of it. */
export interface Candidate {
  readonly task: ClientTask;
  readonly sample: Sample;
  /** The tools of its gold calls, each once. */
  readonly tools: readonly string[];
  /** REST: that of its only gold call; else that of the last one. */
  readonly tool: string;
  /** REST: the arguments of the gold call; else the values that its gold calls compare with, by place. */
  readonly args: Readonly<Record<string, unknown>>;
}

/** What composing asks of a farm. */
export interface ComposerFarm {
  /** The tool of a candidate as it is offered. */
  toolOf(candidate: Candidate): Promise<ModelTool | null>;
  /** Distinct values of a column, the most frequent first. */
  values(db: string, table: string, column: string): Promise<readonly Row[number][]>;
  /** What the candidate's endpoint answers to other arguments; null where it refuses them. */
  rows(candidate: Candidate, args: Readonly<Record<string, unknown>>): Promise<readonly Row[] | null>;
}

/** Makes composed tasks one after the other, in an order drawn by the seed, until nobody wants more. */
export type Composer = (
  candidates: readonly Candidate[],
  farm: ComposerFarm,
  seed: number,
) => AsyncIterable<RunTask>;
