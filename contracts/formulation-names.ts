/** The formulations, in the order in which they are shown. */
export const FORMULATION_NAMES = ['rest', 'slot', 'sel', 'query', 'hybrid'] as const;
