/** The SQL front end: SQL text in, bound IR out, and back. Nothing else of this folder is imported from outside. */

export * from './analyse.ts';
export * from './ir.ts';
export { type Token, tokenize } from './parse.ts';
export { parseQuery, type SqlContext } from './parse-query.ts';
export { type PrintOptions, printLiteral, printQuery, quoteIdentifier, quoteText } from './print.ts';
