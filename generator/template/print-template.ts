import { listSql } from '../../contracts/list-sql.ts';
import { type Literal, node, printQuery, type Query, rewriteExprs } from '../../sql/index.ts';
import type { Choice } from './choices/choice.ts';
import type { Template } from './template.ts';

/** The SQL of an endpoint: the first member's query with `:name` for what is chosen. */
export function printTemplate(
  { members: [{ query, choices }] }: Template,
  parameterNames: readonly string[],
  columnNames: readonly string[],
): string {
  const written = new Map<Literal, string>();
  choices.forEach((choice, i) => {
    const text = placeholder(choice, parameterNames[i] as string);
    for (const { literals } of choice.occurrences) for (const literal of literals) written.set(literal, text);
  });
  return printQuery(shortenLists(query, choices), {
    literal: (literal) => written.get(literal) ?? null,
    outputNames: columnNames,
  });
}

function placeholder({ array, prefix, suffix }: Choice, parameter: string): string {
  if (array) return listSql(parameter);
  const name = `:${parameter}`;
  if (prefix === '' && suffix === '') return name;
  const before = prefix === '' ? '' : `'${prefix}' || `;
  const after = suffix === '' ? '' : ` || '${suffix}'`;
  return `(${before}${name}${after})`;
}

/** Leaves one item of each list that is chosen: it is printed as the subquery that reads the whole array. */
function shortenLists(query: Query, choices: readonly Choice[]): Query {
  const lists = new Set(choices.flatMap(({ occurrences }) => occurrences.map(({ list }) => list)));
  return rewriteExprs(query, (expr) => {
    if (expr.kind !== 'in_list' || !lists.has(expr) || expr.items.length === 1) return null;
    return node({ ...expr, items: expr.items.slice(0, 1) });
  });
}
