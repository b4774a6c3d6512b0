import type { Protocol } from '../services/agents/episodes.ts';

/**
 * The protocols of trainers, in the order in which help names them; each has a page in docs/protocols. One is taken out with
 * its folder, its page and its line here.
 */
export const PROTOCOLS: readonly Protocol[] = [
  { name: 'ors', load: async () => (await import('./ors/ors.ts')).routes },
  { name: 'nemo-gym', load: async () => (await import('./nemo-gym/nemo-gym.ts')).routes },
  { name: 'openenv', load: async () => (await import('./openenv/openenv.ts')).routes },
];

export const PROTOCOL_NAMES = PROTOCOLS.map(({ name }) => name);
