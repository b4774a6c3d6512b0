import { setTimeout as sleep } from 'node:timers/promises';
import { mapReferences, usedLabels } from '../contracts/answer-rows.ts';
import { UserError } from '../contracts/errors.ts';
import { printExactJson } from '../contracts/exact-json.ts';
import { FORMULATIONS, RUN_SQL } from '../contracts/formulations.ts';
import type { Call, Sample } from '../contracts/sample.ts';
import { EXECUTE, REQUESTS_GET, SEARCH_DOCS } from '../contracts/sdk.ts';
import { dueClaim } from '../contracts/split.ts';
import { CALL_TOOL, SEARCH_DOCUMENTS, SEARCH_TOOLS } from '../contracts/toolset-options.ts';
import { isOfChanges } from '../contracts/vocabulary.ts';
import { escapeXml } from './agents/direct.ts';
import { requestBody, restRows, tryParse } from './attempt/read-json.ts';
import { readToolAnswer } from './attempt/tool-session.ts';
import { asRequest, doingTool, printProgram } from './gold-program.ts';
import { ModelError } from './models/failures.ts';
import type {
  AssistantPart,
  Completion,
  Message,
  Model,
  ModelRequest,
  ReplyFormat,
  ToolResult,
} from './models/model.ts';
import { Seeded } from './seeded.ts';

/** The response to a call, as far as a scripted model uses it. */
export interface SeenResult {
  readonly handle: string | null;
  /** Tables contain no values. */
  readonly isTable: boolean;
  /** Whether the call failed, or its response cannot be parsed. */
  readonly isLost: boolean;
  /** Whether it may be a record: an object that is no problem. */
  readonly isRecord?: boolean;
}

/** The results since the user's last message: tool results, or observations in a text. */
export function resultsIn({ prompt }: Pick<ModelRequest, 'prompt'>): SeenResult[] {
  if ('text' in prompt) return observationsIn(prompt.text);
  const last = prompt.messages.findLastIndex(({ role }) => role === 'user');
  const results = prompt.messages.slice(last + 1).flatMap(resultsOf);
  if (results.length > 0)
    return results.map((result) => (isSearch(result) ? FOUND : read(requestBody(result.text))));
  const [only, ...others] = prompt.messages;
  return only?.role === 'user' && others.length === 0 ? observationsIn(only.text) : [];
}

/** Number of results before the user's last message. */
export function resultsBefore({ prompt }: Pick<ModelRequest, 'prompt'>): number {
  if ('text' in prompt) return 0;
  const last = prompt.messages.findLastIndex(({ role }) => role === 'user');
  return prompt.messages.slice(0, last + 1).flatMap(resultsOf).length;
}

function resultsOf(message: Message): readonly ToolResult[] {
  return message.role === 'tool' ? message.results : [];
}

function isSearch({ name }: { readonly name: string }): boolean {
  return [SEARCH_TOOLS, SEARCH_DOCS, SEARCH_DOCUMENTS].includes(name);
}

/** What a search found is no result of the task. */
const FOUND: SeenResult = { handle: null, isTable: false, isLost: true };

function observationsIn(text: string): SeenResult[] {
  const transcript = text.slice(text.lastIndexOf('\nQuestion: '));
  return [...transcript.matchAll(/\nObservation: (.*)/g)].map(([, observation = '']) => read(observation));
}

function read(text: string): SeenResult {
  // Of a truncated response, only the beginning can be parsed.
  if (/… \(cut after \d+ of \d+ characters\)$/.test(text)) {
    const [, kind, handle] = /^\{"kind":"(\w+)","handle":"([^"]+)"/.exec(text) ?? [];
    return { handle: handle ?? null, isTable: kind === 'table', isLost: false };
  }
  const answer = readToolAnswer(text);
  if (answer === null)
    return { handle: null, isTable: false, isLost: restRows(text) === null, isRecord: isRecord(text) };
  return { handle: answer.handle, isTable: answer.kind === 'table', isLost: false };
}

function isRecord(text: string): boolean {
  const value = tryParse(text, JSON.parse);
  return typeof value === 'object' && value !== null && !('code' in value && 'status' in value);
}

/** The text formats of whole sequences, by model family. */
export type TextFormat = Exclude<
  ReplyFormat,
  | 'tools'
  | 'native_calls'
  | 'structured'
  | 'react'
  | 'sql_react'
  | 'sql'
  | 'virtual_sql'
  | 'program'
  | 'python_program'
>;

/** Writes gold calls in the format of a reply, as a perfect model would. */
export function writeCalls(calls: readonly Call[], format: TextFormat): string {
  const listed = calls.map(({ name, arguments: args, label }) => ({
    name,
    arguments: args,
    ...(label === undefined ? {} : { label }),
  }));
  const withoutLabels = calls.map(({ name, arguments: args }) => ({ name, arguments: args }));
  return WRITERS[format](calls, printExactJson(listed), printExactJson(withoutLabels));
}

type Writer = (calls: readonly Call[], list: string, withoutLabels: string) => string;

const WRITERS: Readonly<Record<TextFormat, Writer>> = {
  calls_object: (_, list) => `{"tool_calls":${list}}`,
  json_list: (_, list) => list,
  json_list_without_labels: (_, __, list) => list,
  tool_call_elements: (calls) =>
    calls
      .map(
        ({ name, arguments: args, label }) =>
          `<tool_call>\n${printExactJson({ name, arguments: args, label })}\n</tool_call>`,
      )
      .join('\n'),
  marked_json_list: (_, __, list) => `<|tool_call|>${list}`,
  tagged_json_list: (_, list) =>
    `<thinking>Each of these functions fits.</thinking>\n<tool_calls>${list}</tool_calls>`,
  fenced_json: (_, list) => `The calls:\n\`\`\`json\n${list}\n\`\`\``,
  python_calls: (calls) => `[${calls.map(pythonCall).join(', ')}]`,
  xml_verbose: (calls) => `<functions>${calls.map((call) => xmlCall(call, true)).join('')}</functions>`,
  xml_concise: (calls) => `<functions>${calls.map((call) => xmlCall(call, false)).join('')}</functions>`,
  nested: nestedCall,
};

function pythonCall({ name, arguments: args, label }: Call): string {
  const call = `${name}(${Object.entries(args)
    .map(([key, value]) => `${key}=${pythonValue(value)}`)
    .join(', ')})`;
  return label === undefined ? call : `${label} = ${call}`;
}

function pythonValue(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(', ')}]`;
  if (typeof value === 'object') {
    return `{${Object.entries(value)
      .map(([key, inner]) => `${JSON.stringify(key)}: ${pythonValue(inner)}`)
      .join(', ')}}`;
  }
  return printExactJson(value);
}

/** The last call with the calls it refers to inlined; unreferenced results on separate lines. */
function nestedCall(calls: readonly Call[]): string {
  const byLabel = new Map<string, Call>();
  const used = new Set<string>();
  const print = (call: Call): string =>
    `${call.name}(${Object.entries(call.arguments)
      .map(([key, value]) => `${key}=${inner(value)}`)
      .join(', ')})`;
  const inner = (value: unknown): string => {
    const label = typeof value === 'string' ? /^\$(\w+)\$$/.exec(value)?.[1] : undefined;
    const made = label === undefined ? undefined : byLabel.get(label);
    if (made !== undefined && label !== undefined) {
      used.add(label);
      return print(made);
    }
    if (Array.isArray(value)) return `[${value.map(inner).join(', ')}]`;
    if (typeof value === 'object' && value !== null) {
      return `{${Object.entries(value)
        .map(([key, each]) => `${JSON.stringify(key)}: ${inner(each)}`)
        .join(', ')}}`;
    }
    return pythonValue(value);
  };
  const printed = calls.map((call) => {
    const text = print(call);
    if (call.label !== undefined) byLabel.set(call.label, call);
    return { text, label: call.label };
  });
  return printed
    .filter(({ label }) => label === undefined || !used.has(label))
    .map(({ text }) => text)
    .join('\n');
}

function xmlCall({ name, arguments: args }: Call, isVerbose: boolean): string {
  const params = Object.entries(args).map(([key, value]) => {
    const [text, type] = [
      escapeXml(typeof value === 'string' ? value : printExactJson(value)),
      xmlType(value),
    ];
    return isVerbose
      ? `<param name="${escapeXml(key)}" value="${text}" type="${type}"/>`
      : `<param name="${escapeXml(key)}" type="${type}">${text}</param>`;
  });
  const inner = isVerbose ? `<params>${params.join('')}</params>` : params.join('');
  return `<function name="${escapeXml(name)}">${inner}</function>`;
}

function xmlType(value: unknown): string {
  if (typeof value === 'bigint') return 'integer';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'float';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'object' ? 'dict' : typeof value;
}

/** The gold of a sample, and the labels of its start tables. */
export interface KnownGold {
  readonly sample: Sample;
  /** Handles on a live farm, by label. */
  readonly starts: ReadonlyMap<string, string>;
}

interface GoldCalls {
  readonly sample: Sample;
  /** The gold calls, translated to the offered tools. */
  readonly calls: readonly Call[];
}

/** The expected result of a request. */
export interface GoldTask extends KnownGold, GoldCalls {
  readonly parts?: readonly GoldCalls[];
}

/**
 * The reply of a perfect model: the gold, in the format that the agent parses. In a loop it makes one gold
 * call per turn, with the handles it received, and then names the results.
 */
export function goldReply(gold: GoldTask, request: ModelRequest, format: ReplyFormat): AssistantPart[] {
  const { sample, calls } = gold;
  switch (format) {
    case 'sql':
    case 'virtual_sql':
      return [text(`\`\`\`sql\n${statementOf(sample, format)}\n\`\`\``)];
    case 'program':
      return [text(`\`\`\`js\nprint(${printExactJson(sample.gold_answer)});\n\`\`\``)];
    case 'python_program':
      return [text(`\`\`\`python\nprint(${JSON.stringify(printExactJson(sample.gold_answer))})\n\`\`\``)];
    case 'native_calls':
      return calls.map(({ name, arguments: args, label }, i) =>
        callPart(name, label === undefined ? args : { ...args, label }, i),
      );
    case 'structured': {
      const named = calls.map((call) => ({ function_name: call.name, arguments: call.arguments }));
      const reply = { tool_rationale: null, use_tools: true, response: null, tool_calls: named };
      return [text(printExactJson(reply))];
    }
    case 'tools': {
      // The model itself has to combine data fetched separately; this one knows the rows.
      if (isOutOfReach(gold, request)) return [text(printExactJson(goldRows(gold)))];
      const made = resultsBefore(request) + resultsIn(request).length;
      const search = request.tools.find(isSearch);
      if (search !== undefined && made === 0) return [callPart(search.name, { query: sample.input }, made)];
      if (doingTool(request.tools) === EXECUTE) return programStep(gold, request);
      const { next, answer } = nextStep(gold, request);
      if (next !== null) {
        const { name, arguments: args } = throughTools(next, gold, request);
        return [callPart(name, args, made)];
      }
      const submits = request.tools.some(({ name }) => name === 'submit_answer');
      return submits ? [callPart('submit_answer', { answer: goldRows(gold) }, 999)] : [text(answer)];
    }
    case 'react': {
      if (isOutOfReach(gold, request))
        return [text(` I know the answer now\nFinal Answer: ${printExactJson(goldRows(gold))}`)];
      const { next, answer } = nextStep(gold, request);
      if (next === null) return [text(` I know the answer now\nFinal Answer: ${answer}`)];
      return [
        text(
          ` One more call.\nAction: ${next.name}\nAction Input: ${printExactJson(next.arguments)}\nObservation: mine`,
        ),
      ];
    }
    case 'sql_react': {
      if (resultsIn(request).length > 0) return [text(' I know the answer now\nFinal Answer: "$call_1$"')];
      return [
        text(` One query.\nAction: execute_sql\nAction Input: ${JSON.stringify({ sql: sample.query })}`),
      ];
    }
    default:
      return [text(writeCalls(calls, format))];
  }
}

/** One program with all gold calls, again if it failed; then the name of its result. */
function programStep({ sample, calls, starts }: GoldTask, request: ModelRequest): AssistantPart[] {
  const made = 'messages' in request.prompt ? request.prompt.messages.flatMap(resultsOf) : [];
  const isDone = made.at(-1)?.text.startsWith('{"result"') || made.length >= MOST_TRIES;
  if (isDone) return [text(`"$call_${made.length}$"`)];
  return [callPart(EXECUTE, { code: printProgram(calls, { ...sample, starts }) }, made.length)];
}

/** Whether there is no gold call, or it is offered neither in the request nor in its text. */
function isOutOfReach({ sample, calls }: GoldTask, { tools, prompt }: ModelRequest): boolean {
  if (sample.unanswerable) return true;
  if (sample.formulation !== 'hybrid') return false;
  const text = JSON.stringify(prompt);
  return calls.some((call) => !tools.some(({ name }) => name === call.name) && !text.includes(call.name));
}

/** The proven SQL of a hybrid task; the original gold SQL may leave ties open. */
function statementOf({ output: [call], augmentation, query }: Sample, form: 'sql' | 'virtual_sql'): string {
  if (form === 'virtual_sql' && augmentation) return augmentation.virtual_sql;
  return call?.name === RUN_SQL ? String(call.arguments.sql) : query;
}

/** A call as those tools make it that are offered in place of a list. */
function throughTools(
  call: Call,
  { sample }: GoldTask,
  { tools }: Pick<ModelRequest, 'tools'>,
): Pick<Call, 'name'> & { readonly arguments: unknown } {
  const doing = doingTool(tools);
  if (doing !== null) {
    const { sample_id, dataset_name: db, formulation } = sample;
    const [split = ''] = sample_id.split('/');
    const context = { formulation, split, db, view: '', isGet: doing === REQUESTS_GET };
    return { name: doing, arguments: asRequest(call, context) };
  }
  const isListed = tools.every(({ name }) => name !== CALL_TOOL);
  return isListed ? call : { name: CALL_TOOL, arguments: { name: call.name, arguments: call.arguments } };
}

/** Number of consecutive lost responses after which it gives up. */
const MOST_TRIES = 6;

/** `at` is the number of the call in the conversation, from 1. */
type PlacedResult = SeenResult & { readonly at: number };

function nextStep(
  { sample, calls, starts, parts = [{ sample, calls }] }: GoldTask,
  request: ModelRequest,
): { readonly next: Call | null; readonly answer: string } {
  const seen = resultsIn(request).map((result, i) => ({
    ...result,
    isLost: result.isLost && !(isOfChanges(sample.formulation) && result.isRecord === true),
    at: resultsBefore(request) + i + 1,
  }));
  // A call whose response was lost is repeated.
  const isHopeless = seen.length >= MOST_TRIES && seen.slice(-MOST_TRIES).every(({ isLost }) => isLost);
  const results = isHopeless ? seen : seen.filter(({ isLost }) => !isLost);
  const handles = new Map(starts);
  calls.forEach(({ label }, i) => {
    const handle = results[i]?.handle;
    if (label !== undefined && handle != null) handles.set(label, handle);
  });
  const call = calls[results.length];
  if (call === undefined || isHopeless) {
    // What a task asks for beside its changes is in no single answer.
    const asked = isOfChanges(sample.formulation) && sample.gold_columns.length > 0;
    const answer = asked ? printExactJson(sample.gold_answer) : nameResults(parts, results);
    return { next: null, answer };
  }
  const args = mapReferences(call.arguments, (label) => {
    const handle = handles.get(label);
    return handle === undefined ? undefined : `$${handle}$`;
  });
  return { next: { ...call, arguments: Object.fromEntries(Object.entries(args ?? {})) }, answer: '' };
}

/** The results of one sample, or a list of those of several. */
function nameResults(parts: readonly GoldCalls[], results: readonly PlacedResult[]): string {
  let from = 0;
  const named = parts.map((part) => {
    const { length } = part.calls;
    const own = results.slice(from, from + length);
    from += length;
    return namesOf(part, own);
  });
  return JSON.stringify(named.length === 1 ? named[0] : named);
}

/** The results that no other call uses, by name: columns and values side by side, or a REST answer. */
function namesOf(
  { sample: { formulation }, calls }: GoldCalls,
  results: readonly PlacedResult[],
): string | string[] {
  const nameOf = (i: number) => `$call_${results[i]?.at}$`;
  if (FORMULATIONS[formulation].calls === 'single') return nameOf(0);
  const used = usedLabels(calls);
  return calls.flatMap(({ label }, i) => {
    const result = results[i];
    const isFinal = result !== undefined && !result.isTable && (label === undefined || !used.has(label));
    return isFinal ? [nameOf(i)] : [];
  });
}

function goldRows({ sample, parts }: GoldTask): unknown {
  if (sample.unanswerable) return dueClaim(sample.unanswerable);
  return parts === undefined ? sample.gold_answer : parts.map((part) => part.sample.gold_answer);
}

function text(content: string): AssistantPart {
  return { kind: 'text', text: content };
}

function callPart(name: string, args: unknown, n: number): AssistantPart {
  return { kind: 'call', id: `call_${n}`, name, arguments: printExactJson(args) };
}

/** Looks up the gold of a sample. Throws OPTION_INVALID if the runner has no farm folder. */
export type FindGold = (sampleId: string) => KnownGold;

type Script = (request: ModelRequest, gold: FindGold) => AssistantPart[] | Promise<AssistantPart[]>;

/**
 * Scripted models, for tests and demos: `gold` makes no mistakes, `silent` replies with nothing, `malformed`
 * truncates its JSON, `loops` repeats one call for ever, `slow` is gold after 200 ms, `flaky` is gold with
 * random errors, `half` is gold for every other sample.
 */
const SCRIPTS: Readonly<Record<string, Script>> = {
  gold: playGold,
  silent: () => [],
  malformed: (request, gold) => playGold(request, gold).map(breakOff),
  loops: (request) => {
    const [tool] = request.tools;
    if (tool !== undefined) return [{ kind: 'call', id: 'again', name: tool.name, arguments: '{}' }];
    return [{ kind: 'text', text: ' Again.\nAction: again\nAction Input: {}' }];
  },
  slow: async (request, gold) => {
    await sleep(200);
    return playGold(request, gold);
  },
  flaky: (request, gold) => {
    // Truly random rather than seeded: an error that recurs on every retry would not be transient.
    if (Math.random() < 0.2)
      throw new ModelError('rate_limit', 'too many requests', { status: 429, retryAfterMs: 20 });
    return playGold(request, gold);
  },
  half: (request, gold) => {
    const { sampleId } = request.origin;
    return new Seeded(1, sampleId).integer(2) === 0
      ? playGold(request, gold)
      : [{ kind: 'text', text: 'No.' }];
  },
};

function playGold(request: ModelRequest, gold: FindGold): AssistantPart[] {
  const { due, format, offeredCall } = request.origin;
  const tasks = due.map(({ sample_id, arguments: args }): GoldTask => {
    const task = gold(sample_id);
    const { output } = task.sample;
    const made = args === undefined ? output : output.map((call) => ({ ...call, arguments: args }));
    const calls = made.map(({ path, ...call }) => ({ ...call, ...offeredCall({ ...call, path }) }));
    return { ...task, calls };
  });
  const [first] = tasks;
  if (first === undefined) return [{ kind: 'text', text: format === 'react' ? NO_ANSWER : 'Nothing fits.' }];
  return goldReply(tasks.length === 1 ? first : together(first, tasks), request, format);
}

/** Merges several samples; their labels stay distinct. */
function together(first: GoldTask, tasks: readonly GoldTask[]): GoldTask {
  const parts = tasks.map(({ sample, calls, starts }, n) => {
    const own = new Map(
      calls.flatMap(({ label }) => (label === undefined ? [] : [[label, `${label}_${n}`]])),
    );
    const renamed = calls.map(({ label, ...call }): Call => {
      const args = mapReferences(call.arguments, (name) => {
        const other = starts.has(name) ? undefined : own.get(name);
        return other === undefined ? undefined : `$${other}$`;
      });
      const named = label === undefined ? {} : { label: own.get(label) ?? label };
      return { ...call, arguments: { ...Object(args) }, ...named };
    });
    return { sample, calls: renamed };
  });
  return { ...first, calls: parts.flatMap(({ calls }) => calls), parts };
}

const NO_ANSWER = ' No tool fits.\nFinal Answer: none';

function breakOff(part: AssistantPart): AssistantPart {
  if (part.kind === 'call') return { ...part, arguments: part.arguments.slice(0, -1) };
  return { ...part, text: part.text.slice(0, Math.floor(part.text.length / 2)) };
}

/** Opens `mock/<script>`. Throws MODEL_UNKNOWN for an unknown script. */
export function mockModel(name: string, transport: 'chat' | 'completions', gold: FindGold): Model {
  const script = Object.hasOwn(SCRIPTS, name) ? SCRIPTS[name] : undefined;
  if (script === undefined) {
    throw new UserError(
      'MODEL_UNKNOWN',
      '--model',
      `there is no mock/${name}; give one of ${Object.keys(SCRIPTS).join(', ')}`,
    );
  }
  return {
    id: `mock/${name}`,
    transport,
    constraints: ['schema', 'grammar'],
    async complete(request, signal): Promise<Completion> {
      signal.throwIfAborted();
      const parts = await script(request, gold);
      const calls = parts.some(({ kind }) => kind === 'call');
      return {
        parts,
        stop: calls ? 'calls' : 'stop',
        usage: {
          input: tokens(JSON.stringify([request.prompt, request.tools])),
          output: tokens(JSON.stringify(parts)),
          cached_input: 0,
          cache_write: 0,
          reasoning: 0,
        },
        model: `mock/${name}`,
        fingerprint: null,
        warnings: [],
      };
    },
  };
}

/** Estimates tokens at four characters each. */
function tokens(text: string): number {
  return Math.ceil(text.length / 4);
}
