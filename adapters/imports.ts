import { existsSync, readFileSync } from 'node:fs';
import { stringify } from 'lossless-json';
import { UserError } from '../contracts/errors.ts';
import type { Prediction, PredictionHeader } from '../contracts/prediction.ts';
import { type Formulation, formulation, type Sample } from '../contracts/sample.ts';
import { fromNativeCall } from '../eval/calls/calls.ts';
import { readFarm, type ScoredFarm } from '../eval/farm/read-farm.ts';
import { isObject, type Json, parseJson } from '../eval/json/lossless.ts';
import { groupBy } from '../eval/metrics/figures.ts';
import type { FormatCommand, FormatOption } from './format-command.ts';

/** Imported results as predictions, and the records without a sample. */
export interface Imported {
  readonly predictions: readonly Prediction[];
  /** Ids of records that match no sample of the farm. */
  readonly unmatched: readonly string[];
}

interface ImportFlags {
  readonly out: string;
  readonly model?: string;
}

interface ResultImport<Flags> {
  readonly name: string;
  readonly description: string;
  /** Which files hold the results. */
  readonly results: string;
  readonly options: readonly FormatOption[];
  readonly read: (file: string, farm: ScoredFarm, flags: Flags) => Imported | Promise<Imported>;
}

/** `rookery import <name>`: results of another runner as a prediction file. */
export function importCommand<Flags>({
  name,
  description,
  results,
  options,
  read,
}: ResultImport<Flags>): FormatCommand<[folder: string, files: readonly string[]], Flags & ImportFlags> {
  return {
    of: 'import',
    name,
    description,
    arguments: [
      ['<farm>', 'folder made by `rookery generate`'],
      ['<results...>', results],
    ],
    options: [
      ...options,
      { flags: '-o, --out <file>', description: 'prediction file to write', required: true },
      { flags: '--model <name>', description: 'name of the model' },
    ],
    async run([folder, files], flags) {
      const farm = readFarm(folder);
      const imports: Imported[] = [];
      for (const file of files) imports.push(await read(requireFile(file), farm, flags));
      const all = imports.flatMap(({ predictions }) => predictions);
      const known = all.filter(({ sample_id }) => farm.byId.has(sample_id));
      const unmatched = [
        ...imports.flatMap((imported) => imported.unmatched),
        ...all.map(({ sample_id }) => sample_id).filter((id) => !farm.byId.has(id)),
      ];
      const header = { farm_hash: farm.hash, model: flags.model };
      const shown = unmatched.slice(0, 5).join(', ') + (unmatched.length > 5 ? ', …' : '');
      const warning = `${unmatched.length} records belong to no sample of the farm and were left out: ${shown}`;
      return {
        files: [{ path: flags.out, content: emitPredictions(header, known) }],
        print: [`${known.length} predictions written to ${flags.out}`],
        warnings: unmatched.length > 0 ? [warning] : [],
      };
    },
  };
}

/** Throws IMPORT_INVALID. */
export function requireFile(file: string): string {
  if (!existsSync(file)) throw importInvalid(file, 'is not there');
  return file;
}

/** Which formulation the imported tasks had, for formats that do not say. */
export const ASKED_FORMULATION: FormatOption = {
  flags: '--formulation <name>',
  description: 'what was asked for',
  choices: formulation.options,
  required: true,
};

export function emitPredictions(header: PredictionHeader, predictions: readonly Prediction[]): string {
  return [{ format: 'rookery-predictions/1', ...header }, ...predictions]
    .map((line) => `${stringify(line)}\n`)
    .join('');
}

export function importInvalid(place: string, fault: string, cause?: unknown): UserError {
  return new UserError('IMPORT_INVALID', place, fault, { cause });
}

/** Renames the arguments of calls to ours. Anything that is not a call is unchanged, to be judged as it is. */
export function nativeCalls(calls: readonly Json[], kind: Formulation): Json[] {
  return calls.map((call) => {
    if (!isObject(call)) return call;
    const { arguments: args } = call;
    return args !== undefined && isObject(args)
      ? { ...call, ...fromNativeCall({ arguments: args }, kind) }
      : call;
  });
}

/**
 * Finds the sample of a foreign record: by its id, or by domain and question. If several have the same question, each
 * is found once, in order.
 */
export class SampleFinder {
  readonly #byId: ReadonlyMap<string, Sample>;
  readonly #byQuestion: ReadonlyMap<string, Sample[]>;

  constructor(samples: readonly Sample[], formulation: Formulation) {
    const candidates = samples.filter((sample) => sample.formulation === formulation);
    this.#byId = new Map(candidates.map((sample) => [sample.sample_id, sample]));
    this.#byQuestion = groupBy(candidates, ({ dataset_name, input }) => questionKey(dataset_name, input));
  }

  find(id: string, domain: string, question: string): Sample | undefined {
    return this.#byId.get(id) ?? this.#byQuestion.get(questionKey(domain, question))?.shift();
  }
}

/** Questions match regardless of whitespace. */
function questionKey(domain: string, question: string): string {
  return `${domain}\n${question.trim().replace(/\s+/g, ' ')}`;
}

/** Reads the list of records in a JSON file. Throws IMPORT_INVALID. */
export function readRecords(file: string): Json[] {
  requireFile(file);
  let value: Json;
  try {
    value = parseJson(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw importInvalid(file, `is not JSON (${(cause as Error).message})`, cause);
  }
  if (!Array.isArray(value)) throw importInvalid(file, 'is not a list of records');
  return value;
}
