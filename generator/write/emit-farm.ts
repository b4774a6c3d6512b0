import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import {
  type Coverage,
  FARM_FORMAT_VERSION,
  type Farm,
  type UnanswerableVerdict,
  unanswerableFile,
  type Verdict,
} from '../../contracts/farm.ts';
import { openapiFile, printOpenapi } from '../../contracts/openapi.ts';
import { type Formulation, formulation, type Sample } from '../../contracts/sample.ts';
import type { Service } from '../../contracts/service.ts';
import type { Question, Split } from '../../contracts/split.ts';
import { indexTasks } from '../../contracts/task.ts';
import { isOfChanges } from '../../contracts/vocabulary.ts';
import { emitTask } from '../../services/agents/describe-task.ts';
import { taskFile, taskIndexFile } from '../../services/base/farm.ts';
import { gazetteerMark } from '../../services/base/scalars/gazetteer.ts';
import { type FarmFile, type FarmOptions, printJson } from './write-folder.ts';

export interface DomainResult {
  readonly service: Service;
  /** The served copy, on the disk of the output. */
  readonly database: string;
  /** By question, then formulation. */
  readonly samples: readonly Sample[];
  readonly verdicts: readonly Verdict[];
  readonly openapi: readonly { readonly formulation: Formulation; readonly document: object }[];
  /** Questions with statements near their time limit. */
  readonly nearLimit: readonly Question['question_id'][];
  /** Absent if the split has no questions without one answer. */
  readonly unanswerable?: ProvenUnanswerable | undefined;
}

/** Samples of questions without one answer, by question, then formulation, and the verdict on each question. */
export interface ProvenUnanswerable {
  readonly samples: readonly Sample[];
  readonly verdicts: readonly UnanswerableVerdict[];
}

export interface FarmContext extends Pick<FarmOptions, 'extraFiles'> {
  readonly split: Split;
  readonly referenceTime: string;
  readonly generatorVersion: string;
}

export interface EmittedFarm {
  readonly farm: Farm;
  readonly files: readonly FarmFile[];
}

/** `domains` must be sorted by name. */
export async function emitFarm(domains: readonly DomainResult[], context: FarmContext): Promise<EmittedFarm> {
  const coverage = {
    path: 'coverage.json',
    content: printJson(coverageOf(domains, context.split), { compact: true }),
  };
  const { renamed } = context.split;
  const names = renamed ? [{ path: 'renames.json', content: printJson(renamed) }] : [];
  const listed: FarmFile[] = [...domains.flatMap((domain) => [...domainFiles(domain)]), coverage, ...names];
  return emitListed(listed, (hashes) => farmOf(domains, hashes, context), context.extraFiles);
}

/** Files, the farm.json that lists them, and what is made from that. */
export async function emitListed(
  listed: readonly FarmFile[],
  describe: (hashes: Farm['files']) => Farm,
  extraFiles: FarmOptions['extraFiles'],
): Promise<EmittedFarm> {
  const farm = describe(await hashFiles(listed));
  const description = { path: 'farm.json', content: printJson(farm) };
  return { farm, files: [...listed, description, ...(extraFiles?.(farm) ?? [])] };
}

export function* domainFiles({
  service,
  database,
  samples,
  openapi,
  unanswerable,
}: DomainResult): Iterable<FarmFile> {
  const { db } = service;
  yield { path: `databases/${db}.sqlite`, moveFrom: database };
  yield { path: `services/${db}.json`, content: printJson(service, { compact: true }) };
  for (const { formulation, document } of openapi) {
    yield { path: `openapi/${openapiFile(db, formulation)}`, content: printOpenapi(document) };
  }
  yield* sampleFiles(samples, service, unanswerable?.samples);
}

/** The tasks of agents, an index of them, and the gold. */
export function sampleFiles(
  samples: readonly Sample[],
  service: Service,
  unanswerable: readonly Sample[] = [],
): FarmFile[] {
  const { db } = service;
  const line = (record: object) => printJson(record, { compact: true });
  const tasks = [...samples, ...unanswerable].map((sample) => emitTask(sample, service));
  const lines = tasks.map(line);
  const bytes = lines.map((text) => Buffer.byteLength(text));
  return [
    { path: taskFile(db), content: lines.join('') },
    { path: taskIndexFile(db), content: line(indexTasks(tasks, bytes)) },
    { path: `eval/${db}.jsonl`, content: samples.map(line).join('') },
    ...(unanswerable.length > 0
      ? [{ path: unanswerableFile(db), content: unanswerable.map(line).join('') }]
      : []),
  ];
}

function coverageOf(domains: readonly DomainResult[], split: Split): Coverage {
  const machineDependent = domains.flatMap(({ service: { db }, nearLimit }) =>
    nearLimit.map((question_id) => ({ db, question_id })),
  );
  return {
    split: split.name,
    questions: split.questions.length,
    verdicts: domains.flatMap((domain) => domain.verdicts),
    ...(machineDependent.length > 0 ? { machine_dependent: machineDependent } : {}),
    ...(domains.some((domain) => domain.unanswerable)
      ? { unanswerable: domains.flatMap((domain) => domain.unanswerable?.verdicts ?? []) }
      : {}),
  };
}

export function farmOf(
  domains: readonly DomainResult[],
  files: Record<string, string>,
  { split, referenceTime, generatorVersion }: Omit<FarmContext, 'extraFiles'>,
): Farm {
  return {
    format_version: FARM_FORMAT_VERSION,
    name: split.name,
    split: { name: split.name, format: split.format, content_hash: split.content_hash },
    generator_version: generatorVersion,
    reference_time: referenceTime,
    gazetteer: gazetteerMark(),
    ...(split.renamed ? { renamed: { origin: split.renamed.origin } } : {}),
    domains: domains.map(({ service, samples, verdicts }) => ({
      db: service.db,
      title: service.title,
      questions: new Set(verdicts.map((verdict) => verdict.question_id)).size,
      endpoints: service.endpoints.length,
      start_tables: service.start_tables.length,
      samples: countSamples(samples),
    })),
    files,
  };
}

export function countSamples(samples: readonly Sample[]): Record<Formulation, number> {
  const count = (kind: Formulation) => samples.filter((sample) => sample.formulation === kind).length;
  // A farm without tasks that change records is as it was before there were any.
  const counted = formulation.options.filter((kind) => !isOfChanges(kind) || count(kind) > 0);
  return Object.fromEntries(counted.map((kind) => [kind, count(kind)])) as Record<Formulation, number>;
}

/** sha256 by path, sorted. */
export async function hashFiles(files: readonly FarmFile[]): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {};
  for (const file of [...files].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    hashes[file.path] = 'moveFrom' in file ? await hashFile(file.moveFrom) : hashText(file.content);
  }
  return hashes;
}

export function hashText(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
