import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { makeFolder } from '../../contracts/make-folder.ts';
import type { Split } from '../../contracts/split.ts';
import { copyWhole } from '../../services/base/farm.ts';
import {
  type DomainResult,
  domainFiles,
  type FarmContext,
  farmOf,
  hashFiles,
  hashText,
} from './emit-farm.ts';
import { type FarmFile, printJson } from './write-folder.ts';

/** The folder in which a farm grows while it is generated. */
export function growingFolder(out: string): string {
  return `${resolve(out)}.growing`;
}

/** The file that marks such a folder, with the hash of what its results depend on. */
const MARK = 'growing.json';

interface GrowingContext extends Omit<FarmContext, 'extraFiles'> {
  /** Everything besides the split that results depend on. */
  readonly options: unknown;
}

type KeptResult = Omit<DomainResult, 'database'>;

/**
 * A farm of the domains proven so far, in a folder of its own. It can be served at any moment, since farm.json is
 * replaced after the files that it lists, and an interrupted generation of the same split continues from it.
 */
export class GrowingFarm {
  readonly folder: string;
  readonly #context: GrowingContext;
  readonly #domains = new Map<string, DomainResult>();
  #hashes: Record<string, string> = {};

  /** Opens the folder beside `out`; one of another split, version or set of options is emptied. */
  constructor(out: string, context: GrowingContext) {
    this.folder = growingFolder(out);
    this.#context = context;
    const key = keyOf(context);
    const mark = join(this.folder, MARK);
    if (!existsSync(mark) || readFileSync(mark, 'utf8') !== key) {
      removeGrowth(out);
      makeFolder(join(this.folder, 'results'));
      writeWhole(mark, key);
    }
    this.#writeDescription();
  }

  /** The result of a domain proven before an interruption, with its database at `database`; else undefined. */
  known(db: string, database: string): DomainResult | undefined {
    const file = this.#resultFile(db);
    if (!existsSync(file)) return undefined;
    linkFile(join(this.folder, 'databases', `${db}.sqlite`), database);
    return { ...(deserialize(readFileSync(file)) as KeptResult), database };
  }

  /** Adds a proven domain. `served`: its result as it is served until the farm is complete. */
  async add(result: DomainResult, served: DomainResult): Promise<void> {
    const { database: _, ...kept } = result;
    const { db } = result.service;
    const files = [...domainFiles(served)];
    for (const file of files) putFile(this.folder, file);
    this.#hashes = { ...this.#hashes, ...(await hashFiles(files)) };
    this.#domains.set(db, served);
    this.#writeDescription();
    // A domain that a bug in rookery emptied is tried again.
    if (result.samples.length > 0) writeWhole(this.#resultFile(db), serialize(kept));
  }

  #resultFile(db: string): string {
    return join(this.folder, 'results', db);
  }

  #writeDescription(): void {
    const names = [...this.#domains.keys()].sort();
    const domains = names.map((db) => this.#domains.get(db) as DomainResult);
    const hashes = Object.fromEntries(Object.entries(this.#hashes).sort(([a], [b]) => (a < b ? -1 : 1)));
    writeWhole(join(this.folder, 'farm.json'), printJson(farmOf(domains, hashes, this.#context)));
  }
}

function keyOf({ split, referenceTime, generatorVersion, options }: GrowingContext): string {
  const { name, format, content_hash, data_licence }: Split = split;
  const parts = [name, format, content_hash, data_licence, referenceTime, generatorVersion, options];
  return hashText(JSON.stringify(parts));
}

function putFile(folder: string, file: FarmFile): void {
  const path = join(folder, file.path);
  if ('content' in file) return writeWhole(path, file.content);
  linkFile(file.moveFrom, path);
}

/** The same bytes at another path: a hard link, or a copy where links are not possible. */
function linkFile(from: string, to: string): void {
  makeFolder(dirname(to));
  rmSync(to, { force: true });
  try {
    linkSync(from, to);
  } catch {
    copyWhole(from, to);
  }
}

function writeWhole(path: string, content: string | Uint8Array): void {
  makeFolder(dirname(path));
  const aside = `${path}.part`;
  writeFileSync(aside, content);
  renameSync(aside, path);
}

/** Removes the folder in which a farm has grown, if that is what it is. */
export function removeGrowth(out: string): void {
  const folder = growingFolder(out);
  if (existsSync(join(folder, MARK))) rmSync(folder, { recursive: true, force: true });
}
