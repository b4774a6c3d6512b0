import { QueryError } from '../../../../contracts/errors.ts';

/** The error for a construct that the tools cannot express; `clause` names it. */
export function unsupported(clause: string, reason: string): QueryError {
  return new QueryError('UNSUPPORTED_CONSTRUCT', reason, clause);
}
