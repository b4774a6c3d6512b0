import { assembleAnswer, mapReferences, usedLabels } from './answer-rows.ts';
import type { Row } from './catalog.ts';
import { printExactJson } from './exact-json.ts';
import {
  type CalledService,
  type CallFailure,
  type CallRequest,
  type FormulationContract,
  type ReplayContext,
  type Replayed,
  rowCount,
  type SentCall,
} from './formulation.ts';
import { domainPath } from './paths.ts';
import type { Call, Formulation, Sample } from './sample.ts';
import { initializationArguments, type ToolAnswer, toolAnswer } from './tools.ts';

/** The calls that create a sample's start tables, each with its label; one initialization may contain several. */
export function startCalls(initialization: Sample['initialization_step']): Call[] {
  if (initialization === null) return [];
  const { additional_tables = [], ...main } = initializationArguments.parse(initialization.arguments);
  const { name, label } = initialization;
  return [
    { name, arguments: main, ...(label === undefined ? {} : { label }) },
    ...additional_tables.map(({ label: own, ...definition }) => ({
      name,
      arguments: definition,
      label: own,
    })),
  ];
}

export interface ChainContext extends ReplayContext {
  readonly requestOf: (call: Call) => CallRequest;
}

/**
 * Carries out calls as an agent would: start tables first, then call by call, with `$label$` replaced by the
 * returned handle. A truncated column that is part of the answer is fetched page by page. A failed call is
 * skipped, and calls that refer to it fail too.
 */
export async function replayChain(calls: readonly Call[], context: ChainContext): Promise<Replayed> {
  const { requestOf, starts, view } = context;
  const handles = new Map<string, string>();
  const used = usedLabels(calls);
  const send = async (
    call: Call,
    more: Readonly<Record<string, string>>,
  ): Promise<ToolAnswer | CallFailure> => {
    const args = mapReferences(call.arguments, (label) => {
      const handle = handles.get(label);
      return handle === undefined ? undefined : `$${handle}$`;
    });
    const query = Object.entries({ ...view?.(isOnTheWay(call), call), ...more });
    const answer = await context.send(
      { ...requestOf({ ...call, arguments: args as Call['arguments'] }), query },
      call,
    );
    return 'failure' in answer ? answer : toolAnswer.parse(answer.body);
  };
  const isOnTheWay = ({ label }: Call) => label !== undefined && used.has(label);

  for (const start of starts) {
    const made = await send(start, {});
    if ('failure' in made) throw new Error(made.failure);
    if (start.label !== undefined) handles.set(start.label, made.handle);
  }
  const answers: (ToolAnswer | null)[] = [];
  let body: ToolAnswer | null = null;
  const refusals: (string | null)[] = [];
  for (const call of calls) {
    const made = await send(call, {});
    refusals.push('failure' in made ? made.failure : null);
    answers.push('failure' in made ? null : made);
    if ('failure' in made) continue;
    body = made;
    if (call.label !== undefined) handles.set(call.label, made.handle);
  }
  for (const i of lastResults(calls, answers)) {
    const whole = await readOn(answers[i] as ToolAnswer, (offset) =>
      send(calls[i] as Call, { offset, limit: MANY }),
    );
    if ('failure' in whole) refusals[i] = whole.failure;
    answers[i] = 'failure' in whole ? null : whole;
  }
  const rows = finalRows(calls, answers);
  const failure = refusals.find((refusal) => refusal !== null);
  return {
    rows,
    rowsIf(at, other) {
      const answer = toolAnswer.parse(other);
      return finalRows(
        calls,
        answers.map((each, i) => (at.includes(i) ? answer : each)),
      );
    },
    body,
    failure: rows ? null : (failure ?? 'The last results do not make rows.'),
    truncated: false,
    handles: answers.map((answer) => answer?.handle ?? null),
    refusals,
  };
}

/** Requested page size when all values are needed; a service may return fewer and marks the answer as truncated. */
const MANY = '100000';

/** The rows of the last results, side by side. */
function finalRows(calls: readonly Call[], answers: readonly (ToolAnswer | null)[]): Row[] | null {
  const last = lastResults(calls, answers);
  return assembleAnswer(
    last.map((i) => ({ name: (calls[i] as Call).name, arguments: {} })),
    last.map((i) => answers[i] as ToolAnswer),
  );
}

/** The positions of the results that no other call refers to, by label or by handle. */
function lastResults(calls: readonly Call[], answers: readonly (ToolAnswer | null)[]): number[] {
  // A failed call consumes no results.
  const made = calls.filter((_, i) => answers[i] !== null);
  const labels = usedLabels(made);
  const mentioned = new Set(made.flatMap(({ arguments: args }) => textsIn(args)));
  return calls.flatMap(({ label }, i) => {
    const answer = answers[i] ?? null;
    if (answer === null || (label !== undefined && labels.has(label)) || isReadingOn(calls, answers, i))
      return [];
    return mentioned.has(answer.handle) || mentioned.has(`$${answer.handle}$`) ? [] : [i];
  });
}

/** Whether a call continues an earlier, truncated one (which stands for the whole column) at a higher `offset`. */
function isReadingOn(calls: readonly Call[], answers: readonly (ToolAnswer | null)[], at: number): boolean {
  const { name, arguments: args } = calls[at] as Call;
  if (typeof args.offset !== 'number') return false;
  return calls.slice(0, at).some((earlier, i) => {
    const answer = answers[i];
    if (answer?.kind !== 'column' || answer.next_offset === null || earlier.name !== name) return false;
    return Number(earlier.arguments.offset ?? 0) < Number(args.offset) && sameBut(earlier.arguments, args);
  });
}

/** Whether two calls have the same arguments apart from the requested page. */
function sameBut(a: Call['arguments'], b: Call['arguments']): boolean {
  const rest = ({ offset: _offset, limit: _limit, ...others }: Call['arguments']) =>
    printExactJson(Object.entries(others).sort(([x], [y]) => (x < y ? -1 : 1)));
  return rest(a) === rest(b);
}

/** Fetches the rest of a truncated column. */
async function readOn(
  first: ToolAnswer,
  next: (offset: string) => Promise<ToolAnswer | CallFailure>,
): Promise<ToolAnswer | CallFailure> {
  if (first.kind !== 'column' || first.next_offset === null) return first;
  const values = [...first.values];
  for (let at: number | null = first.next_offset; at !== null; ) {
    const page = await next(String(at));
    if ('failure' in page || page.kind !== 'column') return page;
    values.push(...page.values);
    at = page.next_offset;
  }
  return { ...first, values, row_count: values.length, truncated: false, next_offset: null };
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

type Described = Pick<FormulationContract, 'name' | 'title' | 'summary'>;

/** A formulation whose calls are tools that transform tables, columns and values. */
export function toolChain(described: Described): FormulationContract {
  const routeOf = (service: CalledService, tool: string) => ({
    method: 'POST' as const,
    path: `${toolRoot(service, described.name)}/${encodeURIComponent(tool)}`,
  });
  const requestOf = (service: CalledService, call: SentCall) => ({
    ...routeOf(service, call.name),
    query: [],
    body: call.arguments ?? {},
  });
  return {
    ...described,
    calls: 'chain',
    everyQuestion: true,
    routeOf,
    requestOf,
    replay: (service, calls, context) =>
      replayChain(calls, { ...context, requestOf: (call) => requestOf(service, call) }),
    factsOf(body) {
      const handle = /^\{"kind":"\w+","handle":"([^"\\]*)"/.exec(body)?.[1] ?? null;
      return { rows: body.startsWith('{"kind":"value"') ? 1 : rowCount(body, 'first'), handle };
    },
  };
}

export function toolRoot({ split, db }: Pick<CalledService, 'split' | 'db'>, name: Formulation): string {
  return `${domainPath(split, db)}/${name}`;
}

/** A handful of general table tools. */
export const slot = toolChain({
  name: 'slot',
  title: 'SLOT',
  summary: 'General operations whose arguments name columns',
});

/** The SLOT tools with every choice bound into a separate tool. */
export const sel = toolChain({
  name: 'sel',
  title: 'SEL',
  summary: 'The same operations, one tool for each condition, aggregation, transformation and column',
});
