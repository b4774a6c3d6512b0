import type { Expression } from 'sqlglot-ts/expressions';
import { QueryError } from '../../../contracts/errors.ts';
import { node } from '../build.ts';
import type { OrderTerm, Query } from '../ir.ts';
import { readName, readToken } from '../parse/carried.ts';
import { child } from '../parse/tree.ts';
import { outputNames, type QueryContext } from './bind-query.ts';
import { bindOrderTerms } from './bind-window.ts';

/** Binds the ORDER BY of a set operation: its terms name or number result columns of either side. */
export function bindSetOrder(
  order: Expression,
  left: Query,
  right: Query,
  { binder }: QueryContext,
): OrderTerm[] {
  const names = [outputNames(left), outputNames(right)];
  return bindOrderTerms(order, (term) => {
    if (term.key === 'literal') {
      const token = readToken(binder.carrier, term);
      if (token.kind === 'number') return node({ kind: 'output', index: Number(token.text) - 1 });
    }
    const identifier = term.key === 'column' ? child(term, 'this') : term.key === 'identifier' ? term : null;
    if (identifier) {
      const { name } = readName(binder.carrier, identifier);
      for (const side of names) {
        const index = side.findIndex((column) => column.toLowerCase() === name.toLowerCase());
        if (index >= 0) return node({ kind: 'output', index });
      }
    }
    throw new QueryError(
      'SQL_UNSUPPORTED',
      'ORDER BY of a set operation must name a result column',
      'ORDER BY',
    );
  });
}
