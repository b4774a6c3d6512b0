import type { Catalog, Policy } from '../../../contracts/catalog.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import { JournalStep, type RowChange } from '../../base/sqlite/private-copy.ts';
import type { ServedDomain } from '../runtime.ts';
import { netChanges } from './diff.ts';

type RuledDomain = Pick<ServedDomain, 'copy' | 'journal'> & {
  readonly service: { readonly catalog: Pick<Catalog, 'policies'> };
};

/** The rules of a domain that a call breaks by making these changes in the state of a run. */
export function brokenPolicies(domain: RuledDomain, changes: readonly RowChange[]): Policy[] {
  return (domain.service.catalog.policies ?? []).filter((policy) => {
    const seen = changes.filter((change) => concerns(policy, change));
    if (seen.length === 0) return false;
    const { forbid, at_most, table } = policy;
    // A condition may read other rows, so it sees what triggers and foreign keys change, too.
    const step = JournalStep.of(changes);
    if (forbid !== undefined)
      return domain.copy().holds(forbid, { table, changes: seen }, domain.journal, step);
    const net = netChanges([...domain.journal, step]);
    return net.filter((change) => concerns(policy, change)).length > (at_most ?? 0);
  });
}

function concerns({ table, on }: Policy, change: RowChange): boolean {
  const kind = change.before === null ? 'create' : change.after === null ? 'delete' : 'update';
  return change.table === table && on.includes(kind);
}

/** The rules of a domain as callers see them, without their SQL. */
export function servedPolicies({ policies = [] }: Catalog) {
  return policies.map(({ id, rule, table, on }) => ({ id, rule, table, on }));
}

export function againstPolicies(broken: readonly Policy[]): HttpProblem {
  const detail = broken.map(({ rule }) => rule).join(' ');
  const errors = broken.map(({ id, rule }) => ({ field: 'policy', code: id, message: rule }));
  return new HttpProblem('POLICY', detail, { errors });
}
