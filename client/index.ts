export type { CatalogColumn, CatalogTable } from '../contracts/catalog.ts';
export type { FoundEndpoints } from '../contracts/found-endpoints.ts';
export type { Reward, Rewards } from '../contracts/reward.ts';
export type {
  AgentRunSummary,
  AgentRunView,
  BatchView,
  CreatedBatch,
  CreatedRun,
  RunAnswer,
  RunRequest,
  RunSummary,
  RunView,
  TrajectoryEntry,
} from '../contracts/run.ts';
export type { Call, Formulation } from '../contracts/sample.ts';
export type { ReviewedCall, SampleReview } from '../contracts/sample-review.ts';
export type { ServedCatalog, ServedEndpoint } from '../contracts/served-catalog.ts';
export type { ServedFarm } from '../contracts/served-farm.ts';
export type { AnswerVerdict, ServedGold } from '../contracts/served-gold.ts';
export type { DomainIndex, ServedIndex } from '../contracts/served-index.ts';
export type { ServedTask as ClientTask, TaskPage } from '../contracts/served-task.ts';
export type { ToolFormats } from '../contracts/served-tools.ts';
export type { StartTable } from '../contracts/start-table.ts';
export type { ToolAnswer } from '../contracts/tools.ts';
export type { Cell } from '../contracts/value.ts';
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
