import type { Row } from '../../contracts/catalog.ts';
import type { Slot } from '../../contracts/dialogue.ts';
import type { Call, Formulation, Sample } from '../../contracts/sample.ts';
import type { ModelSession } from '../attempt/model-session.ts';
import type { CallOutcome, ToolSession } from '../attempt/tool-session.ts';
import type { RunTask } from '../categories/composition.ts';
import type { ModelTool } from '../models/model.ts';
import type { AgentSettings, Language, PromptPack } from '../prompts/prompt-pack.ts';

/** How a model is asked to call functions: in a field of the request that its API has for them, or in its prompt. */
export const CALL_MODES = ['native', 'prompt'] as const;
export type CallMode = (typeof CALL_MODES)[number];

/** Access to a farm's databases, for agents that write SQL or look at values. */
export interface FarmData {
  /** The stored `CREATE TABLE` statements. */
  ddl(db: string): Promise<string>;
  /** The catalog's column descriptions, one per line; '' if there are none. */
  descriptions(db: string): Promise<string>;
  /** The first rows of every table, as text. */
  firstRows(db: string, count: number): Promise<string>;
  /** The rows of one SELECT, under the service's limits; on failure, the error message. */
  query(
    db: string,
    sql: string,
  ): Promise<{ readonly columns: readonly string[]; readonly rows: readonly Row[] } | string>;
  /** Distinct values of a column, the most frequent first. */
  values(db: string, table: string, column: string, max: number): Promise<readonly Row[number][]>;
}

export interface AgentContext {
  readonly task: RunTask;
  /** Number of the attempt, from 1. */
  readonly epoch: number;
  readonly seed: number;
  readonly tools: readonly ModelTool[];
  /** The tools behind `search_tools`, if the agent needs to know them; else equal to `tools`. */
  readonly callable: readonly ModelTool[];
  readonly settings: AgentSettings;
  readonly prompts: PromptPack;
  /** Worked examples as prompt text; '' if there are none. */
  readonly examples: string;
  readonly model: ModelSession;
  /** The model behind tools of the agent's own; null without one. */
  readonly inner: ModelSession | null;
  /** Opens the attempt's run at the farm, once; live agents call tools through it. */
  openRun(options?: { readonly answerTool?: boolean }): Promise<ToolSession>;
  /** The task's gold samples; empty if nothing can be called. Throws OPTION_INVALID without the farm's folder. */
  golds(): readonly Sample[];
  /** Translates a farm's call to the names in `tools`, if these are renamed; without `path` if that is hidden. */
  offeredCall(call: Pick<Call, 'name' | 'arguments' | 'path'>): Pick<Call, 'name' | 'arguments' | 'path'>;
  /** Throws OPTION_INVALID if the runner has no farm folder. */
  data(): FarmData;
  /** Throws OPTION_INVALID unless programs are allowed. */
  readonly runProgram: RunProgram;
  readonly signal: AbortSignal;
}

export interface Attempt {
  /** Rows, a list, a scalar or text; undefined if the calls themselves are the answer. */
  readonly answer?: unknown;
  /** Calls made outside a run, in the form of a prediction. */
  readonly calls?: readonly unknown[];
  /** The model's output, if its text is to be parsed. */
  readonly rawOutput?: string;
  readonly sql?: string;
}

export interface Conversation {
  /** Throws like `Agent.attempt`. */
  say(turn: AgentTurn): Promise<Attempt>;
}

/** What baselines know of a turn of a dialogue; models never see it. */
export interface TurnScript {
  /** From 1. */
  readonly number: number;
  /** What the turn's words mean without the turns before; null if they mean nothing. */
  readonly alone: string | null;
  /** The values that the user knows so far. */
  readonly slots: readonly Slot[];
  /** Those of them that the turn needs and leaves out. */
  readonly missing: readonly Slot[];
}

export interface AgentTurn {
  readonly text: string;
  readonly tools: readonly ModelTool[];
  /** As in the context, but for this turn. */
  golds(): readonly Sample[];
  readonly script: TurnScript;
}

/** A strategy for attempting a task. */
export interface Agent {
  readonly name: string;
  /** False for baselines without a model. */
  readonly needsModel: boolean;
  /** How its model calls functions; `either`: as `tools_in` says. Absent if it calls none. */
  readonly mode?: CallMode | 'either';
  /** Whether it requires the farm's folder. */
  readonly needsFolder: boolean;
  /** Whether it runs programs that the model wrote. */
  readonly needsPrograms?: boolean;
  /** Whether its prompt is made from the runner's request rather than the farm's task, as composed tasks require. */
  readonly takesComposed?: boolean;
  /** Whether it answers by calls alone. If a task has several requests, each a sequence, the calls do not show which belongs to which. */
  readonly answersByCalls?: boolean;
  /** Whether it makes one call per turn, plus a turn for the answer. */
  readonly callsByTurn?: boolean;
  /** The formulations that it supports; default all. */
  readonly formulations?: readonly Formulation[];
  /** Begins a multi-turn conversation; absent if not supported. */
  readonly begin?: (context: AgentContext) => Conversation;
  /** Throws AttemptEnd, ModelError, or RookeryError if the farm cannot be reached. */
  attempt(context: AgentContext): Promise<Attempt>;
}

/** A program written by a model, and its permissions. */
export interface Program {
  readonly code: string;
  readonly language: Language;
  /** Names of the functions that it may call. */
  readonly functions: readonly string[];
  /** Carries out a call; `args` is JSON. */
  readonly call: (name: string, args: string) => Promise<CallOutcome>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** The rows that it printed, or why there are none. */
export type ProgramOutcome = { readonly rows: unknown } | { readonly fault: string };

/** Runs a program that has access to its functions only. Rethrows errors of `call`. */
export type RunProgram = (program: Program) => Promise<ProgramOutcome>;
