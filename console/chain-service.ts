import { useEffect, useReducer } from 'preact/hooks';
import type { Cell, Formulation, ToolAnswer } from '../client/index.ts';
import { assembleAnswer } from '../contracts/answer-rows.ts';
import { aboutAnswer, type ChainCall, readChain, type Start, withHandles } from './chain.ts';
import { askOnce, callTool, toolsPath } from './farm.ts';

/** The result of a call: an answer, or why there is none. */
export type CallStep = { readonly answer: ToolAnswer } | { readonly error: Error };

/** Preview size of results while a chain is edited. */
const PREVIEW_ROWS = 5;
const PREVIEW_VALUES = 100;
/** Page size when all values are needed. */
const MANY = 100_000;

/** Executes chains on one domain. Responses are cached: a handle identifies its content. */
export class ChainService {
  readonly #base: string;
  readonly #responses = new Map<string, Promise<ToolAnswer>>();

  constructor(split: string, db: string, formulation: Formulation) {
    this.#base = toolsPath(split, db, formulation);
  }

  /** Opens a start table: its handle, columns and first rows. Throws RookeryError. */
  start({ table: { condition_sequence, alias_to_table_dict } }: Start): Promise<ToolAnswer> {
    return this.#ask('initialize_active_data', { condition_sequence, alias_to_table_dict });
  }

  /** Executes every call of a chain in order. A call that refers to a failed one fails too. */
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

  /** All rows of a chain's answer; null if its last results form none. Throws RookeryError. */
  async rows(calls: readonly ChainCall[], steps: readonly CallStep[]): Promise<Cell[][] | null> {
    const answers = await Promise.all(
      steps.map((step) => ('answer' in step ? this.#whole(step.answer) : undefined)),
    );
    if (answers.some((answer) => answer === undefined)) return null;
    return assembleAnswer(calls, answers as ToolAnswer[]);
  }

  /** Distinct values of a column, for a picker. Never rejects. */
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

  /** Fetches all values of an answer. */
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
    return askOnce(this.#responses, path + JSON.stringify(args), () => callTool<ToolAnswer>(path, args));
  }
}

/** A result that an argument may refer to, and its columns. */
export interface Source {
  readonly label: string;
  /** undefined until the call has been answered. */
  readonly handle: string | undefined;
  readonly columns: readonly string[];
  /** Text columns, judging by the first rows. */
  readonly texts: ReadonlySet<string>;
  /** A short description with the number of rows. */
  readonly about: string;
}

/** Results of a chain's start tables and calls; incomplete while it runs. */
export interface ChainRun {
  readonly starts: readonly ToolAnswer[];
  readonly steps: readonly CallStep[];
}

/** Everything in a chain that can be referred to, in order: start tables, then the result of each call. */
export function sourcesOf(starts: readonly Start[], calls: readonly ChainCall[], run: ChainRun): Source[] {
  return [
    ...starts.map(({ label }, i) => sourceOf(label, run.starts[i])),
    ...calls.map(({ label }, i) => {
      const step = run.steps[i];
      return sourceOf(label, step && 'answer' in step ? step.answer : undefined);
    }),
  ];
}

function sourceOf(label: string, answer: ToolAnswer | undefined): Source {
  if (!answer) return { label, handle: undefined, columns: [], texts: new Set(), about: '' };
  const about = aboutAnswer(answer);
  const { handle } = answer;
  if (answer.kind === 'table') {
    const isText = (name: string) => answer.preview.some((row) => typeof row[name] === 'string');
    return { label, handle, columns: answer.columns, texts: new Set(answer.columns.filter(isText)), about };
  }
  if (answer.kind === 'value') return { label, handle, columns: [], texts: new Set(), about };
  const texts = answer.values.some((value) => typeof value === 'string') ? [answer.column] : [];
  return { label, handle, columns: [answer.column], texts: new Set(texts), about };
}

interface History {
  readonly past: readonly (readonly ChainCall[])[];
  readonly now: readonly ChainCall[];
  readonly future: readonly (readonly ChainCall[])[];
}

/** An edit of the latest state: two changes may happen before the page renders the first. */
type Edit = (calls: readonly ChainCall[]) => readonly ChainCall[];
type Change = Edit | 'undo' | 'redo';

/** A chain initialized from a URL; `keep` receives each new state as text. */
export function useChain(text: string, keep: (text: string) => void) {
  const [{ past, now, future }, change] = useReducer(next, {
    past: [],
    now: readChain(text) ?? [],
    future: [],
  });
  useEffect(() => keep(now.length === 0 ? '' : JSON.stringify(now)), [now]);
  return {
    calls: now,
    edit: change,
    undo: past.length > 0 ? () => change('undo') : undefined,
    redo: future.length > 0 ? () => change('redo') : undefined,
  };
}

function next({ past, now, future }: History, change: Change): History {
  if (typeof change === 'function') return { past: [...past, now], now: change(now), future: [] };
  const [from, to] = change === 'undo' ? [past, future] : [future, past];
  const state = from.at(-1);
  if (!state) return { past, now, future };
  const left = from.slice(0, -1);
  const right = [...to, now];
  return change === 'undo'
    ? { past: left, now: state, future: right }
    : { past: right, now: state, future: left };
}
