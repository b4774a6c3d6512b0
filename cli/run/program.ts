import { fork } from 'node:child_process';
import { parseExactJson } from '../../contracts/exact-json.ts';
import type { Program, ProgramOutcome } from '../../runner/agents/agent.ts';
import { AttemptEnd } from '../../runner/attempt/budget.ts';
import { resolveChildModule } from '../../services/base/sqlite/child-pool.ts';

/** To the child: first the program, then the results of its calls. */
export type ToProgramChild =
  | {
      readonly kind: 'program';
      readonly code: string;
      readonly functions: readonly string[];
      readonly limitMs: number;
    }
  | { readonly kind: 'answer'; readonly ok: boolean; readonly text: string };

/** From the child: a call that waits for its result, or the end. */
export type FromProgramChild =
  | { readonly kind: 'call'; readonly name: string; readonly arguments: string }
  | { readonly kind: 'printed'; readonly json: string }
  | { readonly kind: 'fault'; readonly message: string };

const LIMIT_MS = 60_000;
/** Heap limit of its process in MB; the interpreter's own limit is lower. */
const HEAP_MB = 256;

/**
 * Runs a program in a child process that is killed at its time limit. There, an interpreter compiled to
 * WebAssembly gives the program the language and its functions, but nothing else. The child does not inherit
 * environment variables.
 */
export function runInChild({ code, functions, call, timeoutMs, signal }: Program): Promise<ProgramOutcome> {
  const { file, execArgv } = resolveChildModule(new URL('./program-child.ts', import.meta.url));
  const limitMs = Math.max(1, Math.min(LIMIT_MS, timeoutMs));
  const child = fork(file, [], {
    execArgv: [...execArgv, `--max-old-space-size=${HEAP_MB}`],
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const send = (message: ToProgramChild) => {
    if (child.connected) child.send(message);
  };
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const fault = `The program was stopped after ${limitMs / 1000} seconds.`;
      if (timeoutMs <= LIMIT_MS) reject(new AttemptEnd('out_of_budget', fault));
      else resolve({ fault });
      child.kill('SIGKILL');
    }, limitMs);
    const abort = () => {
      reject(signal.reason);
      child.kill('SIGKILL');
    };
    signal.addEventListener('abort', abort, { once: true });
    child.once('error', reject);
    child.once('exit', (status, killed) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      resolve({ fault: `The program ended without an answer (${killed ?? `exit ${status}`}).` });
    });
    child.on('message', (message: FromProgramChild) => {
      if (message.kind === 'call') {
        call(message.name, message.arguments).then(
          ({ ok, text }) => send({ kind: 'answer', ok, text }),
          (error: unknown) => {
            reject(error);
            child.kill('SIGKILL');
          },
        );
        return;
      }
      resolve(message.kind === 'fault' ? { fault: message.message } : read(message.json));
      child.kill('SIGKILL');
    });
    send({ kind: 'program', code, functions, limitMs });
  });
}

function read(json: string): ProgramOutcome {
  try {
    return { rows: parseExactJson(json) };
  } catch {
    return { fault: 'The program printed something that has no form as JSON.' };
  }
}
