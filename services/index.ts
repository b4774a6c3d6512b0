export { type AgentOptions, agentContext, listSession } from './agents/agent-context.ts';
export { agentPlugin, agentRoutes } from './agents/agent-routes.ts';
export { createMcpServer } from './agents/mcp/create-mcp-server.ts';
export { exportPredictions } from './agents/runs/export-runs.ts';
export { SqliteRuns } from './agents/runs/sqlite-runs.ts';
export { type RunningAgents, type StartAgentsOptions, startAgents } from './agents/start-agents.ts';
export { measureSearch, type Recall, type SearchRecall } from './agents/toolsets/tool-lists.ts';
export {
  type DomainOptions,
  type LoadedFarm,
  type LoadOptions,
  loadFarm,
  type OpenapiSource,
} from './base/farm.ts';
export { stopOnSignals } from './base/http/listen.ts';
export { HttpProblem } from './base/http/problem.ts';
export { makeHarnessKey } from './base/http/roles.ts';
export { DEFAULT_LIMITS, type Limits } from './base/limits.ts';
export { fromWire, resolveChildModule, toWire, type WireError } from './base/sqlite/child-pool.ts';
export { openCopy } from './base/sqlite/private-copy.ts';
export { type AppOptions, buildApp, type ServeContext, type ServePlugin } from './domain/app.ts';
export { domainView, VIEW_FORMS, type ViewForm } from './domain/hybrid/view.ts';
export { offeredColumns } from './domain/tools/toolset-for.ts';
export { agentOptions, type RunningServer, type ServeOptions, startServer } from './server.ts';
