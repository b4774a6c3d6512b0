export type { RunAnswer, RunRequest, RunSummary, RunView, TrajectoryEntry } from '../contracts/run.ts';
export {
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
export type { CallResult, ClientTask, CreatedBatch, CreatedRun, ToolIn, ToolListOf } from './types.ts';
