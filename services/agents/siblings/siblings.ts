import { z } from 'zod';
import { MOST_PROCESSES } from '../runs/run-ids.ts';

/**
 * The processes of one server that share its port and a farm's runs, each with a store of its own: a run's id names the one
 * that has it.
 */
export interface Workers {
  /** The number of this one, from 0. */
  readonly process: number;
  /** Where each of them answers what the others send on: paths of sockets. */
  readonly sockets: readonly string[];
}

const told = z.object({
  process: z.number().int().nonnegative(),
  sockets: z.array(z.string()).min(1).max(MOST_PROCESSES),
});

/** The variable of the environment by which a process is told who its siblings are. */
const VARIABLE = 'ROOKERY_SIBLINGS';

export function writeWorkers(siblings: Workers): Record<string, string> {
  return { [VARIABLE]: JSON.stringify(siblings) };
}

/** null: the process has none. */
export function readWorkers(env: NodeJS.ProcessEnv): Workers | null {
  const text = env[VARIABLE];
  return text === undefined || text === '' ? null : told.parse(JSON.parse(text));
}

/** The file of a process's runs, beside that of the first. */
export function runsFileOfProcess(file: string, process: number): string {
  if (process === 0) return file;
  const at = file.lastIndexOf('.');
  const end = at > file.lastIndexOf('/') + 1 ? at : file.length;
  return `${file.slice(0, end)}-${process}${file.slice(end)}`;
}
