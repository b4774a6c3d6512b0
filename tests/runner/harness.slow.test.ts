import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createProgram } from '../../cli/program.ts';
import { RunnerMetrics } from '../../cli/run/execute-cell.ts';
import { findRuns } from '../../cli/run/find-runs.ts';
import { scoreRun } from '../../cli/run/score-run.ts';
import { RunFolder } from '../../runner/files/run-folder.ts';
import { runRow } from '../../runner/leaderboard/run-row.ts';
import { inTurn } from '../support/extent.ts';
import { startGoldServer } from '../support/gold-server.ts';
import { type ModelScript, startModelServer } from '../support/model-server/model-server.ts';
import { runFolder } from '../support/run-cell-on.ts';
import { servedFarm } from '../support/served-farm.ts';

process.env.OPENAI_API_KEY ??= 'k';
const served = servedFarm();

const config = (address: string, agent = 'direct') => ({
  agent,
  model: 'openai/scripted',
  base_url: address,
  formulation: 'rest' as const,
  select: { sample: 12, seed: 1 },
});

test('a key that is refused ends the run at once, and says so', async () => {
  const server = await startModelServer(() => ({ fault: 'status', status: 401 }));
  const running = served.run(config(server.address), { concurrency: 2 });
  await expect(running).rejects.toMatchObject({ code: 'MODEL_REFUSED' });
  expect(server.requests).toBeLessThanOrEqual(2);
  await server.stop();
});

test('a run whose first attempts all fail stops, and says why', async () => {
  const server = await startModelServer(() => ({ fault: 'status', status: 400 }));
  const { status, reason, records } = await served.run(
    { ...config(server.address), select: { sample: 60, seed: 1 } },
    { concurrency: 2 },
  );
  expect(status).toBe('stopped');
  expect(reason).toContain('scripted failure');
  expect(records.length).toBeLessThan(20);
  await server.stop();
});

test('a run that is stopped records what was under way, goes on later, and asks nothing twice', async () => {
  const stop = new AbortController();
  let asked = 0;
  const server = await startGoldServer(served.farm, {
    format: 'json_list_without_labels',
    faultOf: () => {
      if (++asked === 5) stop.abort();
      return undefined;
    },
  });
  const out = runFolder();
  const first = await served.run(config(server.address), {
    out,
    stop: stop.signal,
    concurrency: 2,
  });
  expect(first).toMatchObject({ status: 'stopped', reason: 'it was interrupted' });
  expect(first.records.length).toBeLessThan(12);
  appendFileSync(join(out, 'samples.jsonl'), '{"half a li');
  const second = await served.run(config(server.address), { out });
  expect(second.report.ledger).toMatchObject({ pass: 12, total: 12 });
  expect(server.requests).toBe(12);
  await server.stop();
});

test('out of repetitions is an error, which counts as no wrong answer and is tried again', async () => {
  let broken = true;
  const server = await startGoldServer(served.farm, {
    format: 'json_list_without_labels',
    faultOf: (n) => (broken && n <= 6 ? { fault: 'status', status: 500 } : undefined),
  });
  const out = runFolder();
  const first = await served.run(config(server.address), { out, maxRetries: 0, concurrency: 1 });
  expect(first.report.ledger).toMatchObject({ pass: 6, infra_error: 6, fail: 0 });
  expect(first.header.attempts).toEqual({ planned: 12, done: 6, errors: 6 });
  broken = false;
  const second = await served.run(config(server.address), { out, maxRetries: 0 });
  expect(second.report.ledger).toMatchObject({ pass: 12, infra_error: 0 });
  expect(server.requests).toBe(18);
  await server.stop();
});

test('a folder that holds another run is refused, and its own is named by the header', async () => {
  const out = runFolder();
  await served.run({ agent: 'random', formulation: 'rest', select: { sample: 2 } }, { out });
  const other = served.run({ agent: 'random', formulation: 'rest', select: { sample: 3 } }, { out });
  await expect(other).rejects.toMatchObject({ code: 'RUN_INVALID' });
  expect(new RunFolder(out).readHeader()).toMatchObject({
    status: 'done',
    tasks: 2,
    farm: { name: 'bundled' },
  });
});

const DEAR = { 'openai/scripted': { input_per_million: 1_000_000, output_per_million: 0 } };

test('no request is made that would cost more than the run may, the first one neither', async () => {
  const server = await startGoldServer(served.farm, { format: 'json_list_without_labels' });
  const { status, reason, records, header } = await served.run(config(server.address), {
    prices: DEAR,
    costLimit: 100,
  });
  expect({ status, records, cost: header.cost }).toEqual({ status: 'stopped', records: [], cost: null });
  expect(reason).toContain('100 is its limit');
  expect(server.requests).toBe(0);
  await server.stop();
});

test('a run holds its cost limit when it is begun again, and counts what attempts have cost that came to nothing', async () => {
  const stop = new AbortController();
  let asked = 0;
  const script: ModelScript = ({ tools, prompt }) => {
    const isFirst = 'messages' in prompt && !prompt.messages.some(({ role }) => role === 'tool');
    if (isFirst) return [{ kind: 'call', id: 'a', name: tools[0]?.name ?? '', arguments: '{}' }];
    if (++asked === 1) setTimeout(() => stop.abort(), 10);
    return { fault: 'hang' };
  };
  const server = await startModelServer(script);
  const base = { ...config(server.address, 'tools'), select: { sample: 1 } };
  const out = runFolder();
  const killed = await served.run(base, { out, prices: DEAR, stop: stop.signal, graceMs: 1 });
  expect(killed).toMatchObject({ status: 'stopped', records: [] });
  const paid = killed.header.cost ?? 0;
  expect(paid).toBeGreaterThan(0);
  expect(readFileSync(join(out, 'costs.jsonl'), 'utf8')).toContain(`"cost":${paid}`);
  expect(new RunFolder(out).readHeader()?.cost).toBe(paid);
  const requests = server.requests;
  const again = await served.run(base, { out, prices: DEAR, costLimit: paid });
  expect(again).toMatchObject({ status: 'stopped', header: { cost: paid } });
  expect(server.requests).toBe(requests);
  await server.stop();
});

test('a second run into the same folder is refused while the first one goes on', async () => {
  const out = runFolder();
  let second: Promise<unknown> | null = null;
  const server = await startGoldServer(served.farm, {
    format: 'json_list_without_labels',
    faultOf: () => {
      second ??= served.run(config(server.address), { out }).catch((error: unknown) => error);
      return undefined;
    },
  });
  const { report } = await served.run(config(server.address), { out });
  expect(await second).toMatchObject({
    code: 'RUN_INVALID',
    message: expect.stringContaining('another --out'),
  });
  expect(report.ledger).toMatchObject({ pass: 12, total: 12 });
  expect(server.requests).toBe(12);
  expect((await served.run(config(server.address), { out })).status).toBe('done');
  await server.stop();
});

test('a model is told what is wrong with broken arguments, and the history stays readable', async () => {
  const seen: string[] = [];
  const script: ModelScript = ({ body, tools, prompt }) => {
    seen.push(JSON.stringify(body));
    const turns = 'messages' in prompt ? prompt.messages.filter(({ role }) => role === 'tool').length : 0;
    if (turns === 0)
      return [{ kind: 'call', id: 'a', name: tools[0]?.name ?? '', arguments: '{"x": "unfinished' }];
    return [{ kind: 'text', text: '[[1]]' }];
  };
  const server = await startModelServer(script);
  const { records, report } = await served.run({
    ...config(server.address, 'tools'),
    select: { sample: 1 },
  });
  expect(seen[1]).toContain('not valid JSON');
  expect(seen[1]).not.toContain('unfinished');
  expect(records[0]?.made).toMatchObject([{ arguments: '{"x": "unfinished', ok: false, status: null }]);
  expect(report.ledger).toMatchObject({ fail: 1, infra_error: 0 });
  await server.stop();
});

test('budgets end an attempt as what they are', async () => {
  const endless: ModelScript = ({ tools }) => [
    { kind: 'call', id: 'a', name: tools[0]?.name ?? '', arguments: '{}' },
  ];
  const server = await startModelServer(endless);
  const base = { ...config(server.address, 'tools'), select: { sample: 1 } };
  for (const [budget, outcome, reason] of [
    [{ loops: 3 }, 'loops', '3 loops'],
    [{ calls: 2 }, 'out_of_budget', '2 calls'],
    [{ tokens: 200 }, 'out_of_budget', '200 tokens'],
  ] as const) {
    const { records, report } = await served.run({ ...base, budget });
    expect(records[0]).toMatchObject({ outcome, reason: expect.stringContaining(reason) });
    expect(report.metrics.react.out_of_budget.value).toBe(1);
    expect(report.metrics.ended_by[outcome]?.value).toBe(1);
    expect(report.samples[0]).toMatchObject({ ended_by: outcome, error_class: null });
  }
  await server.stop();
});

test.each([
  ['context_window', 400, '{"error":{"code":"context_length_exceeded","message":"maximum context length"}}'],
  ['content_filter', 400, '{"error":{"code":"content_filter","message":"filtered by the content policy"}}'],
] as const)('%s is an outcome of its own in the report and in the leaderboard', async (end, status, body) => {
  const server = await startModelServer(() => ({ fault: 'status', status, body }));
  const base = { ...config(server.address, 'tools'), select: { sample: 1 } };
  const { records, report, header, out } = await served.run(base);
  expect(records[0]?.outcome).toBe(end);
  expect(report.ledger).toMatchObject({ fail: 1, infra_error: 0 });
  expect(report.metrics.ended_by[end]?.value).toBe(1);
  expect(report.metrics.react.out_of_budget.value).toBe(0);
  expect(runRow(out, header, report)).toMatchObject({
    ended_by: { [end]: 1 },
    error_classes: { [end]: 1 },
    robust: null,
  });
  await server.stop();
});

test('passes are judged in worlds where that is asked for, and the leaderboard says what is robust', async () => {
  const select = { db: ['vet_clinics'], sample: 2 };
  const robustOf = async (input: { readonly agent: string; readonly model?: string }) => {
    const { header, out } = await served.run({ ...input, formulation: 'rest', select });
    if (served.farm.scored === null) throw new Error('the farm has a folder');
    const report = await scoreRun(out, header, served.farm.scored, served.open, 1);
    expect(report.ledger.pass).toBe(2);
    return runRow(out, header, report).robust;
  };
  expect(await robustOf({ agent: 'oracle' })).toBe(1);
  // An answer without calls is right nowhere else.
  expect(await robustOf({ agent: 'nl2sql', model: 'mock/gold' })).toBe(0);
});

test('no key is in anything that a run writes', async () => {
  process.env.ROOKERY_TEST_SECRET = 'sk-very-secret';
  const server = await startModelServer(({ headers }) => {
    expect(JSON.stringify(headers)).toContain('sk-very-secret');
    return { fault: 'status', status: 400 };
  });
  const { out } = await served.run(
    { ...config(server.address), select: { sample: 2 } },
    { apiKeyFrom: 'ROOKERY_TEST_SECRET' },
  );
  for (const file of ['run.json', 'samples.jsonl', 'predictions.jsonl', 'report.json']) {
    expect(readFileSync(join(out, file), 'utf8')).not.toContain('sk-very-secret');
  }
  await server.stop();
});

test.each(
  inTurn<readonly [string, readonly string[]]>(3, [
    ['some tasks', ['--sample', '6']],
    [
      'a fixed budget, and tasks that no thought is needed for',
      ['--sample', '6', '--max-loops', '1', '--all'],
    ],
    ['tasks without a fitting tool', ['--category', 'irrelevance', '--sample', '6']],
    ['several requests at once', ['--category', 'parallel', '--sample', '6']],
  ]),
)('the score of a run’s folder has the headline of the run: %s', async (_, options) => {
  const out = runFolder();
  const folder = served.farm.scored?.folder ?? '';
  const run = ['run', folder, '--agent', 'lexical', '--formulation', 'rest', '--out', out, ...options];
  const headline = (await printedBy(run)).trim();
  expect(headline).toMatch(/: .*(completion|relevance) \d/);
  for (const place of [out, join(out, 'predictions.jsonl')])
    expect((await printedBy(['score', folder, place])).trim().split('\n').at(-1)).toBe(headline);
});

test('the score of a killed run says how to go on, and has the headline of the run that does', async () => {
  const out = runFolder();
  const folder = served.farm.scored?.folder ?? '';
  const run = ['run', folder, '--agent', 'lexical', '--formulation', 'rest', '--sample', '6', '--out', out];
  await printedBy(run);
  // As a process leaves it that is killed behind its third attempt.
  const [header, samples] = [join(out, 'run.json'), join(out, 'samples.jsonl')];
  const ended = JSON.parse(readFileSync(header, 'utf8'));
  writeFileSync(header, JSON.stringify({ ...ended, status: 'running', ended_at: null }));
  writeFileSync(samples, readFileSync(samples, 'utf8').split('\n').slice(0, 3).join('\n').concat('\n'));
  for (const file of ['predictions.jsonl', 'report.json']) rmSync(join(out, file));
  const score = ['score', folder, out];
  await expect(printedBy(score)).rejects.toThrow(
    /3 of 6 attempts recorded: the same `\S*(?:npm run rookery --|rookery) run … --out` as before goes on, and with --replay it scores these/,
  );
  const replayed = (await printedBy([...run, '--replay'])).trim();
  expect((await printedBy(score)).trim().split('\n').at(-1)).toBe(replayed);
  const whole = (await printedBy(run)).trim();
  expect(whole).not.toBe(replayed);
  expect((await printedBy(score)).trim().split('\n').at(-1)).toBe(whole);
});

test('a run has the name it is given, or one that says what is unusual about it', async () => {
  const folder = served.farm.scored?.folder ?? '';
  const of = (out: string, ...options: string[]) =>
    printedBy(['run', folder, '--agent', 'lexical', '--sample', '2', '--out', out, ...options]);
  const [given, usual] = [runFolder(), runFolder()];
  expect(await of(given, '--formulation', 'rest,slot', '--name', 'words alone')).toMatch(
    /words alone, rest: .*\n.*words alone, slot: /,
  );
  expect(await of(usual, '--formulation', 'rest', '--tools', '50%')).toContain('lexical, tools=50%, rest: ');
  const rows = findRuns([given, usual]);
  expect(rows.map(({ name }) => name)).toEqual(['words alone', 'words alone', 'lexical, tools=50%']);
  await expect(of(runFolder(), '--name', ' ')).rejects.toThrow('1 to 80 characters');
});

/** What a command writes to its output. */
async function printedBy(args: readonly string[]): Promise<string> {
  let printed = '';
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += text;
    return true;
  });
  try {
    await (await createProgram(args)).parseAsync(args, { from: 'user' });
  } finally {
    write.mockRestore();
  }
  return printed;
}

test('attempts, completions and calls are spans by the conventions for generative AI, within one trace each', async () => {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  trace.setGlobalTracerProvider(provider);
  onTestFinished(() => trace.disable());
  const script: ModelScript = ({ tools, prompt }) => {
    const turns = 'messages' in prompt ? prompt.messages.filter(({ role }) => role === 'tool').length : 0;
    if (turns > 0) return [{ kind: 'text', text: '[[1]]' }];
    return [{ kind: 'call', id: 'a', name: tools[0]?.name ?? '', arguments: '{"no_such_argument": 1}' }];
  };
  const server = await startModelServer(script);
  for (const agent of ['tools', 'mcp']) {
    exporter.reset();
    const { records } = await served.run({
      ...config(server.address, agent),
      select: { sample: 2, seed: 1 },
    });
    const spans = exporter.getFinishedSpans();
    for (const { sample_id, input_tokens, turns } of records) {
      const attempt = spans.find(({ attributes }) => attributes['rookery.sample_id'] === sample_id);
      const { traceId, spanId } = attempt?.spanContext() ?? {};
      const own = spans.filter((span) => span.spanContext().traceId === traceId);
      const called = turns[0]?.parts.find(({ kind }) => kind === 'call');
      const tool = called?.kind === 'call' ? called.name : '';
      expect(own.map(({ name }) => name)).toEqual([
        'chat scripted',
        `execute_tool ${tool}`,
        'chat scripted',
        `invoke_agent ${agent}`,
      ]);
      expect(own.slice(0, 3).map(({ parentSpanContext }) => parentSpanContext?.spanId)).toEqual(
        Array(3).fill(spanId),
      );
      expect(attempt?.attributes).toMatchObject({
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.name': agent,
        'gen_ai.provider.name': 'openai',
        'gen_ai.request.model': 'scripted',
        'gen_ai.usage.input_tokens': input_tokens,
        'rookery.outcome': 'answered',
      });
      expect(own[0]).toMatchObject({
        kind: SpanKind.CLIENT,
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.response.finish_reasons': ['calls'],
          'gen_ai.usage.output_tokens': turns[0]?.usage.output,
        },
      });
      expect(own[1]).toMatchObject({
        status: { code: SpanStatusCode.ERROR },
        attributes: {
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': tool,
          'error.type': agent === 'mcp' ? 'tool_error' : '400',
        },
      });
    }
  }
  await server.stop();
});

test('a run tells its progress to Prometheus while it goes on', async () => {
  const metrics = new RunnerMetrics();
  const stop = await metrics.listen(0);
  let during: Promise<string> | null = null;
  const server = await startGoldServer(served.farm, {
    format: 'json_list_without_labels',
    faultOf: () => {
      during ??= fetch(`${metrics.address}/metrics`).then((answer) => answer.text());
      return undefined;
    },
  });
  await served.run(config(server.address), { metrics, concurrency: 2 });
  expect(await during).toMatch(
    /^rookery_run_attempts\{run="openai\/scripted, direct",state="planned"\} 12$/m,
  );
  expect(await during).toMatch(
    /^rookery_run_attempts\{run="openai\/scripted, direct",state="under_way"\} [12]$/m,
  );
  const after = await (await fetch(`${metrics.address}/metrics`)).text();
  expect(after).toMatch(/^rookery_run_attempts\{run="openai\/scripted, direct",state="done"\} 12$/m);
  expect(after).toMatch(
    /^rookery_run_attempts_ended_total\{run="openai\/scripted, direct",outcome="answered"\} 12$/m,
  );
  expect(after).toMatch(/^rookery_run_tokens_total\{run="openai\/scripted, direct",kind="output"\} [1-9]/m);
  await stop();
  await server.stop();
});
