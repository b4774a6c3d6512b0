import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { UserError } from '../../contracts/errors.ts';
import { notFound } from '../../contracts/not-found.ts';
import { packageRoot } from '../../contracts/package-root.ts';
import { type ExperimentFile, experimentFile } from './experiment-file.ts';

const SUITES = join(packageRoot, 'runner', 'suites');

/** The names of the experiments that come with rookery. */
export function suiteNames(): string[] {
  return readdirSync(SUITES)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => name.slice(0, -'.yaml'.length))
    .sort();
}

/** One of them. Throws OPTION_INVALID for a name that is not known. */
export function readSuite(name: string): ExperimentFile {
  const known = suiteNames();
  if (!known.includes(name))
    throw new UserError('OPTION_INVALID', '--suite', `must be one of ${known.join(', ')}`);
  return readExperiment(join(SUITES, `${name}.yaml`));
}

/** Reads an experiment. Throws EXPERIMENT_INVALID with file and field. */
export function readExperiment(file: string): ExperimentFile {
  if (!existsSync(file))
    throw notFound('EXPERIMENT_INVALID', file, 'give the file of an experiment (docs/running.md)');
  let value: unknown;
  try {
    value = parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new UserError('EXPERIMENT_INVALID', file, `is not YAML (${(cause as Error).message})`, { cause });
  }
  const read = experimentFile.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new UserError(
    'EXPERIMENT_INVALID',
    file,
    `${issue?.path.join('.') || 'the file'}: ${issue?.message}`,
  );
}
