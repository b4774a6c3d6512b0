import { type Rookery, RookeryError } from '../../client/index.ts';
import { nameSeenFrom } from '../../contracts/dialogue.ts';
import { FORMULATIONS } from '../../contracts/formulations.ts';
import type { PredictedTurn, TaskPart } from '../../contracts/prediction.ts';
import type { Call, Sample } from '../../contracts/sample.ts';
import { ASK_USER } from '../../contracts/scripted-user.ts';
import { isOfChanges } from '../../contracts/vocabulary.ts';
import type { Agent, AgentContext, Attempt, TurnScript } from '../agents/agent.ts';
import { AttemptEnd, BudgetMeter, type Limits, limitsFor } from '../attempt/budget.ts';
import { type CompletionClient, ModelSession, type Turn } from '../attempt/model-session.ts';
import { AttemptSpans } from '../attempt/spans.ts';
import { type MadeCall, type Padding, ToolSession } from '../attempt/tool-session.ts';
import type { ComposedDialogue, RunTask } from '../categories/composition.ts';
import { CostLimitError } from '../control/spending.ts';
import type { RunConfig } from '../files/run-config.ts';
import type { RunFolder } from '../files/run-folder.ts';
import type { AttemptOutcome, SampleRecord } from '../files/run-records.ts';
import { ModelError } from '../models/failures.ts';
import type { Model, ModelTool } from '../models/model.ts';
import type { PromptPack } from '../prompts/prompt-pack.ts';
import { neededCalls } from './estimate-cell.ts';
import { type OfferedLists, type OfferedTools, offeredCall, wholeList } from './offered-tools.ts';
import { apiUseOf, predictionCalls, revealedCalls } from './recorded-calls.ts';

export interface AttemptEnvironment {
  readonly farm: Rookery;
  /** Whether to report to the farm how attempts end. */
  readonly keepsRecords: boolean;
  readonly config: RunConfig;
  readonly agent: Agent;
  readonly model: Pick<Model, 'id' | 'transport'> | null;
  readonly obtain: CompletionClient;
  /** The model behind tools of the agent's own. */
  readonly inner:
    | (Pick<AttemptEnvironment, 'obtain'> & { readonly model: Pick<Model, 'id' | 'transport'> })
    | null;
  readonly lists: OfferedLists;
  readonly prompts: PromptPack;
  readonly examplesFor: (task: RunTask) => string;
  readonly gold: (sampleId: string) => Sample;
  readonly knowsGold: boolean;
  readonly data: AgentContext['data'];
  readonly runProgram: AgentContext['runProgram'];
  readonly folder: RunFolder;
}

/** Maximum characters of a response that the log contains inline. */
const SHOWN_IN_LOG = 2000;

/** Runs one attempt at a task. Throws only a fatal ModelError, a CostLimitError, or on abort. */
export async function runAttempt(
  task: RunTask,
  epoch: number,
  environment: AttemptEnvironment,
  signal: AbortSignal,
): Promise<SampleRecord> {
  const { farm, config, agent, folder } = environment;
  const at = new Date().toISOString();
  const limits = limitsFor(
    config.budget,
    neededCalls(task, config.list, environment.knowsGold ? environment.gold : null),
  );
  const meter = new BudgetMeter(limits);
  const spans = new AttemptSpans({
    agent: config.agent,
    model: environment.model?.id ?? '',
    attributes: { 'rookery.sample_id': task.sample_id, 'rookery.epoch': epoch },
  });
  const common = {
    meter,
    origin: {
      sampleId: task.sample_id,
      epoch,
      offeredCall: (call: Pick<Call, 'name' | 'arguments'>) => offeredCall(call, offered),
    },
    decoding: config.decoding,
    signal,
    spans,
    due: dueIn(task, config),
  };
  const model = new ModelSession({
    ...common,
    model: environment.model ?? { id: '', transport: 'chat' },
    obtain: environment.obtain,
  });
  const done: PredictedTurn[] = [];
  let session: ToolSession | null = null;
  let inner: readonly MadeCall[] | null = null;
  let offered: OfferedTools = NOTHING_OFFERED;
  const end = (outcome: AttemptOutcome, attempt: Attempt, more: Partial<SampleRecord> = {}) => {
    const record = toRecord({
      task,
      epoch,
      at,
      outcome,
      attempt,
      offered,
      config,
      folder,
      turns: model.turns,
      said: done,
      made: session?.calls ?? null,
      inner,
      more,
    });
    const { input_tokens, output_tokens } = record;
    spans.end(
      {
        'rookery.outcome': outcome,
        'gen_ai.usage.input_tokens': input_tokens,
        'gen_ai.usage.output_tokens': output_tokens,
      },
      outcome === 'answered' ? null : (record.error?.kind ?? outcome),
    );
    return record;
  };
  const innerCalls = async () =>
    session === null || ['list', 'search'].includes(config.list.via) ? null : session.innerCalls();
  const changes = async () => (session === null || !isOfChanges(task.formulation) ? {} : session.changes());
  try {
    offered = await environment.lists.of(task);
    const context: AgentContext = {
      task,
      epoch,
      seed: config.seed,
      tools: offered.tools,
      callable: offered.callable,
      settings: config.settings,
      prompts: environment.prompts,
      examples: environment.examplesFor(task),
      model,
      inner: environment.inner && new ModelSession({ ...common, ...environment.inner, turns: model.turns }),
      openRun: async ({ answerTool = false } = {}) => {
        session ??= new ToolSession(farm, await beginRun(task, environment, limits, answerTool), {
          meter,
          spans,
          // Single calls return all rows, without a preview.
          preview:
            FORMULATIONS[task.formulation].calls === 'chain' ? (config.settings.preview ?? null) : null,
          padding: await paddingOf(task, environment),
        });
        if (task.composition !== undefined)
          session.offered ??= new Set(offered.tools.map(({ name }) => name));
        return session;
      },
      golds: () => goldsOf(task, model.due, environment),
      offeredCall: (call) => offeredCall(call, offered),
      data: environment.data,
      runProgram: environment.runProgram,
      signal,
    };
    const attempt =
      task.composition?.dialogue === undefined
        ? await agent.attempt(context)
        : await holdDialogue(task.composition.dialogue, done, { agent, context, offered, meter });
    await submitAnswer(environment.keepsRecords ? session : null, attempt, model.turns);
    inner = await innerCalls();
    return end('answered', attempt, await changes());
  } catch (error) {
    if (signal.aborted) spans.end({}, 'aborted');
    signal.throwIfAborted();
    if (error instanceof CostLimitError || (error instanceof ModelError && error.fatal)) {
      spans.end({}, error.name);
      throw error;
    }
    inner = await innerCalls().catch(() => null);
    if (error instanceof AttemptEnd) {
      await submitAnswer(
        environment.keepsRecords ? session : null,
        { rawOutput: `ended: ${error.message}` },
        model.turns,
      );
      return end(error.end, {}, { reason: error.message });
    }
    const message = error instanceof Error ? error.message : String(error);
    await submitAnswer(environment.keepsRecords ? session : null, {}, model.turns, message);
    return end('error', {}, { error: { kind: kindOf(error), message }, reason: message });
  }
}

/** Rows of each table that answers are padded with. */
const MOST_ROWS = 100;

async function paddingOf({ db }: RunTask, { config, data }: AttemptEnvironment): Promise<Padding | null> {
  const { pad_answers: characters } = config.settings;
  return characters === undefined ? null : { records: await data().firstRows(db, MOST_ROWS), characters };
}

const NOTHING_OFFERED: OfferedTools = {
  tools: [],
  callable: [],
  checksum: '',
  whole: true,
  real: new Map(),
  viaSearch: false,
  hasPaths: true,
};

/** The expected results of an attempt's replies. */
function dueIn({ sample_id, composition }: RunTask, { list }: RunConfig): TaskPart[] {
  if (composition !== undefined) return composition.parts.map(partOf);
  return list.withhold === 'gold' ? [] : [{ sample_id }];
}

function partOf({ sample_id, arguments: args }: TaskPart): TaskPart {
  return { sample_id, ...(args === undefined ? {} : { arguments: args }) };
}

/** The calls are named as the task's run names them. */
function goldsOf({ db }: RunTask, due: readonly TaskPart[], { gold }: AttemptEnvironment): Sample[] {
  return due.map(({ sample_id, arguments: args }) => {
    const sample = gold(sample_id);
    if (args === undefined && sample.dataset_name === db) return sample;
    const output = sample.output.map((call) => ({
      ...call,
      name: nameSeenFrom(db, sample.dataset_name, call.name),
      ...(args === undefined ? {} : { arguments: args }),
    }));
    return { ...sample, output };
  });
}

function kindOf(error: unknown): string {
  if (error instanceof ModelError) return error.kind;
  return error instanceof RookeryError ? 'farm' : 'agent';
}

async function beginRun(
  { sample_id, composition }: RunTask,
  { farm, config, model }: AttemptEnvironment,
  limits: Limits,
  answerTool: boolean,
) {
  const { list, faults, settings } = config;
  return farm.run({
    // The farm has single tasks only; a composed one runs as its first, and the runner decides what is
    // offered.
    ...(composition === undefined ? list : wholeList(list)),
    sample_id: composition?.dialogue ? sample_id : (composition?.parts[0]?.sample_id ?? sample_id),
    agent: config.agent.slice(0, 200),
    ...(model === null ? {} : { model: model.id.slice(0, 200) }),
    // The farm counts calls and seconds too; its limits are looser so that the runner ends the attempt first.
    budget: { calls: limits.calls * 2 + 100, seconds: limits.seconds + 60 },
    ...(faults === 'none' ? {} : { faults }),
    evidence: settings.evidence,
    ...(settings.glossary ? { glossary: true } : {}),
    answer_tool: answerTool,
  });
}

/** Submits the answer to the farm, which completes its records. Failures are ignored. */
async function submitAnswer(
  session: ToolSession | null,
  { answer, rawOutput }: Attempt,
  turns: readonly Turn[],
  error?: string,
): Promise<void> {
  if (session === null || session.answered) return;
  const more = {
    loops: loopsOf(turns),
    input_tokens: sum(turns, 'input'),
    output_tokens: sum(turns, 'output'),
    cost: costOf(turns),
    ...(rawOutput === undefined ? {} : { raw_output: rawOutput }),
    ...(error === undefined ? {} : { error }),
  };
  await session.submit(answer ?? null, more).catch(() => {});
}

interface Ended {
  readonly task: RunTask;
  readonly epoch: number;
  readonly at: string;
  readonly outcome: AttemptOutcome;
  readonly attempt: Attempt;
  readonly offered: OfferedTools;
  readonly config: RunConfig;
  readonly folder: RunFolder;
  readonly turns: readonly Turn[];
  readonly said: readonly PredictedTurn[];
  readonly made: readonly MadeCall[] | null;
  /** The calls that programs and requests have made; null where the agent makes them itself. */
  readonly inner: readonly MadeCall[] | null;
  readonly more: Partial<SampleRecord>;
}

function toRecord(ended: Ended): SampleRecord {
  const { task, epoch, at, outcome, attempt, offered, config, folder, turns, said, made, inner, more } =
    ended;
  const modelMs = turns.reduce((total, { latency_ms }) => total + latency_ms, 0);
  const executionMs = (made ?? []).reduce((total, { latencyMs }) => total + latencyMs, 0);
  const own = inner ?? made;
  const called = own === null ? null : predictionCalls(own, offered);
  const written = attempt.rawOutput === undefined ? null : revealedCalls(attempt.rawOutput, offered);
  const calls = attempt.calls ?? called ?? written;
  return {
    sample_id: task.sample_id,
    epoch,
    db: task.db,
    formulation: task.formulation,
    outcome,
    reason: null,
    error: null,
    answer: attempt.answer ?? null,
    sql: attempt.sql ?? null,
    raw_output: attempt.rawOutput ?? null,
    calls: calls === null ? null : [...calls],
    recorded: made !== null,
    diff: null,
    broken_rules: null,
    composed:
      task.composition === undefined
        ? null
        : {
            parts: task.composition.parts.map(partOf),
            turns: task.composition.dialogue === undefined ? null : [...said],
          },
    made: (made ?? []).map(({ name, arguments: args, status, ok, handle, text, latencyMs, fault }) => ({
      name,
      arguments: args,
      status,
      ok,
      handle,
      latency_ms: latencyMs,
      fault,
      answer: text.slice(0, SHOWN_IN_LOG),
      answer_hash: folder.keepText(text, SHOWN_IN_LOG),
    })),
    turns: [...turns],
    loops: loopsOf(turns),
    input_tokens: sum(turns, 'input'),
    output_tokens: sum(turns, 'output'),
    cached_tokens: sum(turns, 'cached_input'),
    reasoning_tokens: sum(turns, 'reasoning'),
    cost: costOf(turns),
    latency_s: (modelMs + executionMs) / 1000,
    model_s: modelMs / 1000,
    execution_s: executionMs / 1000,
    api_use:
      task.formulation === 'hybrid'
        ? apiUseOf(task, own ?? [], (name) => offered.real.get(name)?.name ?? name)
        : null,
    tools: offered.whole || offered.real.size > 0 ? null : offered.tools.map(({ name }) => name),
    tools_checksum: offered.checksum,
    withheld: config.list.withhold === 'gold',
    at,
    ...more,
  };
}

function loopsOf(turns: readonly Turn[]): number {
  return turns.filter(({ inner }) => !inner).length;
}

/** null if no turn has a price. */
function costOf(turns: readonly Turn[]): number | null {
  const costs = turns.map(({ cost }) => cost).filter((cost) => cost !== null);
  return costs.length === 0 ? null : costs.reduce((total, cost) => total + cost, 0);
}

function sum(turns: readonly Turn[], kind: keyof Turn['usage']): number | null {
  const known = turns.map(({ usage }) => usage[kind]).filter((count) => count !== null);
  return known.length === 0 ? null : known.reduce((total, count) => total + count, 0);
}

export interface TurnsContext {
  readonly agent: Agent;
  readonly context: AgentContext;
  readonly offered: OfferedTools;
  readonly meter: BudgetMeter;
}

/** Messages without an answer that an agent may send in one turn. */
const MOST_QUESTIONS = 6;

/**
 * Holds a dialogue of the farm, whose user replies at its run. A message that asks instead of answering gets a reply.
 * `done` records each turn as it happens, since the attempt may end early: turns that were not reached have no calls
 * or answer.
 */
export async function holdDialogue(
  dialogue: ComposedDialogue,
  done: PredictedTurn[],
  { agent, context, offered, meter }: TurnsContext,
): Promise<Attempt> {
  if (agent.begin === undefined) {
    throw new TypeError(`the agent ${agent.name} does not support conversations`);
  }
  const { said, missing } = dialogue;
  done.push(...said.map(({ sample_id, expects }) => ({ sample_id, expects })));
  const conversation = agent.begin(context);
  const isMissing = ({ name }: ModelTool) => (offered.real.get(name)?.name ?? name) === missing;
  const foundAt = said.findIndex(({ expects }) => expects === 'no_call') + 1;
  const opened = await context.openRun();
  for (const [i, { text: message, sample_id, expects, at }] of said.entries()) {
    const tools = i < foundAt ? offered.tools.filter((tool) => !isMissing(tool)) : offered.tools;
    opened.offered = new Set(tools.map(({ name }) => name));
    context.model.due = expects === 'answer' ? [{ sample_id }] : [];
    meter.beginTurn();
    const from = opened.calls.length;
    const questions: string[] = [];
    const record = (attempt: Attempt, changes: Pick<PredictedTurn, 'diff' | 'broken_rules'> = {}) => {
      const asked = questions.map((question) => ({ name: ASK_USER, arguments: { question } }));
      const calls = attempt.calls ?? predictionCalls(opened.calls.slice(from), offered);
      done[i] = { ...predictedTurn({ sample_id, expects }, attempt, [...asked, ...calls]), ...changes };
    };
    let attempt: Attempt = {};
    try {
      for (let text = withEvidence(message, i, context); ; ) {
        const turn = { text, tools, golds: context.golds, script: scriptOf(dialogue, at) };
        attempt = await conversation.say(turn);
        const question = questions.length < MOST_QUESTIONS ? questionIn(attempt) : null;
        if (question === null) break;
        questions.push(question);
        text = (await opened.say({ text: question })) ?? '';
      }
      record(attempt, isOfChanges(context.task.formulation) ? await opened.changes() : {});
    } catch (error) {
      record({});
      throw error;
    }
    // The user's turn goes on until its tool is there.
    if (expects === 'answer') await opened.say({ answer: attempt.answer ?? null });
  }
  return { answer: done.map(({ answer }) => answer ?? null) };
}

function predictedTurn(
  turn: Pick<PredictedTurn, 'sample_id' | 'expects'>,
  { answer, rawOutput }: Attempt,
  calls: readonly unknown[],
): PredictedTurn {
  return { ...turn, calls: [...calls], answer: answer ?? null, raw_output: rawOutput ?? null };
}

function scriptOf({ turns, user }: ComposedDialogue, index: number): TurnScript {
  return {
    number: index + 1,
    alone: turns[index]?.alone ?? null,
    slots: user.slots.filter(({ turn }) => turn <= index + 1),
    missing: user.slots.filter(({ turn, withheld }) => withheld && turn === index + 1),
  };
}

/** The question that a message asks in place of an answer; null if it answers. */
function questionIn({ answer }: Attempt): string | null {
  return typeof answer === 'string' && /\?\s*$/.test(answer) ? answer : null;
}

/** The evidence is only given in the first turn. */
function withEvidence(text: string, turn: number, { task }: AgentContext): string {
  return turn === 0 && task.evidence
    ? `${text}\nWhat the words of the questions mean: ${task.evidence}`
    : text;
}
