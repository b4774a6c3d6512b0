import { QueryError } from '../../../../contracts/errors.ts';

/** What is thrown for a construct the tools have no place for; `clause` names it. */
export function unsupported(clause: string, reason: string): QueryError {
  return new QueryError('UNSUPPORTED_CONSTRUCT', reason, clause);
}
