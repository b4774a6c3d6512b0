import { createHash, randomUUID } from 'node:crypto';
import {
  copyFileSync,
  createReadStream,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { z } from 'zod';
import type { ServedFarm } from '../../contracts/api.ts';
import { UserError } from '../../contracts/errors.ts';
import {
  coverage,
  FARM_FORMAT_VERSION,
  type Farm,
  farm as farmSchema,
  otherVersion,
  splitOf,
} from '../../contracts/farm.ts';
import { makeFolder } from '../../contracts/make-folder.ts';
import { farmNotFound } from '../../contracts/not-found.ts';
import { openapiFile } from '../../contracts/openapi.ts';
import { packageVersion } from '../../contracts/package-root.ts';
import { type Formulation, formulation } from '../../contracts/sample.ts';
import { type Service, service as serviceSchema } from '../../contracts/service.ts';
import { faultIn, freeName, insteadOf } from '../../contracts/wording.ts';
import { getOrInsert } from './concurrency.ts';
import { gazetteerMark } from './scalars/gazetteer.ts';

/** Reads farm.json of a farm folder. Throws FARM_NOT_FOUND or FARM_INVALID. */
export function readFarm(folder: string) {
  const root = resolve(folder);
  const file = join(root, 'farm.json');
  if (!existsSync(file)) throw farmNotFound(root);
  const text = readFarmFile(file);
  return { root, farm: parseFarmFile(file, text, farmSchema), text };
}

/** Parses and validates a JSON file of a farm. Throws FARM_INVALID with the position and the fix. */
export function parseFarmFile<T extends z.ZodType>(file: string, text: string, schema: T): z.output<T> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw invalid(file, `is not JSON (${(cause as Error).message})`, cause);
  }
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  throw invalid(file, otherVersion(value) ?? faultIn(checked.error), checked.error);
}

export function readFarmFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw invalid(file, `cannot be read (${(cause as NodeJS.ErrnoException).code})`, cause);
  }
}

export function invalid(file: string, fault: string, cause?: unknown): UserError {
  return new UserError(
    'FARM_INVALID',
    file,
    `${fault}; generate the farm again with this version of rookery`,
    { cause },
  );
}

/** Reads `services/<db>.json` of a farm folder. Throws FARM_INVALID. */
export function loadService(root: string, farm: Farm, db: string): Service {
  const file = join(root, 'services', `${db}.json`);
  const service = parseFarmFile(file, readFarmFile(file), serviceSchema);
  if (service.db !== db) throw invalid(file, `describes ${service.db}, not ${db}`);
  const split = splitOf(farm, db);
  if (service.split !== split) throw invalid(file, `belongs to ${service.split}, not ${split}`);
  return service;
}

/** The files that a domain's service reads besides farm.json; some may not exist. */
export function servedFiles(db: string): string[] {
  const specs = formulation.options.map((kind) => `openapi/${openapiFile(db, kind)}`);
  return [`services/${db}.json`, `databases/${db}.sqlite`, ...specs];
}

/** The files of a domain that the agents' process reads besides farm.json. */
export function agentFiles(db: string): string[] {
  return [`services/${db}.json`, taskFile(db), taskIndexFile(db)];
}

export function taskFile(db: string): string {
  return `tasks/${db}.jsonl`;
}

/** The index by which tasks are selected; farms of older versions have none. */
export function taskIndexFile(db: string): string {
  return `tasks/${db}.index.json`;
}

const HEX_DIGITS = 16;

/**
 * A short hash of the files of a farm that one process reads, from the hashes in farm.json; the files are not read. It
 * is part of the process's container definition, which thus changes with them.
 */
export function partHash(farm: Farm, paths: readonly string[]): string {
  // Skips files of formulations that the farm does not have.
  const present = [...paths].sort().filter((path) => farm.files[path] !== undefined);
  const files = present.map((path) => [path, farm.files[path]]);
  const part = [farm.split.name, farm.reference_time, farm.generator_version, files];
  return createHash('sha256').update(JSON.stringify(part)).digest('hex').slice(0, HEX_DIGITS);
}

/** Throws FARM_CHANGED unless a farm's files are those that a process was deployed for. */
export function requirePart(folder: string, farm: Farm, paths: readonly string[], expected: string): void {
  const found = partHash(farm, paths);
  if (found === expected) return;
  throw new UserError(
    'FARM_CHANGED',
    folder,
    `is another farm than the one this process was set up for (${found}, not ${expected}); start it by the farm's own docker-compose.yml or manifests`,
  );
}

/** The domains of a farm, all or those in `only`, in farm order. Throws OPTION_INVALID for an unknown one. */
export function chooseDomains(farm: Farm, only: readonly string[] | undefined, option = '--only'): string[] {
  const all = farm.domains.map(({ db }) => db);
  const unknown = only?.find((db) => !all.includes(db));
  if (unknown !== undefined) {
    const detail = `the farm has no domain ${unknown}${insteadOf(unknown, all)}`;
    throw new UserError('OPTION_INVALID', option, detail);
  }
  return only ? all.filter((db) => only.includes(db)) : all;
}

export interface PlacesOptions {
  readonly only?: readonly string[];
  /** Number of services into which they were divided; default: one per domain. */
  readonly services?: number;
  /** Selected domains, by their names or their services' names; default: all. */
  readonly chosen?: readonly string[];
  /** URL of services: an http URL with `{service}` as placeholder for the service's name. */
  readonly servicesAt: string;
}

/** The URL of each domain's service; domains of one service share it. Throws OPTION_INVALID. */
export function servicePlaces(farm: Farm, { only, services, chosen, servicesAt }: PlacesOptions) {
  const all = farm.domains.map(({ db }) => db);
  const groups = serviceGroups(all, chooseDomains(farm, only), services);
  const byName = new Map(groups.map(({ name, dbs }) => [name, dbs]));
  const meant = chooseDomains(
    farm,
    chosen?.flatMap((name) => byName.get(name) ?? [name]),
  );
  const fix = 'give an address as http://{service}:8080';
  return new Map(
    groups.flatMap(({ name, dbs }) => {
      const urls = [placeOf(servicesAt.replaceAll('{service}', name), '--services-at', fix)];
      return dbs.filter((db) => meant.includes(db)).map((db) => [db, urls] as const);
    }),
  );
}

/** Parses an option's http URL, which must have no path. Throws OPTION_INVALID. */
export function placeOf(text: string, option: string, fix: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' && url.pathname === '/' && url.search === '') return url;
  throw new UserError('OPTION_INVALID', option, `${text} cannot be used; ${fix}`);
}

/** Describes the farm in a folder. Coverage is read on first use. Rejects with FARM_INVALID. */
export function describeFarm(folder: string, farm: Farm, hash: string): () => Promise<ServedFarm> {
  let read: Promise<ServedFarm['coverage']> | undefined;
  return async () => {
    read ??= readCoverage(join(folder, 'coverage.json'));
    const { name, split, generator_version, reference_time, world = null, domains } = farm;
    const samples: Partial<Record<Formulation, number>> = {};
    for (const domain of domains)
      for (const [kind, kept] of Object.entries(domain.samples) as [Formulation, number][])
        samples[kind] = (samples[kind] ?? 0) + kept;
    return {
      name,
      split: split.name,
      hash,
      generator_version,
      reference_time,
      world,
      samples,
      coverage: await read,
    };
  };
}

async function readCoverage(file: string): Promise<ServedFarm['coverage']> {
  if (!existsSync(file)) return null;
  const { questions, verdicts } = parseFarmFile(file, await readFile(file, 'utf8'), coverage);
  type Construct = { readonly asked: Set<string>; readonly kept: Partial<Record<Formulation, number>> };
  const constructs = new Map<string, Construct>();
  for (const { db, question_id, formulation, kept, constructs: used } of verdicts) {
    for (const name of used) {
      const known = getOrInsert(constructs, name, (): Construct => ({ asked: new Set(), kept: {} }));
      known.asked.add(`${db}/${question_id}`);
      known.kept[formulation] = (known.kept[formulation] ?? 0) + (kept ? 1 : 0);
    }
  }
  return {
    questions,
    constructs: [...constructs]
      .map(([construct, { asked, kept }]) => ({ construct, questions: asked.size, kept }))
      .sort((a, b) => b.questions - a.questions || (a.construct < b.construct ? -1 : 1)),
  };
}

/** A process that reads files of a farm: the service of some domains, the gateway, or the agents' process. */
export type Reader = { readonly dbs: readonly string[] } | 'gateway' | 'agents';

export type Outcome = 'delivered' | 'unchanged';

/**
 * Copies the files that one process reads into a folder, which is then a farm for that process. farm.json is copied
 * last, so that a folder with one is complete; if it is already there and equal, nothing is copied. Throws the errors
 * of reading a farm, and Node's errors of copying.
 */
export function deliver(from: string, to: string, reader: Reader): Outcome {
  const { root, farm } = readFarm(from);
  const files = filesOf(farm, reader).filter((path) => path in farm.files);
  const mark = 'farm.json';
  if (sameFile(join(root, mark), join(to, mark))) return 'unchanged';
  rmSync(join(to, mark), { force: true });
  for (const path of [...files, mark]) copyWhole(join(root, path), join(to, path));
  return 'delivered';
}

/**
 * Delivers to every process, each to `<folder>/<service name>`. `services`: number of services into which the domains
 * are divided. Throws as `deliver` does.
 */
export function deliverAll(from: string, to: string, services?: number) {
  const dbs = readFarm(from).farm.domains.map(({ db }) => db);
  const readers: (readonly [string, Reader])[] = [
    ...serviceGroups(dbs, dbs, services).map((group) => [group.name, group] as const),
    ['gateway', 'gateway'],
    ['agents', 'agents'],
  ];
  return readers.map(([name, reader]) => [name, deliver(from, join(to, name), reader)]);
}

function filesOf(farm: Farm, reader: Reader): string[] {
  if (reader === 'gateway') return [];
  if (reader === 'agents') return farm.domains.flatMap(({ db }) => agentFiles(db));
  return chooseDomains(farm, reader.dbs).flatMap(servedFiles);
}

function sameFile(one: string, other: string): boolean {
  return existsSync(other) && readFileSync(one).equals(readFileSync(other));
}

/** Replaces by renaming, so that processes with the old file open keep it. */
export function copyWhole(from: string, to: string): void {
  makeFolder(dirname(to));
  const aside = `${to}.${randomUUID()}`;
  try {
    copyFileSync(from, aside);
    renameSync(aside, to);
  } finally {
    rmSync(aside, { force: true });
  }
}

/** A service of a farm in containers: its DNS name and its domains. */
export interface ServiceGroup {
  readonly name: string;
  readonly dbs: readonly string[];
}

/** Default maximum number of services: more containers gain little and cost 40 MB each. */
export const MAX_SERVICES = 24;

/**
 * Groups the chosen domains, given in farm order, into services: one per domain, or `max` of equal size with neighbours
 * together. Deployment files and the gateway, which looks services up, must agree on it.
 */
export function serviceGroups(
  all: readonly string[],
  chosen: readonly string[],
  max: number = Number.POSITIVE_INFINITY,
): ServiceGroup[] {
  if (chosen.length <= max) {
    const names = serviceNames(all);
    return chosen.map((db) => ({ name: names.get(db) ?? db, dbs: [db] }));
  }
  const digits = String(max).length;
  return Array.from({ length: max }, (_, i) => ({
    name: `domains-${String(i + 1).padStart(digits, '0')}`,
    dbs: chosen.slice(Math.floor((i * chosen.length) / max), Math.floor(((i + 1) * chosen.length) / max)),
  }));
}

/** Names of other processes, of the volume of runs, of the delivery of farm files, and the word for all domains. */
const RESERVED = ['gateway', 'agents', 'runs', 'farm', 'all'];
const MAX_LETTERS = 50;

/**
 * The DNS name of each domain's service, from a farm's domains in order: lower-case letters, digits and hyphens,
 * unique. The gateway looks services up by it, and deployments name them by it.
 */
export function serviceNames(dbs: readonly string[]): ReadonlyMap<string, string> {
  const used = new Set(RESERVED);
  const names = new Map<string, string>();
  for (const db of dbs) names.set(db, freeName(dnsLabel(db), used, '-'));
  return names;
}

function dnsLabel(db: string): string {
  const label = db
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LETTERS)
    .replace(/^-+|-+$/g, '');
  return /^[a-z]/.test(label) ? label : `db-${label}`.replace(/-+$/, '');
}

/** Parses the domain names of `--only`: separated by commas, with commas in names escaped by a backslash. */
export function readOnly(text: string): string[] {
  return text
    .split(/(?<!\\),/)
    .map((name) => name.replaceAll('\\,', ','))
    .filter((name) => name !== '');
}

/** The `--only` option for one domain. No domain name has a backslash. */
export function onlyOption(db: string): string {
  return `--only=${db.replaceAll(',', '\\,')}`;
}

/** Returns the text of a domain's OpenAPI file for a formulation; undefined if there is none. */
export type OpenapiSource = (db: string, formulation: string) => string | undefined;

/** A validated farm folder, with what `buildApp` needs. */
export interface LoadedFarm {
  readonly folder: string;
  readonly farm: Farm;
  /** sha256 of farm.json, which has the hashes of all other files. */
  readonly hash: string;
  readonly domains: readonly Required<DomainOptions>[];
  readonly openapi: OpenapiSource;
  readonly hasOpenapi: (db: string, formulation: string) => boolean;
}

/** A farm without domains, to be served while it is generated into `folder`. */
export function emptyFarm(folder: string, name: string): LoadedFarm {
  const farm: Farm = {
    format_version: FARM_FORMAT_VERSION,
    name,
    split: { name, format: 'rookery', content_hash: '0'.repeat(64) },
    generator_version: packageVersion,
    reference_time: '',
    domains: [],
    files: {},
  };
  return { folder, farm, hash: '', domains: [], openapi: () => undefined, hasOpenapi: () => false };
}

export interface LoadOptions {
  /** Load only these domains; files of others need not exist. */
  readonly only?: readonly string[];
  /** Also compare the sha256 of every served file with farm.json. */
  readonly checkHashes?: boolean;
  /** Expected `partHash` of the served files. */
  readonly expect?: string;
}

/**
 * Reads farm.json and the services' descriptions. It opens no database, and never reads `eval/`. Throws FARM_NOT_FOUND,
 * FARM_INVALID, FARM_CHANGED, or OPTION_INVALID for an unknown domain in `only`.
 */
export async function loadFarm(folder: string, options: LoadOptions = {}): Promise<LoadedFarm> {
  const { root, farm, text } = readFarm(folder);
  checkGazetteer(root, farm);
  const names = chooseDomains(farm, options.only);
  if (options.expect !== undefined) requirePart(root, farm, names.flatMap(servedFiles), options.expect);
  // farm.json has the hash of every file, so its own hash covers them all.
  const version = createHash('sha256').update(text).digest('hex');
  const domains = names.map((db) => {
    const service = loadService(root, farm, db);
    const database = join(root, 'databases', `${db}.sqlite`);
    if (!existsSync(database)) throw invalid(database, 'is missing');
    return { service, database, version };
  });
  if (options.checkHashes) await checkHashes(root, farm, names.flatMap(servedFiles));
  const specFolder = join(root, 'openapi');
  const specs = new Set(existsSync(specFolder) ? readdirSync(specFolder) : []);
  const specName = (db: string, formulation: string) => `${db}.${formulation}.json`;
  return {
    folder: root,
    farm,
    hash: version,
    domains,
    hasOpenapi: (db, formulation) => specs.has(specName(db, formulation)),
    openapi: (db, formulation) =>
      specs.has(specName(db, formulation))
        ? readFileSync(join(specFolder, specName(db, formulation)), 'utf8')
        : undefined,
  };
}

export async function checkHashes(root: string, farm: Farm, paths: Iterable<string>): Promise<void> {
  for (const path of paths) {
    const expected = farm.files[path];
    if (expected === undefined) continue;
    const file = join(root, path);
    const hash = createHash('sha256');
    await pipeline(createReadStream(file), hash).catch((cause) => {
      throw invalid(file, `cannot be read (${cause.code})`, cause);
    });
    if (hash.digest('hex') !== expected) throw invalid(file, 'is not the file that farm.json describes');
  }
}

/**
 * A farm whose gold uses places must be served with the gazetteer that it was proven with. Throws FARM_INVALID if this
 * version of rookery has another; a farm that does not record its gazetteer is accepted.
 */
export function checkGazetteer(root: string, { domains, gazetteer }: Farm): void {
  const asksForPlaces = domains.some(({ samples }) => samples.hybrid > 0);
  if (!asksForPlaces || gazetteer === undefined) return;
  const own = gazetteerMark();
  if (gazetteer.sha256 === own.sha256) return;
  const versions = `${gazetteer.version}, not ${own.version}`;
  throw invalid(join(root, 'farm.json'), `was proven with other places of the world (version ${versions})`);
}

export interface DomainOptions {
  readonly service: Service;
  readonly database: string;
  /** Identifies everything that answers depend on. Without it, ETags are valid for this process only. */
  readonly version?: string;
}
