export { agentPlugin } from './agents/app/agent-plugin.ts';
export { agentRoutes } from './agents/app/agent-routes.ts';
export { listSession } from './agents/app/list-surface.ts';
export { type AgentOptions, agentContext } from './agents/app/make-agent-context.ts';
export { createMcpServer } from './agents/mcp/create-mcp-server.ts';
export { makeHarnessKey } from './agents/planes/harness-key.ts';
export {
  type RunningAgents,
  type StartAgentsOptions,
  startAgents,
} from './agents/process/start-agents.ts';
export { exportPredictions } from './agents/runs/export-predictions.ts';
export { SqliteRuns } from './agents/runs/sqlite-runs.ts';
export {
  measureSearch,
  RECALL_DEPTHS,
  type Recall,
  type SearchRecall,
} from './agents/tool-lists/search-recall.ts';
export type { DomainOptions } from './base/farm/domain-options.ts';
export { type LoadedFarm, type LoadOptions, loadFarm, type OpenapiSource } from './base/farm/load-farm.ts';
export { stopOnSignals } from './base/http/listen.ts';
export { HttpProblem } from './base/http/problem.ts';
export { DEFAULT_LIMITS, type Limits } from './base/limits.ts';
export { fromWire, resolveChildModule, toWire, type WireError } from './base/sandbox/index.ts';
export { type AppOptions, buildApp } from './domain/app/app.ts';
export type { ServeContext, ServePlugin } from './domain/app/context.ts';
export { offeredColumns } from './domain/live-tools/toolset/offered-columns.ts';
export { agentOptions, type RunningServer, type ServeOptions, startServer } from './server.ts';
