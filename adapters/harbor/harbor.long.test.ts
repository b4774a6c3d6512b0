import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createProgram } from '../../cli/program.ts';
import { farmScorer } from '../../cli/score/farm-scorer.ts';
import { ANSWER_FORMAT } from '../../contracts/prediction.ts';
import { type RunningServer, startServer } from '../../services/server.ts';
import { HARNESS_KEY } from '../../services/testing/small-farm.ts';
import { farmOf } from '../../tests/support/farms.ts';

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
  const folder = mkdtempSync(join(tmpdir(), 'rookery-harbor-'));
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
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true });
  });

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
