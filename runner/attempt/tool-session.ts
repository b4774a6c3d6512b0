import { setTimeout as sleep } from 'node:timers/promises';
import { parse, stringify } from 'lossless-json';
import { z } from 'zod';
import { type Rookery, RookeryError, type Run } from '../../client/index.ts';
import type { RunView } from '../../contracts/api.ts';
import { parseExactJson } from '../../contracts/exact-json.ts';
import type { RecordChange } from '../../contracts/records.ts';
import { HTTP_REQUEST } from '../../contracts/sdk.ts';
import { type ColumnAnswer, type ToolAnswer, toolAnswer } from '../../contracts/tools.ts';
import { AttemptEnd, type BudgetMeter } from './budget.ts';
import { lastJson, requestBody, tryParse } from './read-json.ts';
import type { AttemptSpans } from './spans.ts';

export interface CallOutcome {
  readonly ok: boolean;
  readonly text: string;
  /** SLOT and SEL: the handle of the result; null if there is none. */
  readonly handle: string | null;
}

/** Carries out a model's calls, by the tool names that it was offered. */
export interface ToolCaller {
  /** `args` is the arguments text. A failing call is an outcome; only the end of the attempt throws. */
  call(name: string, args: string): Promise<CallOutcome>;
}

/** A call as made, under the names that the agent was offered. */
export interface MadeCall extends CallOutcome {
  readonly name: string;
  /** Valid JSON, or what the model wrote instead. */
  readonly arguments: string;
  /** HTTP status; null for a call that was not sent because its arguments were not a JSON object. */
  readonly status: number | null;
  readonly latencyMs: number;
  readonly fault: string | null;
}

/** Records that were not asked for, and how many characters of them each answer has. */
export interface Padding {
  readonly records: string;
  readonly characters: number;
}

/** A run at a farm as used by one attempt: its tools, budgeted and recorded. */
export class ToolSession implements ToolCaller {
  readonly run: Run;
  readonly spans: AttemptSpans;
  readonly calls: MadeCall[] = [];
  /** Whether the farm has already received an answer. */
  answered = false;
  /** The names that may be called, if fewer than the farm offers; else null. */
  offered: ReadonlySet<string> | null = null;
  readonly #farm: Rookery;
  readonly #meter: BudgetMeter;
  readonly #preview: number | null;
  readonly #padding: Padding | null;

  constructor(
    farm: Rookery,
    run: Run,
    {
      meter,
      spans,
      preview,
      padding = null,
    }: { meter: BudgetMeter; spans: AttemptSpans; preview: number | null; padding?: Padding | null },
  ) {
    this.#farm = farm;
    this.run = run;
    this.#meter = meter;
    this.#preview = preview;
    this.#padding = padding;
    this.spans = spans;
  }

  /** `own`: further header fields, such as an Idempotency-Key. */
  async call(name: string, args: string, own: Readonly<Record<string, string>> = {}): Promise<CallOutcome> {
    this.#meter.beginCall();
    return this.spans.tool(name, (headers) => this.#call(name, args, { ...headers, ...own }));
  }

  async #call(name: string, args: string, headers: Readonly<Record<string, string>>) {
    const fault = this.#isOffered(name) ? faultIn(args) : `There is no tool ${name} here.`;
    if (fault !== null) {
      const made = { name, arguments: args, status: null, ok: false, handle: null, text: fault };
      this.calls.push({ ...made, latencyMs: 0, fault: null });
      return made;
    }
    const started = performance.now();
    const preview = this.#preview === null ? '' : `?preview=${this.#preview}`;
    const answer = await this.#send(name, args, preview, headers);
    const latencyMs = performance.now() - started;
    const { status, ok, text, fault: injected } = answer;
    const made = { name, arguments: args, status, ok, handle: ok ? handleIn(text) : null, text };
    this.calls.push({ ...made, latencyMs, fault: injected });
    return this.#padding === null || !ok
      ? made
      : { ...made, text: padded(text, this.#padding, this.calls.length) };
  }

  /**
   * The parsed response of a call known to be right: transient failures and unreadable responses are retried.
   * `read` returns null for an unreadable text. Throws Error if the call is refused, or fails every time.
   */
  async obtain<Answer>(name: string, args: string, read: (text: string) => Answer | null): Promise<Answer> {
    for (let tries = 1; ; tries++) {
      const { ok, text } = await this.call(name, args);
      const answer = ok ? read(text) : null;
      if (answer !== null) return answer;
      if (tries === MOST_TRIES || !maySucceed(this.calls.at(-1)?.status ?? null))
        throw new Error(`the call ${name} was answered with ${text.slice(0, 300)}`);
      await sleep(Math.min(2000, 25 * 2 ** tries));
    }
  }

  #isOffered(name: string): boolean {
    return this.offered === null || this.offered.has(name);
  }

  /** The run's URL, for programs. */
  get address(): string {
    return this.#farm.address(this.run.base);
  }

  get remainingMs(): number {
    return this.#meter.remainingMs;
  }

  /** The calls and answer of an external program, as recorded by the farm; `printed` if it posted no answer. */
  async readBack(
    printed: string | undefined,
  ): Promise<{ readonly answer?: unknown; readonly rawOutput?: string }> {
    const view = await this.readCalls();
    if (view.status === 'out_of_budget')
      throw new AttemptEnd('out_of_budget', view.end_reason ?? 'at the farm');
    this.answered = view.status === 'answered';
    const rawOutput = view.answer?.raw_output ?? printed;
    const answer =
      view.answer?.answer ?? (printed === undefined ? undefined : (lastJson(printed) ?? printed));
    return { answer, ...(rawOutput == null ? {} : { rawOutput }) };
  }

  /** Takes over calls made outside this session, as recorded by the farm, even without an answer. */
  async readCalls() {
    const view = await this.run.view();
    this.calls.push(...view.trajectory.map(asMade));
    return view;
  }

  /**
   * The calls recorded by the farm, where programs and requests have made them. A call repeated only to read further
   * pages of its result counts once.
   */
  async innerCalls(): Promise<MadeCall[]> {
    const { trajectory } = await this.run.view();
    const seen = new Set<string>();
    return trajectory.map(asMade).filter(({ name, arguments: args, ok }) => {
      const key = `${name} ${args}`;
      const isRepeated = ok && seen.has(key);
      if (ok) seen.add(key);
      return !isRepeated;
    });
  }

  /** Counts a call made outside this session. Throws AttemptEnd if the budget is spent. */
  beginCall(): void {
    this.#meter.beginCall();
  }

  /** All values of a result too long for one response. null if the handle is not a column of this run. */
  async wholeColumn(handle: string): Promise<ColumnAnswer['values'] | null> {
    const asked = this.calls.find((call) => call.handle === handle);
    // Asked for again, a column is what it was answered last; a later page of it is another call.
    const made = this.calls.findLast((call) => call.handle === handle && call.arguments === asked?.arguments);
    const first = made === undefined ? null : columnIn(made.text);
    if (made === undefined || first === null) return null;
    return allValues(first, (offset) => this.#page(made, offset));
  }

  async #page(made: MadeCall, offset: number): Promise<ColumnAnswer | null> {
    const isRequest = made.name === HTTP_REQUEST;
    const args = isRequest ? withParams(made.arguments, pageView(offset)) : made.arguments;
    const query = isRequest ? '' : `?${pageView(offset)}`;
    for (let tries = 1; tries <= MOST_TRIES; tries++) {
      const answer = await this.#send(made.name, args, query);
      const page = columnIn(answer.text);
      if (page !== null || !maySucceed(answer.status)) return page;
    }
    return null;
  }

  /** Says something to the user of a dialogue, and returns the user's message; null once the dialogue is over. */
  async say(what: { readonly text: string } | { readonly answer: unknown }): Promise<string | null> {
    const answer = await this.#farm.send(`${this.run.base}/say`, { method: 'POST', body: writeJson(what) });
    const text = await answer.text();
    if (!answer.ok) throw RookeryError.of(answer.status, text);
    const { message } = JSON.parse(text) as { readonly message: string | null };
    if (message === null) this.answered = true;
    return message;
  }

  /** What the run has changed so far, by the farm's record, with all digits of its numbers. */
  async changes(): Promise<{ readonly diff: RecordChange[]; readonly broken_rules: string[] | null }> {
    const answer = await this.#farm.send(this.run.base);
    const text = await answer.text();
    if (!answer.ok) throw RookeryError.of(answer.status, text);
    const { diff = [], broken_rules = null } = parseExactJson(text) as RunView;
    return { diff, broken_rules };
  }

  /** Submits the answer to the farm; numbers keep their source text. */
  async submit(answer: unknown, more: object): Promise<void> {
    await this.#farm.send(`${this.run.base}/answer`, {
      method: 'POST',
      body: writeJson({ answer, ...more }),
    });
  }

  async #send(name: string, args: string, query: string, headers: Readonly<Record<string, string>> = {}) {
    const path = `${this.run.base}/call/${encodeURIComponent(name)}${query}`;
    const answer = await this.#farm.send(path, { method: 'POST', body: args, headers });
    const text = await answer.text();
    if (answer.status === 409 && /"RUN_OVER"/.test(text)) {
      throw new AttemptEnd('out_of_budget', 'the run is over at the farm: its budget is spent');
    }
    if (answer.status === 404 && /"UNKNOWN_RUN"/.test(text)) throw RookeryError.of(answer.status, text);
    return { status: answer.status, ok: answer.ok, text, fault: answer.headers.get('x-rookery-fault') };
  }
}

/** All values of a column, given its first page; null if `readPage` has none for an offset. */
export async function allValues(
  first: ColumnAnswer,
  readPage: (offset: number) => Promise<ColumnAnswer | null>,
): Promise<ColumnAnswer['values'] | null> {
  const values = [...first.values];
  for (let at = first.next_offset; at !== null; ) {
    const page = await readPage(at);
    if (page === null) return null;
    values.push(...page.values);
    at = page.next_offset;
  }
  return values;
}

/** The query string for the page of a result at an offset. */
export function pageView(offset: number): string {
  return `offset=${offset}&limit=100000`;
}

/** The arguments of a request with more query parameters. */
function withParams(args: string, query: string): string {
  const given = z.looseObject({ params: z.record(z.string(), z.unknown()).nullish() }).parse(parse(args));
  const params = { ...given.params, ...Object.fromEntries(new URLSearchParams(query)) };
  return writeJson({ ...given, params });
}

function asMade({
  tool,
  arguments: args,
  status,
  latency_ms,
  fault,
}: RunView['trajectory'][number]): MadeCall {
  return {
    name: tool,
    arguments: writeJson(args),
    status,
    ok: status < 400,
    handle: null,
    text: '',
    latencyMs: latency_ms,
    fault,
  };
}

/** The answer to the n-th call with a further field of records, others than those of the call before. */
function padded(text: string, { records, characters }: Padding, n: number): string {
  if (!/^\{.+\}$/s.test(text) || records === '') return text;
  const from = ((n - 1) * characters) % records.length;
  const endless = records.repeat(Math.ceil((from + characters) / records.length));
  const other = JSON.stringify(endless.slice(from, from + characters));
  return `${text.slice(0, -1)},"other_records":${other}}`;
}

/** Maximum attempts at a call that fails transiently. */
const MOST_TRIES = 10;

function maySucceed(status: number | null): boolean {
  return status !== null && (status < 400 || status === 408 || status === 429 || status >= 500);
}

/** Why a text is invalid as a call's arguments; null if it is valid. */
function faultIn(args: string): string | null {
  const how = 'Give the arguments as one JSON object, such as {"name": "value"}.';
  try {
    const read = parse(args);
    const object = typeof read === 'object' && read !== null && !Array.isArray(read);
    return object ? null : `The arguments are JSON, but not an object. ${how}`;
  } catch (error) {
    return `The arguments are not valid JSON: ${(error as Error).message}. ${how}`;
  }
}

function handleIn(text: string): string | null {
  const body = requestBody(text);
  // Skip other tools' responses, which may be long and have no handle.
  return body.startsWith('{"kind"') ? (readToolAnswer(body)?.handle ?? null) : null;
}

function columnIn(text: string): ColumnAnswer | null {
  const answer = readToolAnswer(requestBody(text));
  return answer?.kind === 'column' ? answer : null;
}

/** Parses a response of a SLOT or SEL tool; null for other texts. */
export function readToolAnswer(text: string): ToolAnswer | null {
  return toolAnswer.safeParse(tryParse(text, parseExactJson)).data ?? null;
}

/** Parses arguments, with numbers as source text; undefined for invalid JSON. */
export function readArguments(text: string): unknown {
  return tryParse(text);
}

/** A value as JSON; numbers keep their source text. */
export function writeJson(value: unknown): string {
  return stringify(value) ?? 'null';
}
