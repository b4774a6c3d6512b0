import { setTimeout } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Run } from '../../client/index.ts';
import { mapReferences } from '../../contracts/answer-rows.ts';
import type { Call, Sample } from '../../contracts/sample.ts';

/** How an agent reaches its tools. */
export type Way = 'http' | 'mcp, stateless' | 'mcp, with sessions';

export interface AgentHabits {
  readonly way: Way;
  /** Milliseconds before each call. */
  readonly think: (call: number) => number;
  /** Whether it hangs up in the middle of a call and makes that call again. */
  readonly hangsUp: (call: number) => boolean;
  /** Whether it leaves without ending its session. */
  readonly leaves: boolean;
}

/** What became of a run: its calls that were answered, each with its latency, and those that its record lacks. */
export interface Soaked {
  readonly latenciesMs: readonly number[];
  readonly hungUp: number;
  readonly lost: number;
  /** What was answered otherwise than with a result. */
  readonly failures: readonly string[];
}

/** Makes the gold calls of a run's task, answers it, and holds the run's record against what it was answered. */
export async function soak(run: Run, sample: Sample, habits: AgentHabits): Promise<Soaked> {
  const handles = new Map(run.task.start_tables.map(({ label, handle }) => [label, handle]));
  const latenciesMs: number[] = [];
  const answered: string[] = [];
  const failures: string[] = [];
  let hungUp = 0;
  const tools = await reach(run, habits.way);
  for (const [n, call] of sample.output.entries()) {
    await setTimeout(habits.think(n));
    const args = withHandles(call, handles);
    if (habits.hangsUp(n)) hungUp += await hangUp(run, call.name, args);
    const began = performance.now();
    const { failure, handle } = await tools.call(call.name, args);
    if (failure !== undefined) {
      failures.push(`${sample.sample_id} ${call.name}: ${failure}`);
      break;
    }
    latenciesMs.push(performance.now() - began);
    answered.push(JSON.stringify([call.name, args]));
    if (call.label !== undefined && handle !== undefined) handles.set(call.label, handle);
  }
  await run.answer(null);
  if (!habits.leaves) await tools.close();
  const { trajectory } = await run.view();
  const recorded = trajectory
    .filter(({ status }) => status === 200)
    .map(({ tool, arguments: args }) => JSON.stringify([tool, args]));
  let lost = 0;
  for (const call of answered) {
    const at = recorded.indexOf(call);
    if (at < 0) lost++;
    else recorded.splice(at, 1);
  }
  return { latenciesMs, hungUp, failures, lost };
}

function withHandles(call: Call, handles: ReadonlyMap<string, string>): Record<string, unknown> {
  const args = mapReferences(call.arguments, (label) => {
    const handle = handles.get(label);
    return handle === undefined ? undefined : `$${handle}$`;
  });
  return { ...(args as object) };
}

interface Reached {
  readonly call: (
    name: string,
    args: Record<string, unknown>,
  ) => Promise<{ readonly failure?: string; readonly handle?: string }>;
  readonly close: () => Promise<void>;
}

async function reach(run: Run, way: Way): Promise<Reached> {
  if (way === 'http') {
    return {
      call: async (name, args) => {
        const { ok, text, body } = await run.call(name, args);
        return ok ? handleIn(body) : { failure: text };
      },
      close: async () => {},
    };
  }
  const mode = way === 'mcp, stateless' ? { pin: '2026-07-28' } : 'legacy';
  const client = new Client({ name: 'soak', version: '1' }, { versionNegotiation: { mode } });
  const transport = new StreamableHTTPClientTransport(new URL(run.mcp));
  await client.connect(transport);
  return {
    call: async (name, args) => {
      const { isError, content, structuredContent } = await client.callTool({ name, arguments: args });
      return isError ? { failure: JSON.stringify(content) } : handleIn(structuredContent);
    },
    async close() {
      await transport.terminateSession();
      await client.close();
    },
  };
}

function handleIn(body: unknown): { readonly handle?: string } {
  const { handle } = (body ?? {}) as { handle?: unknown };
  return typeof handle === 'string' ? { handle } : {};
}

/** 1 when it was quick enough, 0 when the answer was quicker. */
async function hangUp({ address }: Run, name: string, args: Record<string, unknown>): Promise<number> {
  try {
    await fetch(`${address}/call/${encodeURIComponent(name)}`, {
      method: 'POST',
      body: JSON.stringify(args),
      signal: AbortSignal.timeout(1),
    });
    return 0;
  } catch {
    return 1;
  }
}
