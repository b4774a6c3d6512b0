import { assembleAnswer, mapReferences, usedLabels } from '../../contracts/assemble-answer.ts';
import { domainPath } from '../../contracts/domain-path.ts';
import { parseExactJson, printExactJson } from '../../contracts/exact-json.ts';
import { parameterText } from '../../contracts/parameter-text.ts';
import { problem } from '../../contracts/problem.ts';
import type { Call, Sample } from '../../contracts/sample.ts';
import { type Endpoint, restAnswer, type Service } from '../../contracts/service.ts';
import { type ToolAnswer, toolAnswer } from '../../contracts/tools.ts';
import type { Row } from '../../contracts/value.ts';
import { startCall, startTablesOf } from '../../eval/calls/start-tables.ts';
import type { Replay, ReplayResult } from '../../eval/score/replay.ts';
import type { buildApp } from '../../services/index.ts';

type App = Awaited<ReturnType<typeof buildApp>>;

/**
 * Replays calls in-process, through the app that would serve them: REST calls one by one, of which the last gives
 * the rows; SLOT and SEL calls with `$label$` replaced by the handle that was answered. A call that fails is
 * left out, and so is whatever refers to it.
 */
export function farmReplay(app: App, services: readonly Service[]): Replay {
  const endpoints = new Map(
    services.flatMap(({ db, endpoints: all }) => all.map((e) => [`${db} ${e.operation_id}`, e])),
  );
  const splits = new Map(services.map(({ db, split }) => [db, split]));
  const starts = new Map<string, Promise<ToolAnswer | string>>();

  return (sample, calls) => {
    const db = sample.dataset_name;
    if (sample.formulation === 'rest')
      return replayRest(app, calls, (name) => endpoints.get(`${db} ${name}`));
    const base = `${domainPath(splits.get(db) ?? '', db)}/${sample.formulation}`;
    return replayTools(app, base, sample, calls, (call) => {
      const key = `${base} ${printExactJson(call.arguments)}`;
      const known = starts.get(key) ?? callTool(app, base, call, call.arguments);
      starts.set(key, known);
      return known;
    });
  };
}

async function replayRest(
  app: App,
  calls: readonly Call[],
  find: (name: string) => Endpoint | undefined,
): Promise<ReplayResult> {
  let result: ReplayResult | null = null;
  let refused: string | null = null;
  for (const { name, arguments: args } of calls) {
    const endpoint = find(name);
    const made = endpoint ? await callEndpoint(app, endpoint, args) : `There is no tool ${name}.`;
    if (typeof made === 'string') refused ??= made;
    else result = made;
  }
  return result ?? { error: refused ?? 'No call was made.' };
}

/** What a call answers, or why it was refused. */
async function callEndpoint(
  app: App,
  endpoint: Endpoint,
  args: Call['arguments'],
): Promise<ReplayResult | string> {
  const response = await app.inject({ method: 'GET', url: `${endpoint.path}?${queryString(args)}` });
  if (response.statusCode !== 200) return failure(endpoint.operation_id, response);
  const { data, truncated, row_count } = restAnswer.parse(parseExactJson(response.body));
  if (truncated) return { error: `${endpoint.operation_id} answered the first ${row_count} rows only.` };
  // By name: an object's own order puts keys that look like numbers first.
  return { rows: data.map((row): Row => endpoint.columns.map(({ name }) => row[name] ?? null)) };
}

async function replayTools(
  app: App,
  base: string,
  sample: Sample,
  calls: readonly Call[],
  startTable: (call: Call) => Promise<ToolAnswer | string>,
): Promise<ReplayResult> {
  const handles = new Map<string, string>();
  for (const start of startTablesOf(sample)) {
    const made = await startTable(startCall(sample, start));
    if (typeof made === 'string') throw new Error(made);
    handles.set(start.label, made.handle);
  }
  const answers: (ToolAnswer | null)[] = [];
  let error: string | null = null;
  for (const call of calls) {
    const args = mapReferences(call.arguments, (label) => {
      const handle = handles.get(label);
      return handle === undefined ? undefined : `$${handle}$`;
    });
    const made = await callTool(app, base, call, args as Call['arguments']);
    answers.push(typeof made === 'string' ? null : made);
    if (typeof made === 'string') error ??= made;
    else if (call.label !== undefined) handles.set(call.label, made.handle);
  }
  const given = answers.map((answer) => answer?.handle ?? null);
  const rows = finalRows(calls, answers);
  if (rows !== null) return { rows, handles: given };
  return { error: error ?? 'The last results do not make rows.', handles: given };
}

/** The rows of those results that no other call refers to, be it by label or by handle. */
function finalRows(calls: readonly Call[], answers: readonly (ToolAnswer | null)[]): Row[] | null {
  const labels = usedLabels(calls);
  const mentioned = new Set(calls.flatMap(({ arguments: args }) => textsIn(args)));
  const last = calls.flatMap(({ name, label }, i) => {
    const answer = answers[i] ?? null;
    if (answer === null || (label !== undefined && labels.has(label))) return [];
    if (mentioned.has(answer.handle) || mentioned.has(`$${answer.handle}$`)) return [];
    return [{ call: { name, arguments: {} }, answer }];
  });
  return assembleAnswer(
    last.map(({ call }) => call),
    last.map(({ answer }) => answer),
  );
}

/** One call and, where its answer is a column too long for one answer, the rest of it; or why it failed. */
async function callTool(
  app: App,
  base: string,
  { name }: Call,
  args: Call['arguments'],
): Promise<ToolAnswer | string> {
  const send = async (query: string): Promise<ToolAnswer | string> => {
    const response = await app.inject({
      method: 'POST',
      url: `${base}/${encodeURIComponent(name)}${query}`,
      payload: printExactJson(args),
      headers: { 'content-type': 'application/json' },
    });
    return response.statusCode === 200
      ? toolAnswer.parse(parseExactJson(response.body))
      : failure(name, response);
  };
  const first = await send('?preview=0');
  if (typeof first === 'string' || first.kind !== 'column' || first.next_offset === null) return first;
  const values = [...first.values];
  for (let at: number | null = first.next_offset; at !== null; ) {
    const page = await send(`?offset=${at}`);
    if (typeof page === 'string' || page.kind !== 'column') return page;
    values.push(...page.values);
    at = page.next_offset;
  }
  return { ...first, values, row_count: values.length, truncated: false, next_offset: null };
}

/** What the service said; a fault of its own is thrown, for it is not the agent's. */
function failure(name: string, response: { statusCode: number; json(): unknown; body: string }): string {
  const read = problem.safeParse(readBody(response));
  const detail = read.success ? read.data.detail : response.body.slice(0, 200);
  const message = `${name}: ${response.statusCode} ${detail}`;
  if (response.statusCode >= 500 && response.statusCode !== 504) throw new Error(message);
  return message;
}

function readBody(response: { json(): unknown }): unknown {
  try {
    return response.json();
  } catch {
    return null;
  }
}

function queryString(args: Call['arguments']): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(args)) {
    for (const item of Array.isArray(value) ? value : [value])
      if (item !== null) query.append(key, textOf(item));
  }
  return query.toString();
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? printExactJson(value) : parameterText(value);
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
