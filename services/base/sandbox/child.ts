import { type ChildProcess, fork } from 'node:child_process';
import pidusage from 'pidusage';
import type { ChildModule } from './child-module.ts';
import { ChildCrashedError } from './errors.ts';
import type { Answer, FromChild, ToChild } from './messages.ts';

/** What a pool wants to hear from one of its children. */
export interface ChildListener<Reply> {
  /** With the milliseconds of processor time that its start took. */
  onReady(cpuMs: number): void;
  onNote(note: unknown): void;
  onAnswer(answer: Answer<Reply>): void;
  /** Called once when the process has exited, for whatever reason. */
  onGone(reason: ChildCrashedError): void;
}

/** One forked process. It keeps the parent alive only while `busy`. */
export class Child<Request, Reply> {
  readonly #process: ChildProcess;
  readonly #startTimer: NodeJS.Timeout | undefined;
  #keepsParent = false;

  /** Killed when it has not said `ready` after `startLimitMs` by the clock, which may be Infinity. */
  constructor(module: ChildModule, init: unknown, startLimitMs: number, listener: ChildListener<Reply>) {
    this.#process = fork(module.file, [], {
      execArgv: [...module.execArgv],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.#startTimer = Number.isFinite(startLimitMs)
      ? setTimeout(() => this.kill(), startLimitMs).unref()
      : undefined;
    let gone = false;
    const leave = (message: string) => {
      if (gone) return;
      gone = true;
      clearTimeout(this.#startTimer);
      listener.onGone(new ChildCrashedError(message));
    };
    this.#process.on('exit', (code, signal) =>
      leave(`the child process ended (${signal ?? `exit ${code}`})`),
    );
    this.#process.on('error', (error) => {
      this.kill();
      leave(`the child process failed: ${error.message}`);
    });
    this.#process.on('message', (message) => {
      const answer = message as FromChild<Reply>;
      if (answer.kind === 'note') return listener.onNote(answer.note);
      if (answer.kind !== 'ready') return listener.onAnswer(answer);
      clearTimeout(this.#startTimer);
      listener.onReady(answer.cpuMs);
    });
    this.setBusy(false);
    this.#send({ kind: 'init', init });
  }

  /** Throws when the request cannot be serialised. */
  run(request: Request): void {
    this.#send({ kind: 'run', request });
  }

  /** Makes the parent stay until this child is gone, whatever is said later: a late `ready` is on its way. */
  keepParent(): void {
    this.#keepsParent = true;
    this.setBusy(true);
  }

  /** Whether the parent must stay alive for this child. */
  setBusy(busy: boolean): void {
    if (busy || this.#keepsParent) {
      this.#process.ref();
      this.#process.channel?.ref();
    } else {
      this.#process.unref();
      this.#process.channel?.unref();
    }
  }

  /** Processor time used since its start, in milliseconds; null where it cannot be told. */
  async processorMs(): Promise<number | null> {
    const { pid } = this.#process;
    if (pid === undefined) return null;
    return pidusage(pid).then(
      ({ ctime }) => ctime,
      () => null,
    );
  }

  kill(): void {
    this.#process.kill('SIGKILL');
  }

  #send(message: ToChild<Request>): void {
    // A child that died already is reported by its exit, so a failed delivery is no news.
    this.#process.send(message, () => {});
  }
}
