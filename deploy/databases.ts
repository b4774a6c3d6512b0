import type { RunDatabase } from '../services/agents/runs/run-store.ts';

/** Databases that runs can be kept in. One is taken out with its folder and its line here. */
export const DATABASES: readonly RunDatabase[] = [
  { schemes: ['postgres', 'postgresql'], load: async () => (await import('./postgres/runs.ts')).openRuns },
];
