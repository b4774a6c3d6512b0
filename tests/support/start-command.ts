import { spawn } from 'node:child_process';

/** A command that serves, until it is stopped. */
export interface StartedCommand {
  /** `http://<host>:<port>`. */
  readonly address: string;
  /** Sends SIGTERM; answers the exit code. */
  stop(): Promise<number | null>;
  /** Sends SIGKILL. */
  kill(): Promise<number | null>;
}

/** Runs a file with Node and waits for the address that it prints. Throws its output if it ends before that. */
export async function startCommand(
  file: string,
  args: readonly string[],
  cwd: string,
): Promise<StartedCommand> {
  const child = spawn(process.execPath, [file, ...args], { cwd });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  let output = '';
  const address = await new Promise<string>((resolve, reject) => {
    const read = (text: Buffer) => {
      output += text;
      const [found] = /http:\/\/[\d.]+:\d+/.exec(output) ?? [];
      if (found) resolve(found);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('close', (code) => reject(new Error(`${file} ended with ${code}\n${output}`)));
  });
  return {
    address,
    stop() {
      child.kill('SIGTERM');
      return ended;
    },
    kill() {
      child.kill('SIGKILL');
      return ended;
    },
  };
}
