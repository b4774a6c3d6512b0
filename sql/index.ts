/** The SQL front end: SQL text in, bound IR out, and back. Nothing else of this folder is imported from outside. */

export * from './ir/affinity.ts';
export * from './ir/aggregates.ts';
export * from './ir/blocks.ts';
export * from './ir/build.ts';
export * from './ir/conjuncts.ts';
export { constructsOf } from './ir/constructs.ts';
export * from './ir/determined.ts';
export * from './ir/equal.ts';
export * from './ir/is-condition.ts';
export * from './ir/key-table.ts';
export * from './ir/literal-truth.ts';
export * from './ir/mirrored.ts';
export type * from './ir/nodes.ts';
export * from './ir/origins.ts';
export * from './ir/parts.ts';
export * from './ir/rewrite.ts';
export * from './ir/walk.ts';
export { type Token, tokenize } from './parse/tokenize.ts';
export { parseQuery, type SqlContext } from './parse-query.ts';
export { printLiteral } from './print/print-expr.ts';
export { type PrintOptions, printQuery } from './print/print-query.ts';
export { quoteIdentifier, quoteText } from './print/quote.ts';
