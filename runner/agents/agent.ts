import type { ClientTask } from '../../client/index.ts';
import type { Sample } from '../../contracts/sample.ts';
import type { Row } from '../../contracts/value.ts';
import type { ModelSession } from '../attempt/model-session.ts';
import type { ToolSession } from '../attempt/tool-session.ts';
import type { ModelTool } from '../model/model.ts';
import type { PromptPack } from '../prompts/prompt-pack.ts';
import type { AgentSettings } from '../settings/agent-settings.ts';

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
  readonly task: ClientTask;
  /** From 1. */
  readonly epoch: number;
  readonly seed: number;
  readonly tools: readonly ModelTool[];
  readonly settings: AgentSettings;
  readonly prompts: PromptPack;
  /** Worked examples, ready to be put into a prompt; '' when there are none. */
  readonly examples: string;
  readonly model: ModelSession;
  /** Begins a run at the farm, once; live agents call tools through it. */
  openRun(options?: { readonly answerTool?: boolean }): Promise<ToolSession>;
  /** The task's sample with its gold. Throws OPTION_INVALID where the runner has no farm folder. */
  gold(): Sample;
  /** Throws OPTION_INVALID where the runner has no farm folder. */
  data(): FarmData;
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

/** A way to attempt a task. */
export interface Agent {
  readonly name: string;
  /** False for those that ask no model. */
  readonly needsModel: boolean;
  /** True for those that can say nothing without the farm's folder. */
  readonly needsFolder: boolean;
  /** Throws AttemptEnd, ModelError, or RookeryError when the farm cannot be reached. */
  attempt(context: AgentContext): Promise<Attempt>;
}
