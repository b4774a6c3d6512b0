import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { parseExactJson, printExactJson } from '../../contracts/exact-json.ts';
import type { Coverage } from '../../contracts/farm.ts';
import { packageRoot } from '../../contracts/package-root.ts';
import type { Sample } from '../../contracts/sample.ts';
import type { Service } from '../../contracts/service.ts';
import type { Domain } from '../../contracts/split.ts';
import { type Aids, aidsOf, makeServedCopy, planSearchIndexes } from '../oracle/served-copy.ts';
import type { DomainResult } from '../write/emit-farm.ts';
import { documentsOf } from './prove-domain.ts';

/** The result of a domain without its database, and what that is made with. */
interface Proofs extends Omit<DomainResult, 'database' | 'openapi'> {
  readonly data: string;
  readonly code: string;
  readonly aids: Aids;
}

/** The proofs of a domain of a finished farm, to be read by `readProofs`. `data`: a hash of the domain's sources. */
export function packProofs(farm: string, db: string, data: string): Buffer {
  const read = (path: string) => readFileSync(join(farm, path), 'utf8');
  const { verdicts, machine_dependent = [] } = parseExactJson(read('coverage.json')) as Coverage;
  const lines = read(`eval/${db}.jsonl`).split('\n').slice(0, -1);
  const proofs: Proofs = {
    data,
    code: codeHash() ?? '',
    service: parseExactJson(read(`services/${db}.json`)) as Service,
    samples: lines.map((line) => parseExactJson(line) as Sample),
    verdicts: verdicts.filter((verdict) => verdict.db === db),
    nearLimit: machine_dependent.filter((one) => one.db === db).map(({ question_id }) => question_id),
    aids: aidsOf(join(farm, 'databases', `${db}.sqlite`)),
  };
  const text = printExactJson(proofs);
  // The window of 16 MB finds what is repeated from one formulation to the next.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 };
  return brotliCompressSync(text, { params });
}

/**
 * The result of a domain as it was proven before, its served copy made anew at `database`. Undefined if there are no
 * proofs, or if they are of other data or other code.
 */
export function readProofs(
  file: string,
  { catalog, file: original }: Domain,
  { data, database }: { readonly data: string; readonly database: string },
): DomainResult | undefined {
  const proofs = currentProofs(file, data);
  if (!proofs) return undefined;
  const { service, samples, verdicts, nearLimit, aids } = proofs;
  const searched = planSearchIndexes(catalog, original);
  makeServedCopy(original, database, aids.indexes, searched, aids.analyzed, service.reference_time);
  return {
    service,
    samples: samples.map(notGuessable),
    verdicts,
    nearLimit,
    database,
    openapi: documentsOf(service, samples),
  };
}

/** The proofs in `file` if they are of these data and this code. */
export function currentProofs(file: string, data: string): Proofs | undefined {
  const proofs = unpack(file);
  // An installed package has no sources, and comes with the proofs of its own code.
  return proofs?.data === data && proofs.code === (codeHash() ?? proofs.code) ? proofs : undefined;
}

function unpack(file: string): Proofs | undefined {
  try {
    return parseExactJson(brotliDecompressSync(readFileSync(file)).toString()) as Proofs;
  } catch {
    return undefined; // missing, or damaged: everything can be proven without it
  }
}

/** What trivial baselines pass depends on the domains beside it: `flagGuessable`. */
function notGuessable(sample: Sample): Sample {
  return { ...sample, flags: sample.flags.filter((flag) => flag !== 'guessable') };
}

/** The folders whose code decides what is proven, and how. */
const CODE = ['contracts', 'sql', 'services', 'generator'];

let known: string | undefined;

/** A hash of this code and of the versions of its packages; undefined where there are no sources. */
function codeHash(): string | undefined {
  if (CODE.some((folder) => !existsSync(join(packageRoot, folder)))) return undefined;
  known ??= hashCode();
  return known;
}

function hashCode(): string {
  const files = CODE.flatMap((folder) =>
    readdirSync(join(packageRoot, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /(?<!\.test|-fixture)\.tsx?$/.test(file) && !/(^|\/)(testing|fixtures)\//.test(file))
      .map((file) => join(folder, file)),
  );
  const hash = createHash('sha256');
  for (const file of [...files.sort(), 'package-lock.json']) {
    hash.update(`${file}\0`).update(readFileSync(join(packageRoot, file)));
  }
  return hash.digest('hex').slice(0, 16);
}
