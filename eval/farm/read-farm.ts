import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { z } from 'zod';
import { UserError } from '../../contracts/errors.ts';
import { DEEPEST_LINE, isNestedDeeperThan, parseExactJson } from '../../contracts/exact-json.ts';
import {
  type Coverage,
  coverage,
  type Farm,
  farm as farmSchema,
  otherVersion,
  unanswerableFile,
} from '../../contracts/farm.ts';
import { farmNotFound } from '../../contracts/not-found.ts';
import {
  type Prediction,
  type PredictionHeader,
  prediction,
  predictionHeader,
} from '../../contracts/prediction.ts';
import { type Sample, sample } from '../../contracts/sample.ts';
import { faultIn } from '../../contracts/wording.ts';
import { isObject, type Json, type JsonObject, parseJson, plain } from '../json/lossless.ts';
import { questionKey } from '../metrics/figures.ts';

/** A non-blank line of a file, with its number from 1. */
export interface Line {
  readonly number: number;
  readonly text: string;
}

/** Iterates the non-blank lines of a file, which may exceed the maximum length of a string. */
export function readLines(file: string): Generator<Line> {
  return linesOf(readFileSync(file));
}

/** Iterates the non-blank lines of UTF-8 text. */
export function* linesOf(bytes: Buffer): Generator<Line> {
  let start = 0;
  for (let number = 1; start < bytes.length; number++) {
    const newline = bytes.indexOf(0x0a, start);
    const end = newline < 0 ? bytes.length : newline;
    const text = bytes.toString('utf8', start, end).replace(BYTE_ORDER_MARK, '').trim();
    if (text !== '') yield { number, text };
    start = end + 1;
  }
}

const BYTE_ORDER_MARK = /^\uFEFF/;

/** The parts of a farm that scoring needs. */
export interface ScoredFarm {
  readonly folder: string;
  readonly farm: Farm;
  /** sha256 of farm.json, which lists the hashes of all other files. */
  readonly hash: string;
  /** In the order of the farm's domains, then of lines. */
  readonly samples: readonly Sample[];
  /** Those whose questions have no single answer, which count only where they are attempted. */
  readonly unanswerable: readonly Sample[];
  /** Both. */
  readonly byId: ReadonlyMap<string, Sample>;
  /** Facts from coverage.json about the sample's gold query; empty if there is no such file. */
  goldFactsOf(sample: Sample): GoldFacts;
}

export interface GoldFacts {
  readonly constructs: readonly string[];
  /** Audit rules that consider it probably wrong. */
  readonly findings: readonly string[];
}

/** Reads farm.json, eval/ and coverage.json. Throws FARM_NOT_FOUND or FARM_INVALID. */
export function readFarm(folder: string): ScoredFarm {
  const root = resolve(folder);
  const file = join(root, 'farm.json');
  if (!existsSync(file)) throw farmNotFound(root);
  const text = readText(file);
  const farm = parse(file, text, farmSchema);
  const facts = readGoldFacts(root);
  const samples = farm.domains.flatMap(({ db }) => readSamples(join(root, 'eval', `${db}.jsonl`)));
  const unanswerable = farm.domains.flatMap(({ db }) =>
    unanswerableFile(db) in farm.files ? readSamples(join(root, unanswerableFile(db))) : [],
  );
  return {
    folder: root,
    farm,
    hash: createHash('sha256').update(text).digest('hex'),
    samples,
    unanswerable,
    byId: new Map([...samples, ...unanswerable].map((sample) => [sample.sample_id, sample])),
    goldFactsOf: ({ dataset_name, question_id }) =>
      facts.get(questionKey(dataset_name, question_id)) ?? NOTHING_KNOWN,
  };
}

function readSamples(file: string): Sample[] {
  if (!existsSync(file)) {
    throw invalid(file, 'is missing: this folder holds no gold to score against');
  }
  return [...readLines(file)].map(({ number, text }) => parse(`${file}:${number}`, text, sample));
}

/** A sample of each question: the last. */
export function onePerQuestion(samples: readonly Sample[]): readonly Sample[] {
  return [
    ...new Map(samples.map((each) => [questionKey(each.dataset_name, each.question_id), each])).values(),
  ];
}

const NOTHING_KNOWN: GoldFacts = { constructs: [], findings: [] };

function readGoldFacts(root: string): Map<string, GoldFacts> {
  const file = join(root, 'coverage.json');
  const facts = new Map<string, GoldFacts>();
  if (!existsSync(file)) return facts;
  const read: Coverage = parse(file, readText(file), coverage);
  for (const { db, question_id, constructs, findings = [] } of read.verdicts) {
    facts.set(questionKey(db, question_id), { constructs, findings });
  }
  return facts;
}

function parse<T extends z.ZodType>(place: string, text: string, schema: T): z.output<T> {
  let value: unknown;
  try {
    value = parseExactJson(text);
  } catch (cause) {
    throw invalid(place, `is not JSON (${(cause as Error).message})`, cause);
  }
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  const other = otherVersion(value);
  if (other !== null) throw invalid(place, other, checked.error);
  throw invalid(place, faultIn(checked.error), checked.error);
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw invalid(file, `cannot be read (${(cause as NodeJS.ErrnoException).code})`, cause);
  }
}

function invalid(place: string, fault: string, cause?: unknown): UserError {
  return new UserError('FARM_INVALID', place, `${fault}; generate the farm again`, { cause });
}

/** Instead of a part of a prediction that is nested too deeply to be a call or a row. */
const TOO_DEEP = '… nested too deeply to be read';

function cut(value: Json, levels: number): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return TOO_DEEP;
  if (Array.isArray(value)) return value.map((item) => cut(item, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cut(item as Json, levels - 1)]));
}

/** A prediction file, checked against its farm. */
export interface Predictions {
  readonly header: PredictionHeader;
  /** Attempts at single samples, by sample id and epoch. */
  readonly attempts: ReadonlyMap<string, Attempts>;
  /** Attempts with the gold tool withheld, by sample id and epoch. */
  readonly withheld: ReadonlyMap<string, Attempts>;
  /** Attempts at composed tasks, by task id and epoch. */
  readonly composed: ReadonlyMap<string, Attempts>;
}

/** The predictions for one sample by epoch, from 1. */
export type Attempts = ReadonlyMap<number, Prediction>;

/**
 * Reads a prediction file. Numbers in calls and answers keep their source text.
 * @throws PREDICTIONS_NOT_FOUND, PREDICTIONS_INVALID with the line, or PREDICTIONS_FOR_OTHER_FARM if the
 * header names another farm or a line names a sample that the farm lacks.
 */
export function readPredictions(file: string, farm: ScoredFarm): Predictions {
  if (!existsSync(file) || !statSync(file).isFile()) {
    throw new UserError('PREDICTIONS_NOT_FOUND', file, 'is not a file; give a JSONL file of predictions');
  }
  return parsePredictions(file, readLines(file), farm);
}

/** Ids of the samples that were attempted, alone or in a composed task. */
export function attemptedIn({ composed, attempts, withheld }: Predictions): ReadonlySet<string> {
  const parts = [...composed.values()].flatMap((epochs) =>
    [...epochs.values()].flatMap((each) =>
      (each.parts ?? each.turns ?? []).map(({ sample_id }) => sample_id),
    ),
  );
  return new Set([...attempts.keys(), ...withheld.keys(), ...parts]);
}

/** Reads predictions from lines; `place` names their source in errors. */
export function parsePredictions(place: string, lines: Iterable<Line>, farm: ScoredFarm): Predictions {
  const attempts = new Map<string, Map<number, Prediction>>();
  const withheld = new Map<string, Map<number, Prediction>>();
  const composed = new Map<string, Map<number, Prediction>>();
  let header: PredictionHeader = {};
  let isFirst = true;
  for (const { number, text } of lines) {
    const at = `${place}:${number}`;
    const value = readObject(at, text);
    if (isFirst && !Object.hasOwn(value, 'sample_id')) header = readHeader(at, value, farm);
    else {
      const read = asDialogue(readPrediction(at, value), farm);
      if (read.parts && read.turns)
        throw predictionsInvalid(at, 'has parts and turns; a composed task has either');
      const parts = read.parts ?? read.turns ?? null;
      const unknown = (parts ?? [read]).find(({ sample_id }) => !farm.byId.has(sample_id));
      if (unknown !== undefined) throw otherFarm(at, `${farm.farm.name} has no sample ${unknown.sample_id}`);
      const map = parts !== null ? composed : read.withheld === true ? withheld : attempts;
      const epochs = map.get(read.sample_id) ?? new Map<number, Prediction>();
      map.set(read.sample_id, epochs);
      const epoch = read.epoch ?? 1;
      if (epochs.has(epoch)) throw predictionsInvalid(at, secondPrediction(read.sample_id, epoch));
      epochs.set(epoch, read);
    }
    isFirst = false;
  }
  return { header, attempts, withheld, composed };
}

/**
 * A prediction for a dialogue as one of turns: a server names them all after the dialogue, also those of another domain,
 * and an agent that never talks to the user has answered the first turn at most.
 */
function asDialogue(read: Prediction, { byId }: ScoredFarm): Prediction {
  const turns = byId.get(read.sample_id)?.turns;
  const [first] = turns ?? [];
  if (read.parts || read.withheld || !turns || !first) return read;
  const { sample_id } = first;
  const { calls, answer, raw_output, diff, broken_rules } = read;
  const said = read.turns ?? [
    { sample_id, expects: 'answer' as const, calls, answer, raw_output, diff, broken_rules },
  ];
  return {
    ...read,
    turns: said.map((turn, i) =>
      byId.has(turn.sample_id) ? turn : { ...turn, sample_id: turns[i]?.sample_id ?? turn.sample_id },
    ),
  };
}

function secondPrediction(id: string, epoch: number): string {
  return `is a second prediction for ${id} in epoch ${epoch}; keep one, or number several attempts by epoch`;
}

function readHeader(place: string, value: JsonObject, farm: ScoredFarm): PredictionHeader {
  const header = predictionHeader.safeParse(plain(value));
  if (!header.success) {
    throw predictionsInvalid(place, `has no sample_id, and as a header ${faultIn(header.error, 'it')}`);
  }
  const { farm_hash } = header.data;
  if (farm_hash !== undefined && farm_hash !== farm.hash) {
    throw otherFarm(
      place,
      `they were made for the farm ${farm_hash.slice(0, 12)}…, this is ${farm.farm.name}, ${farm.hash.slice(0, 12)}…`,
    );
  }
  return header.data;
}

function readPrediction(place: string, value: JsonObject): Prediction {
  // Apart from calls, answer and texts, all numbers are plain.
  const scalars = Object.fromEntries(
    SCALARS.filter((key) => key in value).map((key) => [key, plain(value[key] as Json)]),
  );
  const read = prediction.safeParse({ ...value, ...scalars });
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  if (issue?.code === 'unrecognized_keys') {
    const known = Object.keys(prediction.shape).join(', ');
    throw predictionsInvalid(
      place,
      `has the unknown field ${issue.keys.join(', ')}; a prediction has ${known}`,
    );
  }
  throw predictionsInvalid(place, faultIn(read.error));
}

function readObject(place: string, text: string): JsonObject {
  let value: Json;
  try {
    value = isNestedDeeperThan(text, DEEPEST_LINE)
      ? cut(JSON.parse(text) as Json, DEEPEST_LINE)
      : parseJson(text);
  } catch (cause) {
    throw predictionsInvalid(
      place,
      `is not JSON (${(cause as Error).message}); a prediction is one JSON object per line`,
      cause,
    );
  }
  if (!isObject(value))
    throw predictionsInvalid(place, 'is not a JSON object; a prediction is one JSON object per line');
  return value;
}

function predictionsInvalid(place: string, fault: string, cause?: unknown): UserError {
  return new UserError('PREDICTIONS_INVALID', place, fault, { cause });
}

function otherFarm(place: string, fault: string): UserError {
  const fix = 'score them against the farm they were made for, or run the agent again';
  return new UserError('PREDICTIONS_FOR_OTHER_FARM', place, `${fault}; ${fix}`);
}

const SCALARS = [
  'epoch',
  'loops',
  'latency_s',
  'input_tokens',
  'output_tokens',
  'cached_tokens',
  'reasoning_tokens',
  'cost',
];
