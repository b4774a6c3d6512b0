import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import PQueue from 'p-queue';
import { HttpProblem } from '../../base/http/problem.ts';
import { resolveChildModule } from '../../base/sqlite/child-pool.ts';

export interface ProgramFunction {
  readonly name: string;
  readonly tool: string;
  /** Whether it returns a `Result` instead of the answer. */
  readonly makesResult: boolean;
  /** The parameter that a `Result` is when the function is called as its method; null for none. */
  readonly source: string | null;
}

/** To the child: first the program, then the answers of its calls. */
export type ToSandbox =
  | {
      readonly kind: 'program';
      readonly code: string;
      readonly functions: readonly ProgramFunction[];
      readonly limitMs: number;
      /** `print`: functions wait, and the program prints rows. `return`: they are promises, and it returns a value. */
      readonly style: 'print' | 'return';
    }
  | { readonly kind: 'answer'; readonly id: number; readonly ok: boolean; readonly text: string };

/** From the child: a call that waits for its answer, or the end. */
export type FromSandbox =
  | {
      readonly kind: 'call';
      readonly id: number;
      readonly name: string;
      readonly arguments: string;
      readonly view: string;
    }
  | { readonly kind: 'end'; readonly end: SandboxEnd };

/** How a program ended. `json` is what it returned or printed. */
export type SandboxEnd =
  | { readonly json: string; readonly logs: readonly string[] }
  | { readonly fault: string; readonly logs: readonly string[]; readonly timedOut?: true };

export interface SandboxProgram {
  /** JavaScript; TypeScript where Node.js can remove its types. */
  readonly code: string;
  readonly style: 'print' | 'return';
  readonly functions: readonly ProgramFunction[];
  /** Carries out a call, one at a time; `args` is JSON. What it throws ends the program. */
  readonly call: (
    name: string,
    args: string,
    view: string,
  ) => Promise<{ readonly ok: boolean; readonly text: string }>;
  readonly limitMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Longest time of a program in milliseconds, its calls among it. */
export const LONGEST_PROGRAM_MS = 60_000;
/** Heap limit of its process in MB; the interpreter's own limit is lower. */
const HEAP_MB = 256;
const MOST_WAITING = 64;

const AT_ONCE = Math.max(2, availableParallelism());

const queue = new PQueue({ concurrency: AT_ONCE });

/**
 * Runs a program in a child process that is killed at its time limit. There, an interpreter compiled to WebAssembly,
 * with a memory of its own for each program, gives it the language and its functions, but nothing else. The child does
 * not inherit environment variables. Rejects with OVERLOADED, and with what `call` throws.
 */
export async function runInSandbox(program: SandboxProgram): Promise<SandboxEnd> {
  if (queue.size >= MOST_WAITING) throw new HttpProblem('OVERLOADED', 'Too many programs are waiting.');
  return queue.add(() => run(program));
}

/** Children that wait for a program, so that the next starts at once. */
const idle: ChildProcess[] = [];

function takeChild(): ChildProcess {
  for (let child = idle.pop(); child !== undefined; child = idle.pop()) if (child.connected) return child;
  const { file, execArgv } = resolveChildModule(new URL('./sandbox-child.ts', import.meta.url));
  return fork(file, [], {
    execArgv: [...execArgv, `--max-old-space-size=${HEAP_MB}`],
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

/** Lets a child wait for the next program, without keeping this process alive. */
function giveBack(child: ChildProcess): void {
  child.removeAllListeners();
  child.on('error', () => {});
  child.unref();
  child.channel?.unref();
  if (child.connected) idle.push(child);
}

function run({ code, style, functions, call, limitMs, signal }: SandboxProgram): Promise<SandboxEnd> {
  if (signal?.aborted) return Promise.reject(signal.reason);
  const limit = Math.max(1, Math.min(LONGEST_PROGRAM_MS, limitMs));
  const child = takeChild();
  child.ref();
  child.channel?.ref();
  const send = (message: ToSandbox) => {
    if (child.connected) child.send(message, () => {});
  };
  return new Promise<SandboxEnd>((resolve, reject) => {
    let last: Promise<unknown> = Promise.resolve();
    let isOver = false;
    const finish = (settle: () => void, reuse = false) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      if (reuse) giveBack(child);
      else child.kill('SIGKILL');
      settle();
    };
    const timer = setTimeout(() => {
      const fault = `The program was stopped after ${limit / 1000} seconds.`;
      finish(() => resolve({ fault, logs: [], timedOut: true }));
    }, limit);
    const abort = () => finish(() => reject(signal?.reason));
    signal?.addEventListener('abort', abort, { once: true });
    child.once('error', (error) => finish(() => reject(error)));
    child.once('exit', (status, killed) => {
      const fault = `The program ended without an answer (${killed ?? `exit ${status}`}).`;
      finish(() => resolve({ fault, logs: [] }));
    });
    child.on('message', (message: FromSandbox) => {
      if (isOver) return;
      if (message.kind === 'call') {
        const { id, name, arguments: args, view } = message;
        last = last.then(async () => {
          if (isOver) return;
          try {
            const answer = await call(name, args, view);
            // The child may be at another program by now.
            if (!isOver) send({ kind: 'answer', id, ok: answer.ok, text: answer.text });
          } catch (error) {
            finish(() => reject(error));
          }
        });
        return;
      }
      const { end } = message;
      // What failed may have left the process in any state.
      finish(() => resolve(end), 'json' in end);
    });
    send({ kind: 'program', code, functions, limitMs: limit, style });
  });
}
