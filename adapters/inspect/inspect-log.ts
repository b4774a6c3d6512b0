import { printExactJson } from '../../contracts/exact-json.ts';
import { failureClass } from '../../contracts/vocabulary.ts';
import type { Report } from '../../eval/metrics/report.ts';
import { attemptKey } from '../../runner/files/run-folder.ts';
import type { RunHeader, SampleRecord } from '../../runner/files/run-records.ts';

/**
 * A run as an `EvalLog` of Inspect AI, version 2, in JSON, for its viewer and data frames. A sample's input is its
 * question; the prompts are in the run's header.
 */
export function inspectLog(
  header: RunHeader,
  records: readonly SampleRecord[],
  report: Report | null,
): object {
  const { config } = header;
  const scores = new Map(
    (report?.samples ?? []).map((sample) => [
      attemptKey({ sample_id: sample.sample_id, epoch: sample.epoch ?? 1 }),
      sample,
    ]),
  );
  const model = config.model ?? config.agent;
  const total = usageOf(records);
  return {
    version: 2,
    invalidated: false,
    tags: [],
    metadata: {},
    status: header.status === 'done' ? 'success' : header.status === 'stopped' ? 'cancelled' : 'started',
    eval: {
      eval_id: header.config_hash.slice(0, 22),
      run_id: header.config_hash.slice(0, 22),
      created: header.started_at,
      task: `rookery/${header.farm.name}/${config.formulation}`,
      task_id: header.config_hash.slice(0, 22),
      task_version: 0,
      task_args: {},
      task_args_passed: {},
      task_attribs: {},
      solver: config.agent,
      dataset: {
        name: header.farm.name,
        samples: header.tasks,
        sample_ids: [...new Set(records.map(({ sample_id }) => sample_id))],
        shuffled: false,
      },
      model,
      model_args: {},
      ...(config.base_url === null ? {} : { model_base_url: config.base_url }),
      model_generate_config: {
        ...given('temperature', config.decoding.temperature),
        ...given('top_p', config.decoding.top_p),
        ...given('max_tokens', config.decoding.max_tokens),
        ...given('seed', config.decoding.seed),
      },
      config: { epochs: config.epochs },
      packages: { rookery: header.versions.rookery },
      metadata: { farm_hash: header.farm.hash, config },
    },
    plan: { name: 'plan', steps: [{ solver: config.agent, params: {}, params_passed: {} }], config: {} },
    results: {
      total_samples: header.attempts.planned,
      completed_samples: header.attempts.done,
      scores: report === null ? [] : [resultsOf(report)],
    },
    stats: {
      started_at: header.started_at,
      completed_at: header.ended_at ?? '',
      model_usage: { [model]: total },
      role_usage: {},
      connection_limit_history: [],
    },
    samples: records.map((record) => sampleOf(record, scores.get(attemptKey(record)), model)),
  };
}

type Scored = Report['samples'][number];

function resultsOf({ metrics }: Report): object {
  const { value, n } = metrics.completion;
  const figure = (name: string, of: number | null) =>
    of === null ? {} : { [name]: { name, value: of, params: {} } };
  return {
    name: 'completion',
    scorer: 'rookery',
    params: {},
    scored_samples: n,
    metrics: {
      ...figure('accuracy', value),
      ...figure('intent_f1', metrics.intent.prefix.f1),
      ...figure('slot_f1', metrics.slot.canonical.f1),
    },
  };
}

function sampleOf(record: SampleRecord, scored: Scored | undefined, model: string): object {
  const { outcome, error } = record;
  const said = record.raw_output ?? textOf(record.answer);
  const last = record.turns.at(-1);
  return {
    id: record.sample_id,
    epoch: record.epoch,
    input: scored?.shown.question ?? record.sample_id,
    target: printExactJson(scored?.shown.gold_rows ?? null),
    messages: messagesOf(record, scored),
    output: {
      model: last?.model ?? model,
      choices: [
        {
          message: {
            role: 'assistant',
            content: said,
            source: 'generate',
          },
          stop_reason:
            outcome === 'context_window'
              ? 'model_length'
              : outcome === 'refused' || outcome === 'content_filter'
                ? 'content_filter'
                : last?.stop === 'length'
                  ? 'max_tokens'
                  : 'stop',
        },
      ],
      completion: said,
      usage: usageOf([record]),
      time: record.latency_s,
    },
    ...(scored === undefined
      ? {}
      : {
          scores: {
            completion: {
              value: scored.outcome === 'pass' ? 'C' : 'I',
              answer: textOf(record.answer),
              explanation: failureClass(scored) ?? scored.shown.note ?? scored.outcome,
              metadata: { outcome: scored.outcome, loops: scored.loops },
              history: [],
            },
          },
        }),
    metadata: { db: record.db, formulation: record.formulation, outcome, reason: record.reason },
    store: {},
    events: [],
    model_usage: { [model]: usageOf([record]) },
    role_usage: {},
    total_time: record.latency_s,
    ...(error === null
      ? {}
      : { error: { message: `${error.kind}: ${error.message}`, traceback: '', traceback_ansi: '' } }),
    attachments: {},
  };
}

function messagesOf({ turns, made }: SampleRecord, scored: Scored | undefined): object[] {
  const messages: object[] = [{ role: 'user', content: scored?.shown.question ?? '', source: 'input' }];
  let next = 0;
  // A text loop has its observations in the next prompt, a native one as results of calls.
  const isTextLoop =
    turns.length > 1 && turns.every(({ parts }) => parts.every(({ kind }) => kind !== 'call'));
  for (const { parts } of turns) {
    const calls = parts.filter((part) => part.kind === 'call');
    messages.push({
      role: 'assistant',
      content: parts.map((part) => (part.kind === 'text' ? part.text : '')).join(''),
      source: 'generate',
      ...(calls.length === 0
        ? {}
        : {
            tool_calls: calls.map(({ id, name, arguments: text }) => ({
              id,
              function: name,
              arguments: objectIn(text) ?? {},
              type: 'function',
              ...(objectIn(text) === null ? { parse_error: 'the arguments are not one JSON object' } : {}),
            })),
          }),
    });
    if (calls.length > 0) {
      for (const { id, name } of calls) {
        const call = made[next++];
        if (call === undefined) continue;
        const failed = call.ok ? {} : { error: { type: 'unknown', message: call.answer.slice(0, 500) } };
        messages.push({ role: 'tool', content: call.answer, tool_call_id: id, function: name, ...failed });
      }
    } else if (isTextLoop && made[next] !== undefined) {
      messages.push({ role: 'user', content: `Observation: ${made[next++]?.answer ?? ''}` });
    }
  }
  return messages;
}

function usageOf(records: readonly SampleRecord[]) {
  const sum = (of: (record: SampleRecord) => number | null) =>
    records.reduce((total, record) => total + (of(record) ?? 0), 0);
  const [input, output] = [
    sum(({ input_tokens }) => input_tokens),
    sum(({ output_tokens }) => output_tokens),
  ];
  return {
    input_tokens: input,
    output_tokens: output,
    total_tokens: input + output,
    input_tokens_cache_read: sum(({ cached_tokens }) => cached_tokens),
    reasoning_tokens: sum(({ reasoning_tokens }) => reasoning_tokens),
  };
}

function objectIn(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text === '' ? '{}' : text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function given(name: string, value: number | undefined): object {
  return value === undefined ? {} : { [name]: value };
}
