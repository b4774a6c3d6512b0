export { agentPlugin } from './agents/agent-plugin.ts';
export { agentRoutes } from './agents/agent-routes.ts';
export { listSurface } from './agents/list-surface.ts';
export { type AgentOptions, agentContext } from './agents/make-agent-context.ts';
export {
  type RunningAgents,
  type StartAgentsOptions,
  startAgents,
} from './agents/process/start-agents.ts';
export { type AppOptions, buildApp, type DomainOptions } from './app.ts';
export type { OpenapiSource, ServeContext, ServePlugin } from './context.ts';
export { type LoadedFarm, type LoadOptions, loadFarm } from './farm/load-farm.ts';
export { stopOnSignals } from './http/listen.ts';
export { HttpProblem } from './http/problem.ts';
export { DEFAULT_LIMITS, type Limits } from './limits.ts';
export { createMcpServer } from './mcp/create-mcp-server.ts';
export { exportPredictions } from './runs/export-predictions.ts';
export { RunStore } from './runs/run-store.ts';
export { agentOptions, type RunningServer, type ServeOptions, startServer } from './server.ts';
