import { mutantsOf } from '../../variants/mutants.ts';
import type { Finding, Rule } from '../rule.ts';

/** A condition that changes nothing, neither here nor on any neighbour of the data. */
export const idleCondition: Rule = {
  name: 'idle_condition',
  why: 'A condition that no data can show is either implied by another, or not what was meant.',
  byDefault: false,
  asksNeighbours: true,
  async check({ query, catalog, differs }) {
    const dropped = mutantsOf(query, catalog).filter(
      ({ kind }) => kind === 'dropped condition' || kind === 'dropped HAVING',
    );
    const findings: Finding[] = [];
    for (const { kind, query: without } of dropped) {
      if (await differs(without)) continue;
      const what = kind === 'dropped HAVING' ? 'a condition of HAVING' : 'a condition of WHERE';
      findings.push({
        reason: `without ${what} the answer is the same, here and on data that nearly meet it`,
        suggestion: 'drop it, or write what was meant',
      });
    }
    return findings;
  },
};
