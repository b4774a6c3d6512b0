import { problem } from '../../contracts/api.ts';
import { parseExactJson, printExactJson } from '../../contracts/exact-json.ts';
import { addressOf, bodyText, type ReplayContext } from '../../contracts/formulation.ts';
import { FORMULATIONS } from '../../contracts/formulations.ts';
import { getterNames } from '../../contracts/getters.ts';
import { atShare, printShare } from '../../contracts/hybrid.ts';
import { toJsonSchema } from '../../contracts/openapi.ts';
import type { Call, Formulation, Sample } from '../../contracts/sample.ts';
import type { Service } from '../../contracts/service.ts';
import { startCalls } from '../../contracts/tool-chain.ts';
import type { StartTableDefinition } from '../../contracts/tools.ts';
import { isOfChanges } from '../../contracts/vocabulary.ts';
import type { AnsweredCall, Replay } from '../../eval/attempt/attempt.ts';
import {
  type PropertySchema,
  restUniverse,
  startTablesOf,
  type ToolSchema,
  type ToolUniverse,
} from '../../eval/calls/tool-universe.ts';
import type { buildApp } from '../../services/domain/app.ts';
import type { CallAnswer, DomainCalls } from '../../services/domain/domain-calls.ts';
import { SERVED_FORMULATIONS } from '../../services/domain/formulations.ts';
import { brokenRules, netDiff } from '../../services/domain/records/diff.ts';
import { playRecords } from '../../services/domain/records/play-records.ts';
import type { ToolDefinition } from '../../services/domain/tools/arguments.ts';
import { startColumns } from '../../services/domain/tools/plan.ts';
import type { ToolSpec } from '../../services/domain/tools/tool-spec.ts';
import { getterTool, SEL_TOOLS, SLOT_TOOLS } from '../../services/domain/tools/toolboxes.ts';
import { readKeysOf } from './read-keys.ts';

type Tools = ReadonlyMap<string, ToolSchema>;

/** Every tool of a farm: its endpoints, the SLOT tools, and the SEL tools with the getters of each start table. */
export function farmUniverse(services: readonly Service[]): ToolUniverse {
  const rest = restUniverse(services);
  const slot = toolSchemas(Object.values(SLOT_TOOLS));
  const sel = toolSchemas(Object.values(SEL_TOOLS));
  const byDomain = new Map(services.map((service) => [service.db, service]));
  const withGetters = new Map<string, Tools>();
  const handles = new Map(
    services.flatMap(({ db, start_tables }) =>
      start_tables.map(({ handle, ...start }) => [keyOf(db, start), handle]),
    ),
  );

  const selTools = (sample: Sample): Tools => {
    const service = byDomain.get(sample.dataset_name);
    if (service === undefined) return sel;
    const starts = startTablesOf(sample).map(({ definition }) => definition);
    const key = starts.map((start) => keyOf(service.db, start)).join('\n');
    const known = withGetters.get(key);
    if (known !== undefined) return known;
    const keys = starts.flatMap((start) => startColumns(start, service.catalog).map((column) => column.key));
    const getters = [...getterNames(keys)].map(([column, name]) => getterTool(name, column, null));
    const tools = new Map([...sel, ...toolSchemas(getters)]);
    withGetters.set(key, tools);
    return tools;
  };

  const domainTools = toolsOfDomains();
  const atShares = new Map<string, Service>();
  const hybridTools = ({ dataset_name, plan }: Sample): Tools => {
    const service = byDomain.get(dataset_name);
    if (service === undefined || plan === undefined) return domainTools(service, 'hybrid');
    const key = `${printShare(plan)} ${dataset_name}`;
    const known = atShares.get(key) ?? atShare(service, plan);
    atShares.set(key, known);
    return domainTools(known, 'hybrid');
  };
  // REST tools include their paths; SLOT and SEL tools are shared between tasks to save memory.
  const toolsOf: Readonly<Partial<Record<Formulation, (sample: Sample) => Tools>>> = {
    rest: rest.toolsFor,
    slot: () => slot,
    sel: selTools,
    hybrid: hybridTools,
  };
  return {
    toolsFor: (sample) =>
      toolsOf[sample.formulation]?.(sample) ??
      domainTools(byDomain.get(sample.dataset_name), sample.formulation),
    startHandles(sample) {
      const known = startTablesOf(sample).map(({ label, definition }) => [
        label,
        handles.get(keyOf(sample.dataset_name, definition)),
      ]);
      return new Map(known.filter((pair): pair is [string, string] => pair[1] !== undefined));
    },
  };
}

/** Caches the tools of formulations that are the same for all tasks of a domain, or of a domain at a share. */
function toolsOfDomains(): (service: Service | undefined, formulation: Formulation) => Tools {
  const made = new Map<string, Tools>();
  return (service, formulation) => {
    if (service === undefined) return NO_TOOLS;
    const shares = service.hidden?.map(printShare).join();
    const key = `${formulation} ${service.db} ${shares}`;
    const known = made.get(key) ?? signaturesOf(SERVED_FORMULATIONS[formulation].tools(service, []));
    made.set(key, known);
    return known;
  };
}

function signaturesOf(tools: readonly ToolSpec[]): Tools {
  return new Map(
    tools.map(({ name, description, parameters: { required, properties } }) => [
      name,
      { description, required, properties: properties as Record<string, PropertySchema> },
    ]),
  );
}

const NO_TOOLS: Tools = new Map();

/** The key of a start table: its content. */
function keyOf(db: string, { condition_sequence, alias_to_table_dict }: StartTableDefinition): string {
  return JSON.stringify([db, condition_sequence, alias_to_table_dict]);
}

function toolSchemas(tools: readonly ToolDefinition[]): Tools {
  return new Map(tools.map((tool) => [tool.name, toSchema(tool)]));
}

function toSchema({ args, description }: ToolDefinition): ToolSchema {
  const { properties = {}, required = [] } = toJsonSchema(args, { io: 'input' });
  return { description, required, properties: properties as Record<string, PropertySchema> };
}

type App = Awaited<ReturnType<typeof buildApp>>;
type Send = ReplayContext['send'];

/** Only the result of the calls matters. */
const NO_PREVIEW = { preview: '0' };

/**
 * Replays calls in-process, through the app that would serve them, as their formulation defines. A failing
 * call is skipped, as are calls that refer to it. Start tables are created once for all samples that use
 * them.
 */
export function farmReplay(app: App, services: readonly Service[]): Replay {
  const byDomain = new Map(services.map((service) => [service.db, service]));
  const made = new Map<string, ReturnType<Send>>();

  return async (sample, calls, elsewhere) => {
    const domain = byDomain.get(sample.dataset_name);
    if (!domain) return { error: `The farm has no domain ${sample.dataset_name}.` };
    const service = atShare(domain, sample.plan);
    if (isOfChanges(sample.formulation)) return replayRecords(app, service, { sample, calls, elsewhere });
    const starts = startCalls(sample.initialization_step);
    const send: Send = (request, call) => {
      if (!starts.includes(call)) return sendTo(app, request, call);
      const key = `${request.path} ${printExactJson(request.body)}`;
      const known = made.get(key) ?? sendTo(app, request, call);
      made.set(key, known);
      return known;
    };
    const contract = FORMULATIONS[sample.formulation];
    const view = contract.calls === 'chain' ? { view: () => NO_PREVIEW } : {};
    const replayed = await contract.replay(service, calls, { send, starts, ...view });
    const { rows, failure, ...seen } = replayed;
    return rows ? { rows, ...seen } : { error: failure ?? 'The calls answer no rows.', ...seen };
  };
}

/** Calls that change records, made as a run of their own. */
async function replayRecords(
  app: App,
  service: Service,
  {
    sample,
    calls,
    elsewhere,
  }: {
    readonly sample: Sample;
    readonly calls: readonly Call[];
    readonly elsewhere?: readonly AnsweredCall[] | undefined;
  },
): ReturnType<Replay> {
  const keys = readKeysOf(service);
  const answeredBy = (answers: readonly CallAnswer[]) =>
    answers.map(({ status, body }, at): AnsweredCall => {
      const answer = body === '' ? null : parseExactJson(body);
      return { call: calls[at] as Call, body: status < 400 ? answer : undefined };
    });
  const { journal, answers } = await playRecords(
    app.domainCalls as DomainCalls,
    service,
    calls,
    sample.policies,
    elsewhere &&
      ((call, before) => keys.argumentsIn(call, elsewhere.slice(0, before.length), answeredBy(before))),
  );
  const answered = answeredBy(answers);
  const refusals = answers.map(({ status, body }, at) => {
    const refused = { statusCode: status, body, json: () => JSON.parse(body) as unknown };
    return status < 400 ? null : failureOf(calls[at]?.name ?? '', refused);
  });
  const guessed = keys.hasGuessed(answered, `${sample.input} ${sample.evidence}`);
  const diff = netDiff(journal);
  return { rows: [], diff, broken_rules: brokenRules(journal), refusals, answered, guessed };
}

async function sendTo(
  app: App,
  request: Parameters<Send>[0],
  { name }: Parameters<Send>[1],
): ReturnType<Send> {
  const text = bodyText(request);
  const response = await app.inject({
    method: request.method,
    url: addressOf(request),
    payload: text,
    headers: text === undefined ? undefined : { 'content-type': 'application/json' },
  });
  return response.statusCode === 200
    ? { body: parseExactJson(response.body) }
    : { failure: failureOf(name, response) };
}

/** The service's error; an internal one is thrown, since the agent is not at fault. */
function failureOf(name: string, response: { statusCode: number; json(): unknown; body: string }): string {
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

/** Gold answers are complete, so replayed ones must be; only answers too large to compare in memory are truncated. */
export const REPLAY_LIMITS = { maxRows: 1_000_000, maxBytes: 256 * 1024 * 1024 };
