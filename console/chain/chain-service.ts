import type { Cell, Formulation, ToolAnswer } from '../../client/index.ts';
import { assembleAnswer, mapReferences } from '../../contracts/assemble-answer.ts';
import { callTool } from '../parts/call-tool.ts';
import type { ChainCall, Start } from './chain.ts';

/** What a call has come to: an answer, or why there is none. */
export type CallStep = { readonly answer: ToolAnswer } | { readonly error: Error };

/** How much of a result is asked for while a chain is made. */
const PREVIEW_ROWS = 5;
const PREVIEW_VALUES = 100;
/** Values asked for at once where all of them are wanted. */
const MANY = 100_000;

/** Carries out chains on one domain. What was answered once is not asked for again: a handle is named by its content. */
export class ChainService {
  readonly #base: string;
  readonly #asked = new Map<string, Promise<ToolAnswer>>();

  constructor(split: string, db: string, formulation: Formulation) {
    this.#base = `/v1/${encodeURIComponent(split)}/${encodeURIComponent(db)}/${formulation}`;
  }

  /** A start table: its handle, columns and first rows. Throws RookeryError. */
  start({ table: { condition_sequence, alias_to_table_dict } }: Start): Promise<ToolAnswer> {
    return this.#ask('initialize_active_data', { condition_sequence, alias_to_table_dict });
  }

  /** Every call of a chain, in order. One that refers to a call that failed fails too. */
  async run(calls: readonly ChainCall[], starts: readonly Start[]): Promise<CallStep[]> {
    const handles = new Map<string, string>();
    for (const start of starts) handles.set(start.label, (await this.start(start)).handle);
    const steps: CallStep[] = [];
    for (const { name, arguments: args, label } of calls) {
      const step = await this.#step(name, withHandles(args, handles));
      if ('answer' in step) handles.set(label, step.answer.handle);
      steps.push(step);
    }
    return steps;
  }

  /** The rows that a chain answers, whole; null where its last results make none. Throws RookeryError. */
  async rows(calls: readonly ChainCall[], steps: readonly CallStep[]): Promise<Cell[][] | null> {
    const answers = await Promise.all(
      steps.map((step) => ('answer' in step ? this.#whole(step.answer) : undefined)),
    );
    if (answers.some((answer) => answer === undefined)) return null;
    return assembleAnswer(calls, answers as ToolAnswer[]);
  }

  /** Different values of a column, for a picker. Never rejects. */
  async values(handle: string, column: string): Promise<readonly Cell[]> {
    const isSel = this.#base.endsWith('/sel');
    const base = isSel ? this.#base.replace(/sel$/, 'slot') : this.#base;
    const args = { data_source: handle, key_name: column, distinct: true };
    const answer = await this.#ask('retrieve_data', args, {}, base).catch(() => null);
    return answer?.kind === 'column' ? answer.values : [];
  }

  async #step(name: string, args: unknown): Promise<CallStep> {
    try {
      return { answer: await this.#ask(name, args) };
    } catch (cause) {
      return { error: cause instanceof Error ? cause : new Error(String(cause)) };
    }
  }

  /** An answer with all its values. */
  async #whole(answer: ToolAnswer): Promise<ToolAnswer> {
    if (answer.kind !== 'column' || answer.next_offset === null) return answer;
    const values = [...answer.values];
    for (let offset: number | null = answer.next_offset; offset !== null; ) {
      const base = this.#base.replace(/sel$/, 'slot');
      const args = { data_source: answer.handle, key_name: answer.column };
      const page = await this.#ask('retrieve_data', args, { offset, limit: MANY }, base);
      if (page.kind !== 'column') break;
      values.push(...page.values);
      offset = page.next_offset;
    }
    return { ...answer, values, row_count: values.length, truncated: false, next_offset: null };
  }

  #ask(
    name: string,
    args: unknown,
    view: Readonly<Record<string, number>> = {},
    base = this.#base,
  ): Promise<ToolAnswer> {
    const query = new URLSearchParams({ preview: String(PREVIEW_ROWS), limit: String(PREVIEW_VALUES) });
    for (const [key, value] of Object.entries(view)) query.set(key, String(value));
    const path = `${base}/${encodeURIComponent(name)}?${query}`;
    const key = path + JSON.stringify(args);
    const known = this.#asked.get(key);
    if (known) return known;
    const asked = callTool<ToolAnswer>(path, args);
    this.#asked.set(key, asked);
    // A server that was away, or a value that was too slow once, may answer the next time.
    asked.catch(() => this.#asked.delete(key));
    return asked;
  }
}

function withHandles(args: unknown, handles: ReadonlyMap<string, string>): unknown {
  return mapReferences(args, (label) => {
    const handle = handles.get(label);
    return handle === undefined ? undefined : `$${handle}$`;
  });
}
