import { spawn } from 'node:child_process';
import { AttemptEnd } from '../attempt/budget.ts';
import type { Agent } from './agent.ts';
import { requestText } from './conversation.ts';

const MAX_OUTPUT = 1024 * 1024;

/**
 * Runs any program: it gets the URL of a run in its environment, calls tools there, and posts its answer
 * there or prints it as its last line. A failing program counts as a broken attempt, which is retried, not as
 * a wrong answer.
 */
export function execAgent(command: string): Agent {
  return {
    name: `exec:${command}`,
    needsModel: false,
    needsFolder: false,
    takesComposed: true,
    async attempt({ task, tools, openRun, signal, epoch }) {
      const session = await openRun();
      const { run } = session;
      const environment = {
        ROOKERY_RUN: session.address,
        ROOKERY_MCP: run.mcp,
        ROOKERY_SAMPLE_ID: task.sample_id,
        ROOKERY_FORMULATION: task.formulation,
        // For a composed task the run only has its first part: pass the whole request, and offer all tools.
        ROOKERY_QUESTION: task.composition === undefined ? task.question : requestText(task),
        ROOKERY_TOOLS: task.composition === undefined ? '' : JSON.stringify(tools.map(({ name }) => name)),
        ROOKERY_EVIDENCE: task.evidence ?? '',
        ROOKERY_START_TABLES: JSON.stringify(
          task.start_tables.map(({ label, handle }) => ({ label, handle })),
        ),
        ROOKERY_EPOCH: String(epoch),
      };
      const { code, output, errors } = await start(command, environment, session.remainingMs, signal);
      if (code === 'timeout') {
        await session.readCalls();
        throw new AttemptEnd('out_of_budget', 'the program took longer than it may');
      }
      if (code !== 0) throw new Error(`${command} ended with ${code}: ${errors.trim().slice(-500)}`);
      const printed = output.trim().split('\n').at(-1) ?? '';
      return session.readBack(printed === '' ? undefined : printed);
    },
  };
}

interface Ended {
  readonly code: number | string | null;
  readonly output: string;
  readonly errors: string;
}

function start(
  command: string,
  environment: Readonly<Record<string, string>>,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Ended> {
  // A process group of its own, so that processes started by the shell end with it.
  const child = spawn(command, {
    shell: true,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  });
  let [output, errors] = ['', ''];
  let timedOut = false;
  child.stdout.on('data', (chunk) => (output = `${output}${chunk}`.slice(-MAX_OUTPUT)));
  child.stderr.on('data', (chunk) => (errors = `${errors}${chunk}`.slice(-MAX_OUTPUT)));
  const end = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has already exited.
    }
  };
  const timer = setTimeout(
    () => {
      timedOut = true;
      end();
    },
    Math.max(1, timeoutMs),
  );
  signal.addEventListener('abort', end, { once: true });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, killed) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      if (signal.aborted) reject(signal.reason);
      else resolve({ code: timedOut ? 'timeout' : (code ?? killed), output, errors });
    });
  });
}
