import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { z } from 'zod';
import { UserError } from '../../contracts/errors.ts';
import { parseExactJson } from '../../contracts/exact-json.ts';
import {
  type Coverage,
  coverage,
  type Farm,
  farm as farmSchema,
  otherVersion,
} from '../../contracts/farm.ts';
import { farmNotFound } from '../../contracts/not-found.ts';
import { type Sample, sample } from '../../contracts/sample.ts';
import { faultIn } from '../../contracts/wording.ts';
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
  return {
    folder: root,
    farm,
    hash: createHash('sha256').update(text).digest('hex'),
    samples,
    byId: new Map(samples.map((sample) => [sample.sample_id, sample])),
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
