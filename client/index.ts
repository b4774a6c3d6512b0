export type {
  AgentRunSummary,
  AgentRunView,
  CreatedBatch,
  CreatedRun,
  RunAnswer,
  RunRequest,
  RunSummary,
  RunView,
  TrajectoryEntry,
} from '../contracts/run.ts';
export type { ServedTask as ClientTask } from '../contracts/served-task.ts';
export type { ToolFormats } from '../contracts/served-tools.ts';
export {
  AgentRun,
  Batch,
  type CallView,
  type ClientOptions,
  Rookery,
  Run,
  type TaskQuery,
  type ToolFormat,
  type ToolQuery,
} from './client.ts';
export { RookeryError } from './rookery-error.ts';
export type { CallResult, ToolListOf } from './types.ts';
