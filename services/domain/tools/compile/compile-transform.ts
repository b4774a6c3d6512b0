import type { WindowReader } from '../operations/operation.ts';
import { operation } from '../operations/operations.ts';
import type { OperationArguments, TransformPlan } from '../plan/plan.ts';
import { join, nothing, type Sql, sql } from '../sql/sql.ts';
import { argumentReader } from './compile-operand.ts';
import type { Compiler } from './compiler.ts';
import { nested, opened, orderTerms, type Relation } from './relation.ts';

/** An expression longer than this is computed once in a subquery rather than written out wherever it is used. */
const MAX_CHARACTERS = 4000;

/** A column replaced or added. The sort order stays that of the old values. */
export function compileTransform(plan: TransformPlan, table: Relation, compiler: Compiler): Relation {
  const definition = operation(plan.operation);
  const keys = table.keys.includes(plan.target) ? table.keys : [...table.keys, plan.target];
  if (definition.scope === 'window') {
    const input = opened(table, compiler.aliases);
    const write = () => definition.sql(input.column(plan.key), windowReader(plan, input, compiler));
    return withColumn({ ...input, keys, windowed: true }, plan.target, write);
  }
  const write = () =>
    definition.sql(
      table.column(plan.key),
      argumentReader(plan.args, (key) => table.column(key), compiler),
    );
  if (write().text.length <= MAX_CHARACTERS) return withColumn({ ...table, keys }, plan.target, write);
  const inner = nested(withColumn({ ...table, keys }, plan.target, write), compiler.aliases);
  return inner;
}

function withColumn(relation: Relation, target: string, write: () => Sql): Relation {
  return { ...relation, column: (key) => (key === target ? write() : relation.column(key)) };
}

function windowReader(plan: TransformPlan, input: Relation, compiler: Compiler): WindowReader {
  const by = columnsOf(plan.args, 'partition_by').map((key) => input.column(key));
  const peers = orderOf(plan.args).map(({ key, ascending }) =>
    ascending ? input.column(key) : sql`${input.column(key)} DESC`,
  );
  const ascending = plan.args.ascending;
  return {
    ...argumentReader(plan.args, (key) => input.column(key), compiler),
    partition: by.length === 0 ? nothing : sql`PARTITION BY ${join(by)}`,
    peers,
    order: [...peers, ...orderTerms(input)],
    direction: ascending?.kind === 'option' && ascending.value === false ? sql` DESC` : nothing,
  };
}

function columnsOf(args: OperationArguments, name: string): readonly string[] {
  const value = args[name];
  return value?.kind === 'texts' ? value.values : [];
}

function orderOf(args: OperationArguments): readonly { key: string; ascending: boolean }[] {
  const value = args.order_by;
  return value?.kind === 'order' ? value.keys : [];
}
