import { mapReferences, usedLabels } from '../../../../contracts/assemble-answer.ts';
import type { Catalog } from '../../../../contracts/catalog.ts';
import { QueryError } from '../../../../contracts/errors.ts';
import type { Call } from '../../../../contracts/sample.ts';
import type { StartTable, StartTableDefinition } from '../../../../contracts/start-table.ts';
import { ArgumentError } from '../../../../services/base/arguments/argument-error.ts';
import { parseArguments } from '../../../../services/base/arguments/parse-arguments.ts';
import type { Scope } from '../../../../services/domain/tools/arguments/scope.ts';
import type { Plan, StartPlan } from '../../../../services/domain/tools/plan/plan.ts';
import { SLOT_TOOLS } from '../../../../services/domain/tools/registry.ts';
import { startPlan } from '../../../../services/domain/tools/tools/initialize-active-data.ts';

/** A lowered question: its start tables, and the calls whose unconsumed results are the answer. */
export interface SlotSequence {
  readonly initialization_step: Call;
  readonly output: readonly Call[];
  readonly startTables: readonly StartTable[];
}

interface LabelledStart {
  readonly label: string;
  readonly plan: StartPlan;
}

/** The words of labels, by tool; the first two share their numbers, as in the paper. */
const WORDS: Readonly<Record<string, string>> = {
  filter_data: 'FILTERED_DF',
  transform_data: 'TRANSFORMED_DF',
  sort_data: 'SORTED_DF',
  group_data_by: 'GROUPED_DF',
  retrieve_data: 'SELECT_COL',
  select_unique_values: 'UNIQUE_DF',
  truncate: 'TRUNCATED_DF',
  select_columns: 'SELECTED_DF',
  combine_rows: 'COMBINED_DF',
  combine_results: 'COMBINED_RESULT',
  join_data: 'JOINED_DF',
  calculate: 'CALCULATED',
};

/** A sequence under construction. Every call is planned as it is added, so its columns are known. */
export class Sequence {
  readonly catalog: Catalog;
  readonly #calls: (Call & { label: string })[] = [];
  readonly #starts: LabelledStart[] = [];
  readonly #plans = new Map<string, Plan>();
  readonly #numbers = new Map<string, number>();

  constructor(catalog: Catalog) {
    this.catalog = catalog;
  }

  /** The label of a start table; equal ones share it. */
  start(definition: StartTableDefinition): string {
    const plan = guarded(() => startPlan(definition, this));
    const known = this.#starts.find((start) => start.plan.handle === plan.handle);
    if (known) return known.label;
    const n = this.#starts.length;
    const label = n === 0 ? 'starting_table_var' : `starting_table_var_${n}`;
    this.#starts.push({ label, plan });
    this.#plans.set(label, plan);
    return label;
  }

  /** Adds a call; returns its label. */
  call(name: string, args: Record<string, unknown>): string {
    const tool = SLOT_TOOLS[name];
    if (!tool) throw new Error(`there is no tool ${name}`);
    const plan = guarded(() => tool.plan(parseArguments(tool.args, args), this.#scope));
    const label = this.#label(name, args, plan);
    this.#calls.push({ name, arguments: args, label });
    this.#plans.set(label, plan);
    return label;
  }

  /** The result of a label. */
  plan(label: string): Plan {
    const plan = this.#plans.get(label);
    if (!plan) throw new Error(`there is no label ${label}`);
    return plan;
  }

  /**
   * The sequence that answers the given results, in this order. A result that another call uses, or that comes too
   * early, is read once more; unused calls are left out.
   */
  finish(outputs: readonly string[]): SlotSequence {
    const wanted: string[] = [];
    for (const label of outputs) {
      const at = this.#calls.findIndex((call) => call.label === label);
      const before = this.#calls.findIndex((call) => call.label === wanted.at(-1));
      const call = this.#calls[at];
      if (!call) throw new Error(`${label} is no result`);
      const again = at <= before || usedLabels(this.#calls).has(label);
      wanted.push(again ? this.call(call.name, call.arguments) : label);
    }
    this.#dropUnused(wanted);
    const [first, ...others] = this.#starts.filter(({ label }) => this.#isUsed(label));
    if (!first) throw new QueryError('UNSUPPORTED_CONSTRUCT', 'the query reads no table', 'from');
    const additional = others.map(({ label, plan }) => ({ label, ...plan.definition }));
    const more = additional.length > 0 ? { additional_tables: additional } : {};
    return {
      initialization_step: {
        name: 'initialize_active_data',
        arguments: { ...first.plan.definition, ...more },
        label: first.label,
      },
      output: this.#calls,
      startTables: [first, ...others].map(({ plan }) => ({ handle: plan.handle, ...plan.definition })),
    };
  }

  #dropUnused(wanted: readonly string[]): void {
    const keep = new Set(wanted);
    for (let i = this.#calls.length - 1; i >= 0; i--) {
      const call = this.#calls[i] as Call & { label: string };
      if (!keep.has(call.label)) this.#calls.splice(i, 1);
      else {
        mapReferences(call.arguments, (label) => {
          keep.add(label);
          return undefined;
        });
      }
    }
  }

  #isUsed(label: string): boolean {
    let used = false;
    for (const call of this.#calls) {
      mapReferences(call.arguments, (name) => {
        used ||= name === label;
        return undefined;
      });
    }
    return used;
  }

  get #scope(): Scope {
    return {
      catalog: this.catalog,
      find: (name) => this.#plans.get(name),
    };
  }

  #label(name: string, args: Record<string, unknown>, plan: Plan): string {
    if (plan.op === 'aggregate') {
      const word = String(args.aggregation_type).toUpperCase();
      const n = this.#next(word);
      return n === 0 ? word : `${word}_${n}`;
    }
    const word = name === 'aggregate_data' ? 'AGGREGATED_DF' : (WORDS[name] as string);
    const series = name === 'transform_data' ? 'FILTERED_DF' : word;
    return `${word}_${this.#next(series)}`;
  }

  #next(series: string): number {
    const n = this.#numbers.get(series) ?? 0;
    this.#numbers.set(series, n + 1);
    return n;
  }
}

/** If a tool refuses the call, the question cannot be kept. */
function guarded<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (error instanceof ArgumentError) throw new QueryError('CALL_FAILED', error.message, null);
    throw error;
  }
}
