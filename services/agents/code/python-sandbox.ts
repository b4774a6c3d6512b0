import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import PQueue from 'p-queue';
import { OptionError } from '../../../contracts/errors.ts';
import { LONGEST_PROGRAM_MS, type SandboxEnd, type SandboxProgram } from './sandbox.ts';

/** The image of containers, unless another is named; any image that has `python3` and `timeout`. */
export const PYTHON_IMAGE = 'python:3-slim';

const LIMITS = ['--memory', '512m', '--memory-swap', '512m', '--cpus', '1', '--pids-limit', '64'];
const CONFINED = [
  ...['--network', 'none', '--read-only', '--tmpfs', '/tmp:size=64m', '--user', '65534:65534'],
  ...['--cap-drop', 'ALL', '--security-opt', 'no-new-privileges', '--pull', 'never', '--log-driver', 'none'],
];
const START_S = 60;
/** Characters of a line that a container writes: a call, or what a program printed. */
const MOST_WRITTEN = 16 * 1024 * 1024;
const MOST_CALLS = 10_000;

const queue = new PQueue({ concurrency: Math.max(2, availableParallelism()) });

/** Throws OPTION_INVALID unless Docker runs and has the image. */
export async function requirePythonImage(image: string): Promise<void> {
  try {
    await promisify(execFile)('docker', ['image', 'inspect', '--format', '{{.Id}}', image]);
  } catch (error) {
    const { code, stderr = '' } = error as { readonly code?: unknown; readonly stderr?: string };
    const reason = code === 'ENOENT' ? 'docker is not installed' : stderr.trim().slice(0, 300);
    const fix = `start Docker and \`docker pull ${image}\`, or name an image with --python-image; JavaScript needs neither`;
    throw new OptionError('--language', `python runs in containers, and ${reason}; ${fix}`);
  }
}

/**
 * Runs a Python program in a container of its own, without a network, whose files, memory, time and processes are
 * limited. It has its functions and Python's standard library; what it prints last is its answer, as JSON. Rejects with
 * what `call` throws, and with OPTION_INVALID if no container starts.
 */
export function runPython(program: Omit<SandboxProgram, 'style'>, image: string): Promise<SandboxEnd> {
  return queue.add(() => run(program, image));
}

function run({ code, functions, call, limitMs, signal }: Omit<SandboxProgram, 'style'>, image: string) {
  if (signal?.aborted) return Promise.reject(signal.reason);
  const limit = Math.max(1, Math.min(LONGEST_PROGRAM_MS, limitMs));
  const name = `rookery-${randomUUID()}`;
  // Ends the container too if this process ends.
  const within = ['timeout', '--signal', 'KILL', String(START_S + Math.ceil(limit / 1000))];
  const child = spawn('docker', [
    ...['run', '--rm', '--interactive', '--name', name, ...LIMITS, ...CONFINED, image],
    ...[...within, 'python3', '-I', '-c', HOST],
  ]);
  return new Promise<SandboxEnd>((resolve, reject) => {
    let isOver = false;
    let hasBegun = false;
    let calls = 0;
    let written = '';
    let errors = '';
    const finish = (settle: () => void) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      if (child.exitCode !== null) return settle();
      child.kill('SIGKILL');
      // The client's end does not end the container.
      execFile('docker', ['rm', '--force', name], settle);
    };
    const end = (fault: string) => finish(() => resolve({ fault: fault.slice(0, 2000), logs: [] }));
    const notStarted = (why: string) =>
      finish(() => reject(new OptionError('--language', `no container for Python started: ${why.trim()}`)));
    let timer = setTimeout(() => notStarted(`${START_S} seconds passed`), START_S * 1000);
    const abort = () => finish(() => reject(signal?.reason));
    signal?.addEventListener('abort', abort, { once: true });
    const send = (message: unknown) => child.stdin.write(`${JSON.stringify(message)}\n`);
    child.stdin.on('error', () => {});
    child.on('error', (error) => notStarted(error.message));
    child.on('close', (status) =>
      hasBegun ? end(`The program ended without an answer (exit ${status}).`) : notStarted(errors),
    );
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(0, 1000);
    });
    const read = async (message: FromHost): Promise<void> => {
      if ('ready' in message) {
        hasBegun = true;
        clearTimeout(timer);
        timer = setTimeout(() => {
          const fault = `The program was stopped after ${limit / 1000} seconds.`;
          finish(() => resolve({ fault, logs: [], timedOut: true }));
        }, limit);
        send({ code, functions: functions.map((each) => [each.name, each.tool]) });
      } else if ('call' in message) {
        if (++calls > MOST_CALLS) return end(`A program makes at most ${MOST_CALLS} calls.`);
        const { ok, text } = await call(message.call, message.arguments, '');
        if (!isOver) send({ ok, text });
      } else if ('printed' in message) {
        const json = message.printed.trimEnd().split('\n').at(-1) ?? '';
        if (json === '') end('The program printed nothing.');
        else finish(() => resolve({ json, logs: [] }));
      } else end(`The program failed: ${message.fault}`);
    };
    let last: Promise<unknown> = Promise.resolve();
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = (written + text).split('\n');
      written = lines.pop() ?? '';
      if (written.length > MOST_WRITTEN) return end('The program printed too much.');
      for (const line of lines) {
        last = last.then(async () => {
          if (isOver) return;
          try {
            await read(JSON.parse(line) as FromHost);
          } catch (error) {
            finish(() => reject(error));
          }
        });
      }
    });
  });
}

type FromHost =
  | { readonly ready: true }
  | { readonly call: string; readonly arguments: string }
  | { readonly printed: string }
  | { readonly fault: string };

/** Speaks lines of JSON over the container's own input and output, which the program gets no names for. */
const HOST = `
import io, json, os, sys, threading, traceback

read = os.fdopen(os.dup(0), encoding="utf-8")
write = os.fdopen(os.dup(1), "w", encoding="utf-8")
nowhere = os.open(os.devnull, os.O_RDWR)
for stream in range(3):
    os.dup2(nowhere, stream)
one_at_a_time = threading.Lock()


def say(message):
    write.write(json.dumps(message) + "\\n")
    write.flush()


def function(tool):
    def call(*given, **arguments):
        text = json.dumps({**dict(*given), **arguments})
        with one_at_a_time:
            say({"call": tool, "arguments": text})
            answer = json.loads(read.readline())
        if not answer["ok"]:
            raise RuntimeError(answer["text"][:500])
        return json.loads(answer["text"])

    return call


say({"ready": True})
program = json.loads(read.readline())
names = {name: function(tool) for name, tool in program["functions"]}
sys.stdout = io.StringIO()
try:
    try:
        exec(compile(program["code"], "program.py", "exec"), {"__name__": "__main__", **names})
    except SystemExit as end:
        if end.code:
            raise
    say({"printed": sys.stdout.getvalue()})
except BaseException as error:
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == "program.py"]
    line = f" (line {lines[-1]})" if lines else ""
    say({"fault": f"{type(error).__name__}: {error}{line}"})
`;
