export { ChildPool, type ChildPoolOptions } from './child-pool.ts';
export { ChildCrashedError, OverloadedError, PoolClosedError, TimeoutError } from './errors.ts';
export { serveChild } from './serve-child.ts';
