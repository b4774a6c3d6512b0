export type {
  AgentRunSummary,
  AgentRunView,
  BatchView,
  CreatedBatch,
  CreatedRun,
  DomainIndex,
  FoundEndpoints,
  Growth,
  RunAnswer,
  RunRequest,
  RunSummary,
  RunView,
  ServedCatalog,
  ServedEndpoint,
  ServedFarm,
  ServedIndex,
  ServedTask as ClientTask,
  TaskPage,
  ToolFormats,
  TrajectoryEntry,
} from '../contracts/api.ts';
export type { CatalogColumn, CatalogTable, Cell } from '../contracts/catalog.ts';
export type {
  AnswerVerdict,
  ReviewedCall,
  Reward,
  Rewards,
  SampleReview,
  ServedGold,
} from '../contracts/judgement.ts';
export type { RecordChange } from '../contracts/records.ts';
export type { Call, Formulation } from '../contracts/sample.ts';
export type { StartTable, ToolAnswer } from '../contracts/tools.ts';
export type { CallResult, ToolListOf } from './client.ts';
export {
  AgentRun,
  Batch,
  type CallView,
  type ClientOptions,
  Rookery,
  RookeryError,
  Run,
  type TaskQuery,
  type ToolFormat,
  type ToolQuery,
} from './client.ts';
