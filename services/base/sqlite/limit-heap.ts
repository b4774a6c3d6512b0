import type Database from 'better-sqlite3';

const MOST_BYTES = 512 * 1024 * 1024;
const LEAST_BYTES = 64 * 1024 * 1024;

/**
 * Bytes that SQLite may allocate in this process, page caches included: a statement that builds larger values fails,
 * instead of taking the memory of everything else. Half of what the container has, and never more than 512 MiB.
 */
export function heapLimit(constrained: number | undefined = process.constrainedMemory()): number {
  const half = constrained ? Math.floor(constrained / 2) : MOST_BYTES;
  return Math.min(MOST_BYTES, Math.max(LEAST_BYTES, half));
}

/** Sets the limit, which holds for all connections of this process and cannot be raised again. */
export function limitHeap(db: Pick<Database.Database, 'pragma'>): void {
  db.pragma(`hard_heap_limit = ${heapLimit()}`);
}
