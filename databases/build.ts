import { createHash } from 'node:crypto';
import { access, chmod, constants, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { packageRoot } from '../contracts/package-root.ts';
import { DOMAIN_NAMES, type DomainName } from './domains.ts';
import { sourcesFolder } from './sources.ts';
import { hashSources, type QuestionKind, stampFile, writeSplit } from './write-split.ts';

export interface BuildOptions {
  /** The output folder; default: one below `databases/.built/`. */
  readonly to?: string;
  /** Only these domains; all by default. */
  readonly only?: readonly DomainName[];
  /** Whether to omit generated questions. */
  readonly handWritten?: boolean;
  /** Whether to have the dialogues instead of questions. */
  readonly dialogues?: boolean;
}

/**
 * Builds the bundled split unless it is up to date, and returns its folder: questions.jsonl, one
 * `<db>.sqlite` per domain, and descriptions. Safe to call from several processes at once.
 */
export async function buildBundledSplit({
  to,
  only,
  handWritten = false,
  dialogues = false,
}: BuildOptions = {}): Promise<string> {
  const sources = sourcesFolder();
  const domains = DOMAIN_NAMES.filter((name) => only?.includes(name) ?? true);
  const chosen = domains.length === DOMAIN_NAMES.length ? 'all' : folderName(domains);
  const questions = dialogues ? 'dialogues' : handWritten ? 'hand-written' : 'all';
  const name = questions === 'all' ? chosen : `${chosen}.${questions}`;
  const split: SplitToBuild = { domains, questions, hash: hashSources(sources, domains, { code: true }) };
  const target = resolve(to ?? join(sources, '.built', name));
  if (await isBuilt(target, split.hash)) return target;
  if (to === undefined && !(await isAccessible(sources, constants.W_OK))) {
    return buildInto(join(tmpdir(), `rookery-bundled-${name}-${split.hash}`), sources, split);
  }
  return buildInto(target, sources, split);
}

/** A folder name for a selection of domains, limited in length. */
function folderName(domains: readonly string[]): string {
  const names = domains.join('+');
  if (names.length <= 100) return names;
  const hash = createHash('sha256').update(names).digest('hex').slice(0, 16);
  return `${domains.length}-domains-${hash}`;
}

/** A hash of what a domain's database and questions are made of. */
export function bundledHash(domain: string): string {
  return hashSources(sourcesFolder(), [domain], { code: true });
}

/** The proofs of a domain that ship: `shipped-proofs.ts`. */
export function proofsFile(domain: string): string {
  return join(packageRoot, 'databases', 'proofs', `${domain}.br`);
}

interface SplitToBuild {
  readonly domains: readonly DomainName[];
  readonly questions: QuestionKind;
  readonly hash: string;
}

async function buildInto(target: string, sources: string, split: SplitToBuild): Promise<string> {
  if (await isBuilt(target, split.hash)) return target;
  await mkdir(dirname(target), { recursive: true });
  const aside = await mkdtemp(`${target}.new-`);
  try {
    await chmod(aside, 0o755); // mkdtemp excludes other users, but a server may run as one
    writeSplit(sources, aside, split);
    await putInPlace(aside, target, split.hash);
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
  return target;
}

/** A folder cannot be renamed over a non-empty one: move the outdated one away first. */
async function putInPlace(built: string, target: string, hash: string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      await rename(built, target);
      return;
    } catch (error) {
      if (await isBuilt(target, hash)) return; // another process was faster, with the same bytes
      if (attempt === 5 || !hasCode(error, 'ENOTEMPTY', 'EEXIST', 'EPERM')) throw error;
    }
    await moveAway(target);
  }
}

async function moveAway(target: string): Promise<void> {
  if ((await readStamp(target)) === undefined && (await exists(target))) {
    throw new Error(`${target}: not empty, and not a bundled split; it is left as it is`);
  }
  const outdated = await mkdtemp(join(dirname(target), '.built-old-'));
  try {
    await rename(target, join(outdated, 'split'));
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error; // another process has just moved it
  } finally {
    await rm(outdated, { recursive: true, force: true });
  }
}

async function isBuilt(folder: string, hash: string): Promise<boolean> {
  return (await readStamp(folder)) === hash;
}

async function readStamp(folder: string): Promise<string | undefined> {
  try {
    return (await readFile(join(folder, stampFile), 'utf8')).trim();
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}

function exists(path: string): Promise<boolean> {
  return isAccessible(path, constants.F_OK);
}

function isAccessible(path: string, mode: number): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  );
}

function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
