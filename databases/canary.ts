/** Stands in every line of the bundled questions, so that people who train models can find and leave them out. */
export const CANARY = 'rookery-canary-3c74bf53-079c-4d66-8afd-f4d1e4060507';
