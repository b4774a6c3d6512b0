import { QueryError } from '../../../contracts/errors.ts';
import { parseExactJson } from '../../../contracts/exact-json.ts';
import { addressOf } from '../../../contracts/formulations/call-request.ts';
import { FORMULATIONS } from '../../../contracts/formulations/registry.ts';
import { startCalls } from '../../../contracts/formulations/start-calls.ts';
import { sameRows } from '../../../contracts/same-rows.ts';
import type { Call, Sample } from '../../../contracts/sample.ts';
import type { Endpoint, Service } from '../../../contracts/service.ts';
import {
  type Contradiction,
  contradiction,
  type FaultWitness,
  type OtherEndpoint,
  type ProvenFault,
  type ProvenFaults,
  type QuestionFact,
  silentFaultKind,
} from '../../../contracts/silent-fault.ts';
import { type TableAnswer, tableAnswer } from '../../../contracts/tools.ts';
import { answerHash } from '../../../services/agents/faults/silent/answer-hash.ts';
import { rowsOf, type Spoiling, spoilAnswer } from '../../../services/agents/faults/silent/spoil-answer.ts';
import type { GoldQuery } from '../gold-answers.ts';
import { type InjectableApp, type PlayOptions, playCalls } from '../play/play-calls.ts';
import { findContradictions, type Surroundings } from './find-contradictions.ts';
import { holds } from './holds.ts';
import { questionFacts } from './question-facts.ts';
import { recordingApp, replayedApp } from './recorded-app.ts';
import { endpointsOfSameRows as endpointsOfSameRows } from './same-rows.ts';

export interface SilentFaultContext {
  readonly service: Service;
  /** The domain over its original data. */
  readonly app: InjectableApp;
  /** The domain over neighbours' data, for stale rows. */
  readonly neighbours: readonly InjectableApp[];
  /** The sample's gold query, and the words that it was made from. */
  readonly gold: GoldQuery | undefined;
}

/** With the call by which another endpoint is asked. */
interface ProvenSurroundings extends Surroundings {
  readonly other?: (NonNullable<Surroundings['other']> & { readonly call: OtherEndpoint }) | undefined;
}

/** A longer answer is left as it is: no agent reads all of it, and each fault in it is computed here. */
const MAX_ANSWER = 20_000;
/** Each is asked on every database. */
const MOST_OTHERS = 5;
/** Stale rows are kept with the task. */
const MAX_STALE = 2_000;

/**
 * The silent faults that the answers on a kept sample's way can have, all in the first answer that can have any: each
 * makes the final rows wrong for an agent that trusts it, and contradicts something else that the agent has or can ask for;
 * the true answer contradicts none of it. null when there are none.
 */
export async function proveSilentFaults(
  sample: Sample,
  context: SilentFaultContext,
): Promise<ProvenFaults | null> {
  const { service, app, neighbours } = context;
  // Whose columns depend on the call has nothing to be told by.
  if (sample.output.some((call) => !endpointOf(call, sample, service)) && isSingle(sample)) return null;
  const played = await record(sample, service, app);
  if (!played) return null;
  const starts = startCalls(sample.initialization_step).length;
  const spoilable = sample.output.flatMap((call, i) => {
    const exchange = played.texts[i + starts];
    const isSpoilable = exchange && exchange.text.length <= MAX_ANSWER && rowsOf(exchange.text) !== null;
    return isSpoilable ? [{ call, i, ...exchange }] : [];
  });
  if (spoilable.length === 0) return null;
  const stale: (readonly string[])[] = [];
  for (const neighbour of neighbours) {
    const other = await record(sample, service, neighbour, { previews: spoilable.map(({ call }) => call) });
    if (other) stale.push(other.texts.map(({ text }) => text));
  }
  for (const { call, i, text, key } of spoilable) {
    const endpoint = endpointOf(call, sample, service);
    const other = endpoint && (await findOther(endpoint, call, context));
    const surroundings: ProvenSurroundings = {
      endpoint,
      table: readFrom(call, sample, played.texts.slice(starts)),
      other,
      facts: factsOf(sample, i, endpoint, context.gold),
    };
    const breaksAnswer = async (spoilt: string) => {
      const rows = await finalRows(sample, service, replayedApp(played.texts, { key, text: spoilt }));
      return rows !== null && !sameRows(sample.gold_answer, rows, sample.order_groups);
    };
    const found = await proveAnswer(
      text,
      surroundings,
      stale.map((texts) => texts[i + starts] ?? ''),
      breaksAnswer,
    );
    if (found)
      return { tool: call.name, answer: answerHash(text), ...found, ...witnessing(found, surroundings) };
  }
  return null;
}

async function proveAnswer(
  text: string,
  surroundings: Surroundings,
  staleTexts: readonly string[],
  breaksAnswer: (spoilt: string) => Promise<boolean>,
): Promise<Pick<ProvenFaults, 'faults' | 'stale_rows'> | null> {
  const truth = findContradictions(parseExactJson(text), surroundings);
  const staleRows = staleTexts
    .flatMap((each) => rowsOf(each) ?? [])
    .filter(({ length }) => length <= MAX_STALE);
  const columns = surroundings.endpoint?.columns.map(({ name }) => name) ?? [undefined];
  const faults: ProvenFault[] = [];
  let chosen: string | undefined;
  const proves = async (spoiling: Spoiling): Promise<boolean> => {
    const spoilt = spoilAnswer(text, spoiling);
    if (spoilt === null) return false;
    const told = findContradictions(parseExactJson(spoilt), surroundings).filter(
      (each) => !truth.includes(each),
    );
    const witnesses = witnessesOf(told, spoiling.contradiction);
    if (!witnesses || !(await breaksAnswer(spoilt))) return false;
    const { fault, contradiction: kind, column } = spoiling;
    faults.push({ fault, contradiction: kind, ...(column === undefined ? {} : { column }), witnesses });
    return true;
  };
  for (const fault of silentFaultKind.options) {
    for (const kind of contradiction.options) {
      if (fault === 'stale_rows') {
        for (const stale_rows of chosen === undefined ? staleRows : [chosen]) {
          if (await proves({ fault, contradiction: kind, stale_rows })) {
            chosen = stale_rows;
            break;
          }
        }
        continue;
      }
      const inColumn = fault === 'shifted_rows' || fault === 'wrong_unit';
      for (const column of inColumn ? columns : [undefined]) {
        const spoiling = { fault, contradiction: kind, ...(column === undefined ? {} : { column }) };
        if (await proves(spoiling)) break;
      }
    }
  }
  if (faults.length === 0) return null;
  return { faults, ...(chosen === undefined ? {} : { stale_rows: chosen }) };
}

/** What is kept with the faults that are told by it: the call of the other endpoint, and what the question says. */
function witnessing(
  { faults }: Pick<ProvenFaults, 'faults'>,
  { other, facts = [] }: ProvenSurroundings,
): Pick<ProvenFaults, 'other_endpoint' | 'question_facts'> {
  const told = new Set(faults.flatMap(({ witnesses }) => witnesses));
  return {
    ...(other && told.has('other_endpoint') ? { other_endpoint: other.call } : {}),
    ...(told.has('question') ? { question_facts: [...facts] } : {}),
  };
}

/** What tells of a fault, if that is how it is to be told. Without any other witness there is the same call again. */
function witnessesOf(told: readonly FaultWitness[], kind: Contradiction): FaultWitness[] | null {
  const explicit = told.some((witness) => witness === 'row_count' || witness === 'schema');
  if (explicit !== (kind === 'explicit')) return null;
  return told.length === 0 ? ['repeat'] : [...told];
}

function isSingle({ formulation }: Sample): boolean {
  return FORMULATIONS[formulation].calls === 'single';
}

/** SEL has tools that are called as an endpoint is. */
function endpointOf({ name }: Call, { formulation }: Sample, { endpoints }: Service) {
  return formulation === 'rest' ? endpoints.find(({ operation_id }) => operation_id === name) : undefined;
}

/** The table that a call reads a whole column of, as an earlier call was answered with it. */
function readFrom(
  { arguments: args }: Call,
  { output }: Sample,
  texts: readonly { readonly text: string }[],
): TableAnswer | undefined {
  const { data_source: source, distinct = false, limit = -1, offset = 0 } = args;
  if (typeof source !== 'string' || distinct !== false || limit !== -1 || offset !== 0) return undefined;
  const at = output.findIndex(({ label }) => label !== undefined && source === `$${label}$`);
  const answered = texts[at];
  return answered && tableAnswer.safeParse(parseExactJson(answered.text)).data;
}

async function record(sample: Sample, service: Service, app: InjectableApp, options: PlayOptions = {}) {
  const recording = recordingApp(app);
  return (await finalRows(sample, service, recording.app, options)) && recording;
}

async function finalRows(sample: Sample, service: Service, app: InjectableApp, options: PlayOptions = {}) {
  try {
    return (await playCalls(app, service, sample, options)).rows;
  } catch (error) {
    if (error instanceof QueryError) return null;
    throw error;
  }
}

/** Another endpoint that reads the same rows, asked: one whose answers agree with the call's on every database. */
async function findOther(
  endpoint: Endpoint,
  { arguments: args }: Call,
  { service, app, neighbours }: SilentFaultContext,
): Promise<ProvenSurroundings['other']> {
  for (const { endpoint: found, tells, columns } of endpointsOfSameRows(endpoint, service.endpoints).slice(
    0,
    MOST_OTHERS,
  )) {
    const names = found.parameters.map(({ name }) => name);
    const own = Object.fromEntries(Object.entries(args).filter(([name]) => names.includes(name)));
    const call: OtherEndpoint = { tool: found.operation_id, arguments: own, tells, columns };
    const agrees = async (on: InjectableApp) => {
      const [mine, theirs] = [await ask(on, service, endpoint, args), await ask(on, service, found, own)];
      const isTold = mine !== null && theirs !== null;
      return (
        isTold && !findContradictions(mine, { other: { ...call, body: theirs } }).includes('other_endpoint')
      );
    };
    const bodies = await Promise.all([app, ...neighbours].map(agrees));
    if (bodies.every(Boolean)) return { tells, columns, body: await ask(app, service, found, own), call };
  }
  return undefined;
}

/** The answer of an endpoint, parsed; null for none. */
async function ask(
  app: InjectableApp,
  service: Service,
  { operation_id: name }: Endpoint,
  args: Call['arguments'],
): Promise<unknown> {
  const request = FORMULATIONS.rest.requestOf(service, { name, arguments: args });
  const { statusCode, body } = await app.inject({ method: request.method, url: addressOf(request) });
  return statusCode === 200 ? parseExactJson(body) : null;
}

/** What the question says of the answer to a call: of an endpoint's, or of the last one where the gold is one column. */
function factsOf(
  { gold_answer: rows, gold_columns, output }: Sample,
  at: number,
  endpoint: Endpoint | undefined,
  gold: GoldQuery | undefined,
): QuestionFact[] {
  const isWhole = endpoint ? endpoint.columns.length === gold_columns.length : gold_columns.length === 1;
  if (!gold || !isWhole || at !== output.length - 1) return [];
  const names = endpoint ? endpoint.columns.map(({ name }) => name) : [null];
  const shown = rows.map((row) => Object.fromEntries(row.map((value, i) => [names[i] ?? '', value])));
  // What a question seems to say is no fact where the true answer is otherwise.
  return questionFacts(gold.query, gold.question, names).filter((fact) => holds(fact, shown));
}
