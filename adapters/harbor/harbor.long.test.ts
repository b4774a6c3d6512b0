import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { createProgram } from '../../cli/program.ts';
import { farmScorer } from '../../cli/score/farm-scorer.ts';
import { printExactJson } from '../../contracts/exact-json.ts';
import { ANSWER_FORMAT } from '../../contracts/prediction.ts';
import type { Call, Sample } from '../../contracts/sample.ts';
import { readFarm } from '../../eval/farm/read-farm.ts';
import { type RunningServer, startServer } from '../../services/server.ts';
import { HARNESS_KEY } from '../../services/testing/small-farm.ts';
import { farmOf, farmOfDomains } from '../../tests/support/farms.ts';
import { scratchFolder } from '../../tests/support/split-fixture.ts';
import { freePort } from '../../tests/support/supervised.ts';
import { RUN_AT } from './harbor.ts';

const PYTHON = ['python3', 'python'].find((name) => spawnSync(name, ['--version']).status === 0);
const python = async (args: string[], env: Record<string, string> = {}) => {
  const { stdout } = await promisify(execFile)(PYTHON as string, args, {
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ...env },
  });
  return stdout;
};

const READ_TOML = 'import json, sys, tomllib; print(json.dumps(tomllib.load(open(sys.argv[1], "rb"))))';
const taskFile = z.object({
  version: z.string(),
  metadata: z.object({ sample_id: z.string() }),
  verifier: z.object({ timeout_sec: z.number() }),
  agent: z.object({ timeout_sec: z.number() }),
  environment: z.object({
    build_timeout_sec: z.number(),
    mcp_servers: z.array(z.object({ name: z.string(), transport: z.string(), url: z.url() })),
  }),
});

describe.skipIf(PYTHON === undefined)('tasks for Harbor', () => {
  const folder = scratchFolder();
  const out = join(folder, 'tasks');
  let server: RunningServer;
  let tasks: readonly string[];
  beforeAll(async () => {
    const farm = await farmOf('bundled');
    server = await startServer(farm, {
      port: 0,
      logger: false,
      only: ['vet_clinics'],
      agents: { ...farmScorer(farm), harnessKey: HARNESS_KEY },
    });
    const program = await createProgram(['export']);
    const words = [
      'export',
      'harbor',
      farm,
      '--out',
      out,
      '--only',
      'vet_clinics',
      '--farm-at',
      server.address,
    ];
    await program.parseAsync(words, { from: 'user' });
    tasks = readdirSync(out);
  });
  afterAll(() => server?.stop());

  test('are folders with the files of its format, and no gold outside of tests and solution', async () => {
    expect(tasks).toHaveLength(82);
    const [name = ''] = tasks;
    const files = readdirSync(join(out, name), { recursive: true }).map(String).sort();
    expect(files).toEqual(
      expect.arrayContaining([
        'environment/Dockerfile',
        'instruction.md',
        'solution/solve.sh',
        'task.toml',
        'tests/test.sh',
      ]),
    );
    const read = taskFile.parse(JSON.parse(await python(['-c', READ_TOML, join(out, name, 'task.toml')])));
    expect(read.metadata.sample_id).toMatch(/^bundled\/vet_clinics\/.*\/slot$/);
    expect(read.environment.mcp_servers[0]?.url).toContain(server.address);
  });

  test('tell an agent where its tools are', async () => {
    const [name = ''] = tasks;
    const text = readFileSync(join(out, name, 'instruction.md'), 'utf8');
    expect(text).toContain(ANSWER_FORMAT);
    const [, address = ''] = /`curl (\S+)`/.exec(text) ?? [];
    const { tools, call } = z
      .object({ tools: z.array(z.object({ name: z.string() })), call: z.string() })
      .parse(await (await fetch(address)).json());
    const [, handle] = /Begin from the table `(\w+)`/.exec(text) ?? [];
    expect(tools.map((tool) => tool.name)).toContain('truncate');
    const answer = await fetch(server.address + call.replace('{name}', 'truncate'), {
      method: 'POST',
      body: JSON.stringify({ truncate_array: handle, n: 1 }),
    });
    expect(await answer.json()).toMatchObject({ handle: expect.any(String) });
  });

  /** The reward that the verifier of a task gives an answer. */
  async function rewardOf(name: string, answer: string, more: Record<string, string> = {}) {
    const work = join(folder, 'work');
    mkdirSync(work, { recursive: true });
    const env = { ANSWER_FILE: join(work, 'answer.json'), VERIFIER_LOGS: join(work, 'logs'), ...more };
    writeFileSync(env.ANSWER_FILE, answer);
    await python([join(out, name, 'tests', 'verify.py')], env);
    return readFileSync(join(work, 'logs', 'reward.txt'), 'utf8').trim();
  }
  const rowsOf = (name: string): unknown[][] =>
    JSON.parse(readFileSync(join(out, name, 'tests', 'gold.json'), 'utf8')).rows;

  test('are worth 1 for the gold rows and 0 for all else', async () => {
    for (const name of tasks.slice(0, 3)) {
      const gold = rowsOf(name);
      expect(await rewardOf(name, JSON.stringify(gold))).toBe('1');
      expect(await rewardOf(name, JSON.stringify([...gold, ['more']]))).toBe('0');
      expect(await rewardOf(name, 'not JSON')).toBe('0');
      const solved = readFileSync(join(out, name, 'solution', 'solve.sh'), 'utf8');
      expect(await rewardOf(name, /'ANSWER'\n(.*)\nANSWER/.exec(solved)?.[1] ?? '')).toBe('1');
    }
  });

  test('are judged by the farm where the verifier has the harness key', async () => {
    const keyed = { ROOKERY_HARNESS_KEY: HARNESS_KEY };
    for (const name of tasks.slice(0, 3)) {
      const rows = rowsOf(name);
      const fenced = `\`\`\`json\n${JSON.stringify({ rows })}\n\`\`\``;
      expect(await rewardOf(name, fenced)).toBe('0');
      expect(await rewardOf(name, fenced, keyed)).toBe('1');
      expect(await rewardOf(name, JSON.stringify({ rows }), keyed)).toBe('1');
      expect(await rewardOf(name, JSON.stringify({ rows: [...rows, rows[0]] }), keyed)).toBe('0');
    }
  });
});

describe.skipIf(PYTHON === undefined)('tasks for Harbor that change records', () => {
  const folder = scratchFolder();
  const out = join(folder, 'tasks');
  const answerFile = join(folder, 'answer.json');
  let server: RunningServer;
  let samples: readonly Sample[];
  beforeAll(async () => {
    const farm = await farmOfDomains('vet_clinics');
    server = await startServer(farm, {
      port: 0,
      logger: false,
      agents: {
        ...farmScorer(farm),
        harnessKey: HARNESS_KEY,
        exam: true,
        runs: { place: join(folder, 'runs.sqlite') },
      },
    });
    const program = await createProgram(['export']);
    const words = ['--out', out, '--formulation', 'records', '--farm-at', server.address];
    await program.parseAsync(['export', 'harbor', farm, ...words], { from: 'user' });
    samples = readFarm(farm).samples.filter(({ formulation }) => formulation === 'records');
  }, 10 * 60_000);
  afterAll(() => server?.stop());

  /** A trial: the service beside the agent, what the agent does, and then the verifier. */
  async function rewardOf(
    { sample_id }: Sample,
    agent: (at: string, solve: () => Promise<unknown>) => Promise<unknown>,
    key = HARNESS_KEY,
  ): Promise<string> {
    const task = join(out, sample_id.replace(/[^A-Za-z0-9]+/g, '-').toLowerCase());
    const port = await freePort();
    const at = `http://127.0.0.1:${port}`;
    const moved = (file: string) =>
      readFileSync(join(task, file), 'utf8')
        .replaceAll(RUN_AT, at)
        .replaceAll('/app/answer.json', answerFile);
    rmSync(answerFile, { force: true });
    const run: ChildProcess = spawn(PYTHON as string, [join(task, 'environment', 'farm', 'run.py')], {
      env: {
        ...process.env,
        FARM: server.address,
        SAMPLE_ID: sample_id,
        ROOKERY_HARNESS_KEY: HARNESS_KEY,
        PORT: String(port),
      },
      stdio: 'ignore',
    });
    try {
      const isUp = () =>
        fetch(`${at}/tools`).then(
          ({ ok }) => ok,
          () => false,
        );
      while (!(await isUp())) expect(run.exitCode).toBeNull();
      await agent(at, () => promisify(execFile)('sh', ['-c', moved('solution/solve.sh')]));
      const tests = join(folder, 'tests');
      mkdirSync(tests, { recursive: true });
      for (const name of ['verify.py', 'rows.py', 'gold.json'])
        writeFileSync(join(tests, name), moved(`tests/${name}`));
      const env = { ANSWER_FILE: answerFile, VERIFIER_LOGS: join(folder, 'logs'), ROOKERY_HARNESS_KEY: key };
      await python([join(tests, 'verify.py')], env);
      return readFileSync(join(folder, 'logs', 'reward.txt'), 'utf8').trim();
    } finally {
      run.kill('SIGKILL');
    }
  }

  /** Tasks that ask for changes alone, also for an answer, and for none. */
  const some = () => {
    const kinds = ({ gold_columns, output }: Sample) => [gold_columns.length > 0, output.length > 0];
    return [...new Map(samples.map((sample) => [String(kinds(sample)), sample])).values()];
  };
  const another = { name: 'create_clinic', arguments: { name: 'Another' } };
  const call = (at: string, { name, arguments: args }: Pick<Call, 'name' | 'arguments'>) =>
    fetch(`${at}/call/${name}`, { method: 'POST', body: printExactJson(args) });

  test(
    'are worth 1 for the changes of the gold, and 0 for fewer and more',
    async () => {
      expect(readdirSync(out)).toHaveLength(samples.length);
      const chosen = some();
      expect(new Set(chosen.map(({ gold_diff }) => gold_diff?.length === 0))).toEqual(new Set([true, false]));
      for (const sample of chosen) {
        expect(await rewardOf(sample, (_, solve) => solve()), sample.sample_id).toBe('1');
        const more = (at: string, solve: () => Promise<unknown>) => call(at, another).then(solve);
        expect(await rewardOf(sample, more), sample.sample_id).toBe('0');
        const { output } = sample;
        const fewer = async (at: string) => {
          for (const each of output.slice(0, -1)) await call(at, each);
        };
        expect(await rewardOf(sample, fewer), sample.sample_id).toBe(output.length === 0 ? '1' : '0');
      }
    },
    10 * 60_000,
  );

  test('are worlds of their own, over MCP too', async () => {
    const [sample] = samples.filter(
      ({ output, gold_columns }) => output.length === 1 && gold_columns.length === 0,
    ) as [Sample];
    const [{ name, arguments: args }] = sample.output as [Call];
    const byMcp = async (at: string) => {
      const client = new Client({ name: 'test', version: '1' });
      await client.connect(new StreamableHTTPClientTransport(new URL(`${at}/mcp`)));
      const { isError } = await client.callTool({ name, arguments: args });
      expect(isError ?? false).toBe(false);
      await client.close();
    };
    for (let trial = 0; trial < 2; trial++) expect(await rewardOf(sample, byMcp)).toBe('1');
  });

  test('are not judged without the harness key', async () => {
    await expect(rewardOf(samples[0] as Sample, (_, solve) => solve(), '')).rejects.toThrow(
      'ROOKERY_HARNESS_KEY',
    );
  });

  test('have a Compose file that starts the service first', () => {
    const [name = ''] = readdirSync(out);
    const file = parse(readFileSync(join(out, name, 'environment', 'docker-compose.yaml'), 'utf8'));
    expect(file.services.main.depends_on).toEqual({ farm: { condition: 'service_healthy' } });
    expect(file.services.farm.environment).toMatchObject({
      FARM: server.address,
      SAMPLE_ID: expect.stringMatching(/^bundled\/vet_clinics\/\d+\/records$/),
    });
  });
});
