import type { ArgumentReader } from '../operations/operation.ts';
import { condition } from '../plan/conditions.ts';
import type { Operand, OperationArguments, Predicate, Test } from '../plan/plan.ts';
import { bind, join, type Sql, sql } from '../sql/sql.ts';
import type { Compiler } from './compiler.ts';
import { select } from './relation.ts';

/** A column of the row at hand. */
export type ColumnOf = (key: string) => Sql;

/** An operand as SQL. */
export function compileOperand(operand: Operand, column: ColumnOf, compiler: Compiler): Sql {
  switch (operand.kind) {
    case 'literal':
      return bind(operand.value);
    case 'column':
      return column(operand.key);
    case 'result':
      return compiler.scalar(operand.plan);
  }
}

/** A condition applied to a left side. */
export function compileTest(test: Test, left: Sql, column: ColumnOf, compiler: Compiler): Sql {
  const values = test.list
    ? [compiler.list(test.list)]
    : test.operands.map((operand) => compileOperand(operand, column, compiler));
  return condition(test.condition).sql(left, values);
}

/** A predicate as a condition for WHERE. */
export function compilePredicate(predicate: Predicate, column: ColumnOf, compiler: Compiler): Sql {
  switch (predicate.kind) {
    case 'test':
      return compileTest(predicate.test, column(predicate.key), column, compiler);
    case 'partner': {
      const right = compiler.relation(predicate.other);
      const { keys, otherKeys } = predicate;
      if (keys.length === 0) return sql`EXISTS (${select(right, () => [sql`1`], false)})`;
      const left = keys.map((key) => column(key));
      const row = left.length === 1 ? (left[0] as Sql) : sql`(${join(left)})`;
      return sql`${row} IN (${select(right, () => otherKeys.map((key) => right.column(key)), false)})`;
    }
    case 'all':
      if (predicate.of.length === 0) return sql`1`;
      return sql`(${join(
        predicate.of.map((item) => compilePredicate(item, column, compiler)),
        ' AND ',
      )})`;
    case 'any':
      return sql`(${join(
        predicate.of.map((item) => compilePredicate(item, column, compiler)),
        ' OR ',
      )})`;
    case 'not':
      return sql`(${compilePredicate(predicate.of, column, compiler)}) IS NOT TRUE`;
  }
}

/** The arguments of an operation, read as SQL by its definition. */
export function argumentReader(
  args: OperationArguments,
  column: ColumnOf,
  compiler: Compiler,
): ArgumentReader {
  const optionalOperand = (name: string): Sql | null => {
    const value = args[name];
    if (!value) return null;
    if (value.kind !== 'literal' && value.kind !== 'column' && value.kind !== 'result') {
      throw new Error(`argument ${name} is no operand`);
    }
    return compileOperand(value, column, compiler);
  };
  return {
    optionalOperand,
    operand: (name) => {
      const operand = optionalOperand(name);
      if (!operand) throw new Error(`argument ${name} is missing`);
      return operand;
    },
    option: (name) => {
      const value = args[name];
      return value?.kind === 'option' ? value.value : null;
    },
    operands: (name) => {
      const value = args[name];
      return value?.kind === 'operands'
        ? value.values.map((operand) => compileOperand(operand, column, compiler))
        : [];
    },
    test: (left) => {
      const value = args.test;
      if (value?.kind !== 'test') throw new Error('argument condition is missing');
      return compileTest(value.test, left, column, compiler);
    },
  };
}
