export { resolveChildModule } from './child-module.ts';
export { ChildPool, type ChildPoolOptions } from './child-pool.ts';
export {
  AbandonedError,
  ChildCrashedError,
  ChildNotStartedError,
  OverloadedError,
  PoolClosedError,
  TimeoutError,
} from './errors.ts';
export { fromWire, toWire, type WireError } from './messages.ts';
export { dieWithParent, serveChild } from './serve-child.ts';
