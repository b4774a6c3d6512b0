import { mapReferences } from '../../../contracts/assemble-answer.ts';
import { printExactJson } from '../../../contracts/exact-json.ts';
import { RUN_SQL } from '../../../contracts/formulations/hybrid.ts';
import { FORMULATIONS } from '../../../contracts/formulations/registry.ts';
import type { Call, Sample } from '../../../contracts/sample.ts';
import type { AssistantPart } from '../../model/message.ts';
import type { ModelRequest } from '../../model/model.ts';
import type { ReplyFormat } from '../../model/reply-format.ts';
import { resultsBefore, resultsIn, type SeenResult } from './results-in.ts';
import { writeCalls } from './write-calls.ts';

/** The gold of a sample, and the labels under which it names its start tables. */
export interface KnownGold {
  readonly sample: Sample;
  /** Handles on a live farm, by label. */
  readonly starts: ReadonlyMap<string, string>;
}

interface GoldCalls {
  readonly sample: Sample;
  /** The gold calls as the tools on offer have them. */
  readonly calls: readonly Call[];
}

/** What a request should be answered with. */
export interface GoldTask extends KnownGold, GoldCalls {
  /** The samples that this one is made of, where it is made of several. */
  readonly parts?: readonly GoldCalls[];
}

/**
 * What a model says that makes no mistake: the gold, in whatever way the agent will read it. In a loop it makes the
 * gold calls one a turn, with the handles it was answered, and then names the results.
 */
export function goldReply(gold: GoldTask, request: ModelRequest, format: ReplyFormat): AssistantPart[] {
  const { sample, calls } = gold;
  switch (format) {
    case 'sql':
    case 'virtual_sql':
      return [text(`\`\`\`sql\n${statementOf(sample, format)}\n\`\`\``)];
    case 'program':
      return [text(`\`\`\`js\nprint(${printExactJson(sample.gold_answer)});\n\`\`\``)];
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
      // What is fetched apart is put together by nobody but the model: this one knows the rows.
      if (isOutOfReach(gold, request)) return [text(printExactJson(goldRows(gold)))];
      const { next, answer } = nextStep(gold, request);
      if (next !== null)
        return [callPart(next.name, next.arguments, resultsBefore(request) + resultsIn(request).length)];
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

/** Whether the gold call is not offered, neither by the request nor in its text. */
function isOutOfReach({ sample, calls }: GoldTask, { tools, prompt }: ModelRequest): boolean {
  if (sample.formulation !== 'hybrid') return false;
  const told = JSON.stringify(prompt);
  return calls.some((call) => !tools.some(({ name }) => name === call.name) && !told.includes(call.name));
}

/** Of a hybrid task that which was proven: the gold SQL as given may leave ties open. */
function statementOf({ output: [call], augmentation, query }: Sample, form: 'sql' | 'virtual_sql'): string {
  if (form === 'virtual_sql' && augmentation) return augmentation.virtual_sql;
  return call?.name === RUN_SQL ? String(call.arguments.sql) : query;
}

/** Answers in a row that are lost before it gives up. */
const MOST_TRIES = 6;

/** `at` counts calls from 1, over the whole conversation. */
type PlacedResult = SeenResult & { readonly at: number };

function nextStep(
  { sample, calls, starts, parts = [{ sample, calls }] }: GoldTask,
  request: ModelRequest,
): { readonly next: Pick<Call, 'name' | 'arguments'> | null; readonly answer: string } {
  const seen = resultsIn(request).map((result, i) => ({ ...result, at: resultsBefore(request) + i + 1 }));
  // A call whose answer was lost is made again.
  const isHopeless = seen.length >= MOST_TRIES && seen.slice(-MOST_TRIES).every(({ isLost }) => isLost);
  const results = isHopeless ? seen : seen.filter(({ isLost }) => !isLost);
  const handles = new Map(starts);
  calls.forEach(({ label }, i) => {
    const handle = results[i]?.handle;
    if (label !== undefined && handle != null) handles.set(label, handle);
  });
  const call = calls[results.length];
  if (call === undefined || isHopeless) return { next: null, answer: nameResults(parts, results) };
  const args = mapReferences(call.arguments, (label) => {
    const handle = handles.get(label);
    return handle === undefined ? undefined : `$${handle}$`;
  });
  return { next: { name: call.name, arguments: Object.fromEntries(Object.entries(args ?? {})) }, answer: '' };
}

/** The results of one sample, or those of several in a list. */
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
  const used = new Set<string>();
  for (const { arguments: args } of calls) {
    mapReferences(args, (label) => {
      used.add(label);
      return undefined;
    });
  }
  return calls.flatMap(({ label }, i) => {
    const result = results[i];
    const isFinal = result !== undefined && !result.isTable && (label === undefined || !used.has(label));
    return isFinal ? [nameOf(i)] : [];
  });
}

function goldRows({ sample, parts }: GoldTask): unknown {
  return parts === undefined ? sample.gold_answer : parts.map((part) => part.sample.gold_answer);
}

function text(content: string): AssistantPart {
  return { kind: 'text', text: content };
}

function callPart(name: string, args: unknown, n: number): AssistantPart {
  return { kind: 'call', id: `call_${n}`, name, arguments: printExactJson(args) };
}
