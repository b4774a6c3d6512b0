import { basename } from 'node:path';
import type { Growth } from '../contracts/api.ts';
import { OptionError } from '../contracts/errors.ts';
import type { Farm } from '../contracts/farm.ts';
import { OF_EVERY_QUESTION } from '../contracts/formulations.ts';
import { ROOKERY } from '../contracts/package-root.ts';
import { type Formulation, formulation } from '../contracts/sample.ts';
import { DEFAULT_REFERENCE_TIME, DEFAULT_TIMEOUT, type Domain, type Split } from '../contracts/split.ts';
import { counted, insteadOf } from '../contracts/wording.ts';
import { buildBundledSplit, bundledHash, proofsFile } from '../databases/build.ts';
import { DOMAIN_NAMES, type DomainName } from '../databases/domains.ts';
import { type DeployOptions, deploymentFiles } from '../deploy/deploy.ts';
import { type GenerateOptions, type GenerateSummary, generate } from '../generator/generate.ts';
import { readProofs } from '../generator/prove/shipped-proofs.ts';
import type { DomainResult } from '../generator/write/emit-farm.ts';
import {
  EXIT,
  interruptSignal,
  reportError,
  stepsTo,
  textTable,
  unreadViewsNote,
  withProgress,
} from './terminal.ts';

/** The options of a command. */
export interface GenerateFarmOptions
  extends Omit<
      GenerateOptions,
      'timeoutMs' | 'extraFiles' | 'signal' | 'onBug' | 'onFailedDomain' | 'onProgress' | 'onGrown'
    >,
    DeployOptions {
  readonly timeout: number;
  /** Whether to report each domain that is proven to the parent process, which serves it. */
  readonly grows?: boolean;
}

/**
 * Generates a farm, with progress on stderr and a summary on stdout; Ctrl-C leaves no files behind. If a bug
 * in rookery affects a question or a domain, the farm is written without it, the stack is printed, and the
 * exit code is that of a bug; if no question is kept, it is that of a missed threshold.
 */
export async function generateFarm(split: string, options: GenerateFarmOptions): Promise<void> {
  const bugs: string[] = [];
  const { timeout, kubernetes, services, grows = false, ...rest } = options;
  const growth = { coming: options.only ?? [], done: 0, total: 0, step: '' };
  const summary = await withProgress((update) =>
    generate(split, {
      ...rest,
      timeoutMs: timeout * 1000,
      extraFiles: (farm) => deploymentFiles(farm, { kubernetes, services }),
      signal: interruptSignal(options.out),
      onBug: ({ db_id, question_id }, error) =>
        bugs.push(`Question ${question_id} of ${db_id} is not kept. ${reportError(error).message}`),
      onFailedDomain: (db, error) => bugs.push(`No question of ${db} is kept. ${reportError(error).message}`),
      onProgress: (progress) => {
        stepsTo(update)(progress);
        const { stage, done, total, label } = progress;
        const verdicts = stage === 'prove' ? { done, total } : {};
        if (grows) process.send?.({ growth: Object.assign(growth, verdicts, { step: `${stage} ${label}` }) });
      },
      onGrown: grows
        ? (grown, coming) => process.send?.({ grown, growth: Object.assign(growth, { coming }) })
        : undefined,
    }),
  );
  process.stdout.write(printSummary(summary, options.out));
  process.stderr.write(unreadViewsNote(summary.split.domains));
  if (summary.nearLimit > 0) process.stderr.write(nearLimitNote(summary.nearLimit));
  // The farm is written, since its coverage has the reasons, but there is nothing to serve.
  if (keepsNothing(summary)) process.exitCode = EXIT.missed;
  for (const bug of bugs) process.stderr.write(`${bug}\n`);
  if (bugs.length > 0) process.exitCode = EXIT.bug;
}

function keepsNothing({ farm }: GenerateSummary): boolean {
  return farm.domains.every(({ samples }) => formulation.options.every((kind) => !samples[kind]));
}

function printSummary(summary: GenerateSummary, out: string): string {
  const { farm, split } = summary;
  const kinds = shownKinds(farm);
  const rows = farm.domains.map(({ db, questions, endpoints, samples }) => [
    db,
    questions,
    endpoints,
    ...kinds.map((kind) => samples[kind] ?? 0),
  ]);
  const total = (column: number) => rows.reduce((sum, row) => sum + Number(row[column]), 0);
  const table = textTable(
    ['domain', 'questions', 'endpoints', ...kinds],
    [...rows, ['all', ...['questions', 'endpoints', ...kinds].map((_, i) => total(i + 1))]],
  );
  if (keepsNothing(summary)) {
    return `${table}\n${unreadNote(split)}No question was kept, so there is nothing to serve; see why: ${ROOKERY} coverage ${out}\n`;
  }
  const note = renamedNote(split, out) + rejectedNote(summary.rejected, out);
  return `${table}\n${unreadNote(split)}${note}Serve it: ${ROOKERY} serve ${out}\n`;
}

/** The formulations that a summary of a farm has a column for. */
export function shownKinds({ domains }: Farm): Formulation[] {
  return formulation.options.filter(
    (kind) => OF_EVERY_QUESTION.includes(kind) || domains.some(({ samples }) => samples[kind] > 0),
  );
}

function renamedNote({ renamed }: Split, out: string): string {
  if (renamed === undefined || renamed.left_out.length === 0) return '';
  return `${counted(renamed.left_out.length, 'question')} left out under the new names; see why: ${out}/renames.json\n`;
}

/** `2 questions rejected in 3 formulations`, neither of which is the number of verdicts. */
function rejectedNote({ questions, formulations }: GenerateSummary['rejected'], out: string): string {
  if (questions === 0) return '';
  return `${counted(questions, 'question')} rejected in ${counted(formulations, 'formulation')}; see why: ${ROOKERY} coverage ${out}\n`;
}

function nearLimitNote(questions: number): string {
  return (
    `${counted(questions, 'question')} took a third of the time limit or more, so a slower machine may decide otherwise: ` +
    'machine_dependent in coverage.json. Raise --timeout if some are lost.\n'
  );
}

function unreadNote({ questions_file, unread_files }: Split): string {
  if (unread_files.length === 0) return '';
  const others = unread_files.join(', ');
  return `Questions of ${basename(questions_file)}; not read: ${others} (give the path of one instead of the folder's)\n`;
}

export const BUNDLED_NAME = 'bundled';

interface BundledOptions extends Pick<GenerateFarmOptions, 'jobs' | 'grows'> {
  readonly only?: readonly DomainName[] | undefined;
  /** Whether to prove everything, instead of taking the proofs that ship. */
  readonly anew?: boolean;
}

/** Generates the farm of the bundled split, or of some of its domains. */
export async function generateBundled(
  out: string,
  { only, anew = false, ...options }: BundledOptions = {},
): Promise<void> {
  const growth: Growth = {
    coming: [...(only ?? DOMAIN_NAMES)],
    done: 0,
    total: 0,
    step: 'builds the databases',
  };
  if (options.grows) process.send?.({ growth });
  const split = await buildBundledSplit({ only });
  await generateFarm(split, {
    ...options,
    out,
    name: BUNDLED_NAME,
    referenceTime: DEFAULT_REFERENCE_TIME,
    timeout: DEFAULT_TIMEOUT,
    known: anew ? undefined : shippedProofs,
  });
}

/** The proofs of a bundled domain that ship, if they are of these data and this code. */
export function shippedProofs(domain: Domain, database: string): DomainResult | undefined {
  return readProofs(proofsFile(domain.db), domain, { data: bundledHash(domain.db), database });
}

/** Validates names of bundled domains. Throws OPTION_INVALID for an unknown name. */
export function bundledDomains(names: readonly string[]): DomainName[] {
  return names.map((name) => {
    const found = DOMAIN_NAMES.find((known) => known === name);
    if (found !== undefined) return found;
    const detail = `there is no bundled domain ${name}${insteadOf(name, DOMAIN_NAMES)}`;
    throw new OptionError('--only', detail);
  });
}
