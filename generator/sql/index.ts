/** The SQL front end: SQL text in, bound IR out, and back. Nothing else of this folder is imported from outside. */
export * from './build.ts';
export { constructsOf } from './constructs.ts';
export type * from './ir.ts';
export { literalTruth } from './literal-truth.ts';
export { MIRRORED } from './mirrored.ts';
export { parseQuery, type SqlContext } from './parse-query.ts';
export { printLiteral } from './print/print-expr.ts';
export { type PrintOptions, printQuery } from './print/print-query.ts';
export { quoteIdentifier, quoteText } from './print/quote.ts';
export { type Token, tokenize } from './tokenize.ts';
export * from './walk.ts';
