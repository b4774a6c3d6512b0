export * from 'node:fs';

export function globSync() {
  throw new Error('Node 20 has no globSync');
}
