import type { Row } from '../../contracts/catalog.ts';
import type { Call, Formulation, Sample } from '../../contracts/sample.ts';
import type { ModelSession } from '../attempt/model-session.ts';
import type { CallOutcome, ToolSession } from '../attempt/tool-session.ts';
import type { RunTask } from '../categories/composition.ts';
import type { ModelTool } from '../models/model.ts';
import type { AgentSettings, PromptPack } from '../prompts/prompt-pack.ts';

/** The databases of a farm, for agents that write SQL or look at values. */
export interface FarmData {
  /** `CREATE TABLE` as stored, of every table. */
  ddl(db: string): Promise<string>;
  /** What the catalog tells of a domain's columns, a line each; '' when it tells nothing. */
  descriptions(db: string): Promise<string>;
  /** The first rows of every table as text. */
  firstRows(db: string, count: number): Promise<string>;
  /** Rows of one SELECT, under the service's limits; the fault as text when it cannot be carried out. */
  query(
    db: string,
    sql: string,
  ): Promise<{ readonly columns: readonly string[]; readonly rows: readonly Row[] } | string>;
  /** Distinct values of a column, the most frequent first. */
  values(db: string, table: string, column: string, max: number): Promise<readonly Row[number][]>;
}

/** What an agent is given for one attempt. */
export interface AgentContext {
  readonly task: RunTask;
  /** From 1. */
  readonly epoch: number;
  readonly seed: number;
  readonly tools: readonly ModelTool[];
  /** Those that `tools` finds, where two tools stand for all of them and the agent has to know which there are. */
  readonly callable: readonly ModelTool[];
  readonly settings: AgentSettings;
  readonly prompts: PromptPack;
  /** Worked examples, ready to be put into a prompt; '' when there are none. */
  readonly examples: string;
  readonly model: ModelSession;
  /** Begins a run at the farm, once; live agents call tools through it. */
  openRun(options?: { readonly answerTool?: boolean }): Promise<ToolSession>;
  /**
   * What is asked for, with its gold: one sample, those of a composed task, or none where nothing can be called. Throws
   * OPTION_INVALID where the runner has no farm folder.
   */
  golds(): readonly Sample[];
  /** A call of the farm as `tools` has it, whose names may be others. */
  offeredCall(call: Pick<Call, 'name' | 'arguments'>): Pick<Call, 'name' | 'arguments'>;
  /** Throws OPTION_INVALID where the runner has no farm folder. */
  data(): FarmData;
  /** Throws OPTION_INVALID unless programs were allowed. */
  readonly runProgram: RunProgram;
  readonly signal: AbortSignal;
}

/** What an agent came to. */
export interface Attempt {
  /** Rows, a list, a scalar or text; undefined when the calls themselves are the answer. */
  readonly answer?: unknown;
  /** Calls that were not made through a run, as they go into a prediction. */
  readonly calls?: readonly unknown[];
  /** What the model wrote, where its text is to be parsed. */
  readonly rawOutput?: string;
  readonly sql?: string;
}

/** A conversation of several turns with an agent. */
export interface Conversation {
  /** Throws as an attempt does. */
  say(turn: AgentTurn): Promise<Attempt>;
}

/** What an agent is told in a turn of a conversation. */
export interface AgentTurn {
  readonly text: string;
  readonly tools: readonly ModelTool[];
  /** As in a context, of this turn. */
  golds(): readonly Sample[];
}

/** A way to attempt a task. */
export interface Agent {
  readonly name: string;
  /** False for those that ask no model. */
  readonly needsModel: boolean;
  /** True for those that can say nothing without the farm's folder. */
  readonly needsFolder: boolean;
  /** True for those that run what the model wrote. */
  readonly needsPrograms?: boolean;
  /** Whether it is told of the runner's own requests, and not only of the farm's task: composed tasks need that. */
  readonly takesComposed?: boolean;
  /**
   * True for those whose calls are their answer. Of several requests at once, each of which takes a sequence of calls,
   * nobody could say which calls are whose.
   */
  readonly answersByCalls?: boolean;
  /** True for those that carry out one call after another, a turn of the model for each and one for the answer. */
  readonly callsByTurn?: boolean;
  /** The formulations whose tasks it takes; all unless given. */
  readonly formulations?: readonly Formulation[];
  /** Begins a conversation of several turns; left out where the agent holds none. */
  readonly begin?: (context: AgentContext) => Conversation;
  /** Throws AttemptEnd, ModelError, or RookeryError when the farm cannot be reached. */
  attempt(context: AgentContext): Promise<Attempt>;
}

/** A program that a model wrote, and what it may do. */
export interface Program {
  /** JavaScript. */
  readonly code: string;
  /** Names of the functions that it may call. */
  readonly functions: readonly string[];
  /** Carries out a call; the arguments are JSON. */
  readonly call: (name: string, args: string) => Promise<CallOutcome>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** What it printed, or why it printed nothing. */
export type ProgramOutcome = { readonly rows: unknown } | { readonly fault: string };

/** Runs programs where they can reach nothing but their functions. Throws what `call` throws. */
export type RunProgram = (program: Program) => Promise<ProgramOutcome>;
