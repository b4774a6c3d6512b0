import { execFile, execFileSync } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const MOST_OUTPUT = 64 * 1024 * 1024;

function succeeds(command: string, ...args: string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore', timeout: 120_000 });
    return true;
  } catch {
    return false;
  }
}

/** How Compose is called here: v2, docker-compose 1.29, or null when there is no engine or no Compose. */
export const composeCommand = ((): readonly [string, ...string[]] | null => {
  if (!succeeds('docker', 'version', '--format', '{{.Server.Version}}')) return null;
  const given = process.env.ROOKERY_TEST_COMPOSE;
  if (given) return [given];
  if (succeeds('docker', 'compose', 'version')) return ['docker', 'compose'];
  return succeeds('docker-compose', 'version') ? ['docker-compose'] : null;
})();

/** Runs the docker client; its output, or an error that contains it. */
export async function docker(...args: string[]): Promise<string> {
  const { stdout } = await run('docker', args, { maxBuffer: MOST_OUTPUT });
  return stdout.trim();
}

/** Builds the project's image. */
export async function buildImage(folder: string, tag: string, ...args: string[]): Promise<void> {
  await docker('build', '--network', 'host', ...args, '-t', tag, folder);
}

export interface Container {
  readonly id: string;
  readonly service: string;
}

/** A Compose project with a unique name, in the folder of its file. */
export class ComposeProject {
  readonly name = `rookery-test-${process.pid}-${Math.random().toString(36).slice(2, 8)}`;
  readonly #folder: string;
  readonly #env: Record<string, string>;

  constructor(folder: string, env: Record<string, string>) {
    this.#folder = folder;
    this.#env = env;
  }

  /** `docker compose …` in the folder, as a user would call it. */
  async compose(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
    const [command, ...first] = composeCommand ?? ['docker-compose'];
    const { stdout, stderr } = await run(command, [...first, '-p', this.name, ...args], {
      cwd: this.#folder,
      env: { ...process.env, ...this.#env, ...env },
      maxBuffer: MOST_OUTPUT,
    });
    return stdout + stderr;
  }

  async containers(...filters: string[]): Promise<Container[]> {
    const wanted = [`label=com.docker.compose.project=${this.name}`, ...filters];
    const lines = await docker(
      'ps',
      ...wanted.flatMap((filter) => ['--filter', filter]),
      '--format',
      '{{.ID}} {{.Label "com.docker.compose.service"}}',
    );
    return lines
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const [id = '', service = ''] = line.split(' ');
        return { id, service };
      });
  }

  /** Waits until so many containers run and all of them are healthy. */
  async healthy(count: number, limitMs = 120_000): Promise<void> {
    for (const began = Date.now(); ; await setTimeout(200)) {
      const [running, healthy] = await Promise.all([this.containers(), this.containers('health=healthy')]);
      if (running.length === count && healthy.length === count) return;
      if (Date.now() - began > limitMs) {
        throw new Error(
          `${healthy.length} of ${running.length} are healthy, not ${count}:\n${await this.logs()}`,
        );
      }
    }
  }

  async logs(): Promise<string> {
    return this.compose(['logs', '--tail', '20']).catch(String);
  }

  /** Everything of the project that is left. */
  async leftovers(): Promise<string> {
    const label = `label=com.docker.compose.project=${this.name}`;
    const found = await Promise.all([
      docker('ps', '-aq', '--filter', label),
      docker('network', 'ls', '-q', '--filter', label),
      docker('volume', 'ls', '-q', '--filter', label),
    ]);
    return found.join('');
  }
}
