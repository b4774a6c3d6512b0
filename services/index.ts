export { type AppOptions, buildApp, type DomainOptions } from './app.ts';
export type { OpenapiSource, ServeContext, ServePlugin } from './context.ts';
export { type LoadedFarm, type LoadOptions, loadFarm } from './farm/load-farm.ts';
export { stopOnSignals } from './http/listen.ts';
export { HttpProblem } from './http/problem.ts';
export { DEFAULT_LIMITS, type Limits } from './limits.ts';
export { type RunningServer, type ServeOptions, startServer } from './server.ts';
