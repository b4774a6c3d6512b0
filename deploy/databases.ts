import type { RunDatabase } from '../services/agents/runs/run-store.ts';

/** The databases that can store runs. To remove one, delete its folder and its line here. */
export const DATABASES: readonly RunDatabase[] = [
  { schemes: ['postgres', 'postgresql'], load: async () => (await import('./postgres/runs.ts')).openRuns },
];
