import {
  conjunction,
  type Expr,
  type FromItem,
  integerLiteral,
  node,
  type OutputColumn,
  type Select,
  sourceIds,
} from '../../sql/index.ts';
import { apiOf, applied, literalOf, outputOf, type Step } from './composition.ts';
import type { Idea } from './idea.ts';

/** The query with the APIs as functions. `steps` may be fewer than the idea's. */
export function withFunctions(select: Select, idea: Idea, steps = idea.composition.steps): Select {
  return placed(select, idea, applied(steps, idea.column));
}

/**
 * The query with each API as a virtual table, joined by its inputs. Where the value is only shown, a row for which an API
 * has none stays.
 */
export function withTables(select: Select, idea: Idea): Select {
  const join = idea.augmenter === 'filter' ? 'inner' : 'left';
  const taken = sourceIds(select);
  const items: FromItem[] = [];
  let value: Expr = idea.column;
  for (const step of idea.composition.steps) {
    const { name, inputs, output } = apiOf(step);
    const id = freeId(taken, items.length);
    const column = (called: string): Expr => node({ kind: 'column', source: id, name: called });
    const given = [value, ...step.more.map(literalOf)];
    const on = given.map(
      (each, i): Expr => node({ kind: 'compare', op: '=', left: column(inputs[i]?.name ?? ''), right: each }),
    );
    items.push(node({ join, source: { kind: 'table', id, table: name, alias: id }, on: conjunction(on) }));
    value = column(output.name);
  }
  return placed({ ...select, from: [...select.from, ...items] }, idea, value);
}

function freeId(taken: ReadonlySet<string>, count: number): string {
  let left = count;
  for (let n = 1; ; n++) if (!taken.has(`A${n}`) && left-- === 0) return `A${n}`;
}

/** The name of the result column that an idea adds. */
export const ADDED = 'api_value';

function placed(select: Select, idea: Idea, value: Expr): Select {
  switch (idea.augmenter) {
    case 'filter': {
      const condition = conditionOf(idea, value);
      return node({ ...select, where: conjunction(select.where ? [select.where, condition] : [condition]) });
    }
    case 'projection':
      return node({ ...select, columns: [...select.columns, added(value)] });
    case 'aggregation':
      return node({
        ...select,
        columns: [
          ...select.columns,
          added(
            node({
              kind: 'aggregate',
              name: idea.together,
              args: [value],
              star: false,
              distinct: false,
              filter: null,
              orderBy: [],
            }),
          ),
        ],
      });
    case 'order':
      return node({
        ...select,
        orderBy: [node({ expr: value, direction: idea.direction, nulls: null } as const)],
      });
  }
}

function added(expr: Expr): OutputColumn {
  return node({ expr, name: ADDED, alias: ADDED });
}

function conditionOf({ test, composition }: Idea, value: Expr): Expr {
  if (test) return node({ kind: 'compare', op: test.op, left: value, right: literalOf(test.value) });
  if (outputOf(composition) !== 'boolean') throw new Error('only a boolean is a condition by itself');
  return node({ kind: 'compare', op: '=', left: value, right: integerLiteral(1n) });
}

/** The steps without each one in turn: what the query would be if that API were left out. */
export function withoutEach(steps: readonly Step[]): (readonly Step[])[] {
  return steps.map((_, at) => steps.filter((_, i) => i !== at));
}
