import { useEffect, useReducer } from 'preact/hooks';
import type { Cell, Formulation, ToolAnswer } from '../client/index.ts';
import { assembleAnswer, mapReferences } from '../contracts/answer-rows.ts';
import { aboutAnswer, type ChainCall, readChain, type Start } from './chain.ts';
import { callTool } from './farm.ts';

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

/** A result that an argument may name, and what its columns are. */
export interface Source {
  readonly label: string;
  /** undefined until it is answered. */
  readonly handle: string | undefined;
  readonly columns: readonly string[];
  /** Columns that hold text, as far as the first rows tell. */
  readonly texts: ReadonlySet<string>;
  /** A few words: what it is and how many rows it has. */
  readonly about: string;
}

/** What the start tables and the calls of a chain have come to; shorter than the chain while it is carried out. */
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

/** The next state, made of the one that there is then: two changes may come before the page shows the first. */
type Edit = (calls: readonly ChainCall[]) => readonly ChainCall[];
type Change = Edit | 'undo' | 'redo';

/** A chain that is being made, with every state that it has been in. */
export interface EditedChain {
  readonly calls: readonly ChainCall[];
  edit(edit: Edit): void;
  /** undefined where there is nothing to go back to, or forth. */
  readonly undo: (() => void) | undefined;
  readonly redo: (() => void) | undefined;
}

/** A chain that begins as an address says; `keep` is told each new state as text. */
export function useChain(text: string, keep: (text: string) => void): EditedChain {
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
