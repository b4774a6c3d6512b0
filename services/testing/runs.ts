import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect } from 'vitest';
import { problem, runView } from '../../contracts/api.ts';
import { DEFAULT_LIST } from '../../contracts/toolset-options.ts';
import type { CallRecord, RunRecord } from '../agents/runs/run-store.ts';
import { openSmallFarm, type SmallFarm } from './small-farm.ts';

/** The record of a run that has not started. */
export function runOf(run_id: string, created_at: number, more: Partial<RunRecord> = {}): RunRecord {
  return {
    run_id,
    batch_id: null,
    sample_id: 's',
    agent: 'a',
    model: null,
    settings: {},
    list_options: DEFAULT_LIST,
    checksum: '',
    tools: null,
    budget: {},
    faults: null,
    evidence: true,
    answer_tool: false,
    writes: false,
    farm_hash: '',
    exam_key: null,
    created_at,
    started_at: null,
    ended_at: null,
    status: 'open',
    end_reason: null,
    answer: null,
    ...more,
  };
}

export function callOf(run_id: string, n: number, at: number, filler = ''): CallRecord {
  return {
    run_id,
    n,
    at,
    tool: 't',
    arguments: JSON.stringify({ filler }),
    real_tool: null,
    real_arguments: null,
    status: 200,
    code: null,
    row_count: null,
    bytes: 1,
    latency_ms: 1,
    fault: null,
    handle: null,
    changes: null,
    idempotency: null,
  };
}

/** The farm of the current test file. */
export let farm: SmallFarm;

/** Creates a farm before the tests of a file, and closes it after them. */
export function useSmallFarm(): void {
  beforeAll(async () => {
    farm = await openSmallFarm();
  });
  afterAll(() => farm.close());
}

/** Sends a request to the app as the harness. */
export const send = async (method: 'GET' | 'POST', url: string, payload?: object) => {
  const answer = await farm.inject({
    method,
    url,
    ...(payload ? { payload } : {}),
  });
  const type = String(answer.headers['content-type']);
  const json = type.includes('json') && !type.includes('jsonl');
  return {
    status: answer.statusCode,
    text: answer.body,
    headers: answer.headers,
    body: json ? answer.json() : null,
  };
};
export const post = (url: string, payload: object) => send('POST', url, payload);
/** Starts a run; `id` is `<question>/<formulation>`. */
export const begin = async (id: string, more: object = {}) => {
  const { status, body, text } = await post('/runs', { sample_id: `test/small/${id}`, ...more });
  expect(status, text).toBe(201);
  return body;
};
export const view = async (base: string) => runView.parse((await send('GET', base)).body);
export const PEOPLE = 'get_people_by_min_age_v1_test_small_people_by_min_age_get';
/** The code of a problem response. */
export const fails = async (answer: Promise<{ body: unknown }>) => problem.parse((await answer).body).code;

/** The MCP protocol before 2026 with sessions, and since without. */
export const MCP_ERAS = ['with sessions', 'stateless'] as const;
export type McpEra = (typeof MCP_ERAS)[number];

/** An unconnected client that supports only one of them. */
export function mcpClient(era: McpEra, options: ClientOptions = {}): Client {
  const mode = era === 'stateless' ? { pin: '2026-07-28' } : 'legacy';
  return new Client({ name: 'test', version: '1' }, { ...options, versionNegotiation: { mode } });
}

export interface OddServer {
  readonly url: string;
  readonly server: Server;
  readonly close: () => void;
}

/** A server with the given responses, for checking requests and the handling of responses. */
export async function oddServer(answer: RequestListener): Promise<OddServer> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    server,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/**
 * How many steps a counting query does in some milliseconds on this machine, as busy as it is now. `count` runs the
 * query for a number of steps.
 */
export async function stepsIn(ms: number, count: (steps: number) => Promise<unknown>): Promise<number> {
  const probe = 100_000;
  const began = performance.now();
  await count(probe);
  return Math.round((probe * ms) / (performance.now() - began));
}
