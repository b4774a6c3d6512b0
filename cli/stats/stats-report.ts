import { textTable } from '../text-table.ts';
import type { DomainStats, FarmStats, Spread } from './farm-stats.ts';

/** What a farm holds, as text for a terminal. */
export function statsReport({ name, formulations, domains, constructs }: FarmStats): string {
  const queries = textTable(
    [
      'formulation',
      'queries',
      'tools',
      'tools offered',
      'calls a query',
      'slots a query',
      'longest sequence',
    ],
    formulations.map((each) => [
      each.formulation,
      each.queries,
      each.tools,
      range(each.tools_offered),
      each.calls.mean.toFixed(2),
      each.slots.mean.toFixed(2),
      each.calls.max,
    ]),
  );
  const content = textTable(
    ['domain', 'tables', 'rows', 'questions', 'synthesized', 'REST endpoints', 'SEL functions'],
    [...domains, total(domains)].map((each) => [
      each.db,
      each.tables,
      each.rows,
      each.questions,
      each.synthesized,
      each.endpoints,
      each.functions,
    ]),
  );
  const sql = constructs.map(([construct, count]) => `${construct} ${count}`).join(', ');
  return `${name}\n\n${queries}\n\n${content}\n\nQuestions of each SQL construct\n${sql}\n`;
}

function range({ mean, min, max }: Spread): string {
  return min === max ? String(min) : `${mean.toFixed(1)} (${min} to ${max})`;
}

function total(domains: readonly DomainStats[]): DomainStats {
  const sum = (of: (domain: DomainStats) => number) => domains.reduce((all, each) => all + of(each), 0);
  return {
    db: `all ${domains.length}`,
    tables: sum(({ tables }) => tables),
    rows: sum(({ rows }) => rows),
    questions: sum(({ questions }) => questions),
    synthesized: sum(({ synthesized }) => synthesized),
    endpoints: sum(({ endpoints }) => endpoints),
    functions: sum(({ functions }) => functions),
  };
}
