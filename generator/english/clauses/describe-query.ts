import type { Expr, Query } from '../../../sql/index.ts';
import type { Clauses, Condition, Term } from './clause.ts';
import { conditionOf } from './conditions.ts';
import type { QueryContext, Scope } from './query-context.ts';
import { clausesOf } from './query-to-clauses.ts';
import { termOf } from './term.ts';

/** Reads the parts of a query in the light of the whole; what it answers has neither SQL nor sentences in it. */
export class Description implements Scope {
  readonly context: QueryContext;
  readonly query: Query;

  constructor(context: QueryContext, query: Query) {
    this.context = context;
    this.query = query;
  }

  within(query: Query): Scope {
    return new Description(this.context, query);
  }

  term(expr: Expr): Term {
    const term = termOf(expr, this);
    this.context.exprOf.set(term, expr);
    return term;
  }

  condition(expr: Expr): Condition {
    return conditionOf(expr, this);
  }

  clauses(query: Query): Clauses {
    return clausesOf(query, this.within(query));
  }
}
