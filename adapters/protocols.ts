import type { Protocol } from '../services/agents/episodes.ts';

/**
 * The trainer protocols, in the order of the help text; each has a section in docs/protocols.md. To remove one, delete
 * its folder, its section and its line here.
 */
export const PROTOCOLS: readonly Protocol[] = [
  { name: 'ors', load: async () => (await import('./ors/ors.ts')).routes },
  { name: 'nemo-gym', load: async () => (await import('./nemo-gym/nemo-gym.ts')).routes },
  { name: 'openenv', load: async () => (await import('./openenv/openenv.ts')).routes },
];

export const PROTOCOL_NAMES = PROTOCOLS.map(({ name }) => name);
