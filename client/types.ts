import type { ListOptions } from '../contracts/list-options.ts';
import type { RunSummary } from '../contracts/run.ts';
import type { Task } from '../contracts/task.ts';

type Shown =
  | 'sample_id'
  | 'split'
  | 'db'
  | 'question_id'
  | 'formulation'
  | 'question'
  | 'difficulty'
  | 'start_tables';

/** A task as a farm serves it. */
export type ClientTask = Pick<Task, Shown> & {
  /** Only when it was asked for. */
  readonly evidence?: string;
  readonly toolset_size: number;
  readonly links: { readonly self: string; readonly tools: string; readonly mcp: string };
};

/** What `POST /runs` answers for one task. */
export type CreatedRun = Omit<RunSummary, 'calls'> & { readonly task: ClientTask };

/** What `POST /runs` answers for a selection. */
export interface CreatedBatch {
  readonly batch_id: string;
  readonly base: string;
  readonly runs: readonly CreatedRun[];
}

export interface CallResult {
  /** Whether the call was carried out. */
  readonly ok: boolean;
  readonly status: number;
  /** The body as it came. */
  readonly text: string;
  /** The body as JSON; undefined when it is none. */
  readonly body: unknown;
  readonly retryAfter: string | null;
  /** What was made to go wrong on purpose, for whoever watches the agent rather than for the agent. */
  readonly fault: string | null;
}

type Schema = Readonly<Record<string, unknown>>;

interface Function {
  readonly name: string;
  readonly description: string;
  readonly parameters: Schema;
  readonly strict: boolean;
}

/** How a tool is written in each format. */
export interface ToolIn {
  readonly plain: { readonly name: string; readonly description: string; readonly parameters: Schema };
  readonly openai: { readonly type: 'function'; readonly function: Function };
  readonly 'openai-responses': Function & { readonly type: 'function' };
  readonly anthropic: { readonly name: string; readonly description: string; readonly input_schema: Schema };
  readonly mcp: {
    readonly name: string;
    readonly description: string;
    readonly inputSchema: Schema;
    readonly outputSchema: Schema;
  };
}

/** A list of tools in one format. */
export interface ToolListOf<F extends keyof ToolIn> {
  readonly size: number;
  readonly toolset_size: number;
  /** sha256 of the list, the same in every format. */
  readonly checksum: string;
  readonly options: ListOptions;
  readonly tools: readonly ToolIn[F][];
}
