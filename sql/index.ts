/** The SQL front end: SQL text to bound IR and back. Other folders import only this file. */

export * from './analyse.ts';
export { parseQuery, type SqlContext } from './bind-query.ts';
export * from './ir.ts';
export { type Token, tokenize } from './parse.ts';
export {
  printExpr,
  printFrom,
  printQuery,
  quoteIdentifier,
  quoteText,
} from './print.ts';
