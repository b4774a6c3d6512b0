import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import pMap from 'p-map';
import { type OnBug, UserError } from '../../contracts/errors.ts';
import { formulationsOf } from '../../contracts/formulations.ts';
import type { Domain, Question, Split } from '../../contracts/split.ts';
import { ChildPool, fromWire, type WireError } from '../../services/base/sqlite/child-pool.ts';
import type { DomainOptions } from '../formulations/sample-maker.ts';
import { Oracle, PATIENCE } from '../oracle/oracle.ts';
import { MutantKiller } from '../variants/neighbours.ts';
import type { DomainResult } from '../write/emit-farm.ts';
import type { GrowingFarm } from '../write/growing-farm.ts';
import type { FarmOptions } from '../write/write-folder.ts';
import { failDomain, flagGuessable, proveDomain, withDialoguesAcross } from './prove-domain.ts';
import { declineForbidden, proveUnanswerable } from './unanswerable.ts';

export interface ProveSplitOptions
  extends Pick<DomainOptions, 'referenceTime' | 'timeoutMs' | 'hidden' | 'reads' | 'scratch'> {
  /** Child processes; one a core by default. */
  readonly jobs?: number | undefined;
  /** Verdicts that justify one more process; 300 by default. */
  readonly verdictsPerProcess?: number;
  /** Put parameters of endpoints into the path where possible. */
  readonly pathParameters?: boolean;
  /** Keeps what is proven, and has what was proven before an interruption. */
  readonly growing?:
    | {
        readonly farm: GrowingFarm;
        readonly onGrown: (folder: string, coming: readonly string[]) => void;
      }
    | undefined;
  /** The result of a domain that needs no other proof, with its served copy at `database`. */
  readonly known?: ((domain: Domain, database: string) => DomainResult | undefined) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Counts verdicts: one per question and formulation. */
  readonly onProgress?: FarmOptions<'prove'>['onProgress'];
  /** Called for each bug that rejects a question; if absent, the first bug ends the run. */
  readonly onBug?: OnBug;
  /** Called for each bug that rejects a whole domain; if absent, it ends the run. */
  readonly onFailedDomain?: (db: string, error: unknown) => void;
}

/** Fewer verdicts do not make up for the seconds it takes to start a process. */
const VERDICTS_PER_PROCESS = 300;

/**
 * Proves domains, several at once in child processes if there are enough: the longest first, so that none is left alone at
 * the end, or, for a farm that is served as it grows, the quickest first. The results are in the order of the split.
 */
export async function proveSplit(
  split: Split,
  {
    jobs = availableParallelism(),
    verdictsPerProcess = VERDICTS_PER_PROCESS,
    signal,
    ...options
  }: ProveSplitOptions,
): Promise<DomainResult[]> {
  const { referenceTime, timeoutMs, pathParameters = false, hidden, reads, scratch, growing } = options;
  const { onProgress, onBug, onFailedDomain } = options;
  const domains = split.domains.length;
  const total = countCandidates(split.questions);
  const worthwhile = Math.min(jobs, Math.floor(total / verdictsPerProcess));
  const processes = Math.min(domains, worthwhile);
  const inChildren = processes > 1;
  const jobsOfEach = inChildren ? Math.ceil(jobs / processes) : jobs;
  const plan: DomainOptions = {
    split: split.name,
    dataLicence: split.data_licence,
    referenceTime,
    timeoutMs,
    pathParameters,
    hidden,
    reads,
    scratch,
    jobs: jobsOfEach,
    children: inChildren ? jobsOfEach : Math.max(1, worthwhile),
  };
  let done = 0;
  const onVerdict = (db: string) => onProgress?.({ stage: 'prove', done: ++done, total, label: db });
  const onStep = (db: string, step: string) =>
    onProgress?.({ stage: 'prove', done, total, label: `${db}: ${step}` });
  const events = { signal, onVerdict, onStep, onBug };
  const prover: Prover = inChildren
    ? new ProverInChildren(plan, events, processes)
    : new DomainProver(plan, events);
  const oracle = prover.oracle ?? new Oracle({ referenceTime, children: 1, limitMs: timeoutMs });
  // A running query would delay the interruption.
  const stop = () => void prover.close();
  let ended = false;
  signal?.addEventListener('abort', stop, { once: true });
  try {
    const results = new Map<string, DomainResult>();
    const report = () => {
      const coming = split.domains.map(({ db }) => db).filter((db) => !results.has(db));
      growing?.onGrown(growing.farm.folder, coming);
    };
    report();
    await pMap(
      growing ? quickestFirst(split) : quickestFirst(split).reverse(),
      async (domain) => {
        const database = join(scratch, `${domain.db}.sqlite`);
        const known = growing?.farm.known(domain.db, database) ?? options.known?.(domain, database);
        const proven = known ?? (await proveOne(domain));
        const result = await withUnanswerable(domain, proven);
        if (known) {
          done += countCandidates(split.questions.filter(({ db_id }) => db_id === domain.db));
          onStep(domain.db, 'proven before');
        }
        await growing?.farm.add(proven, flagGuessable([result])[0] as DomainResult);
        results.set(domain.db, result);
        report();
      },
      { concurrency: inChildren ? processes : jobs },
    );
    const proven = split.domains.map(({ db }) => results.get(db) as DomainResult);
    return withDialoguesAcross(proven, split.questions);
  } finally {
    ended = true;
    signal?.removeEventListener('abort', stop);
    await Promise.all([prover.close(), oracle.close()]);
  }

  /** These are few, and not part of the proofs that ship. */
  async function withUnanswerable(domain: Domain, result: DomainResult): Promise<DomainResult> {
    const questions = split.questions.filter(({ db_id }) => db_id === domain.db);
    const { result: open, declined } = await declineForbidden(domain, result, questions, oracle);
    const asked = domain.unanswerable && (await proveUnanswerable(domain, open, { oracle, jobs: plan.jobs }));
    const parts = [asked, declined].filter((part) => part !== undefined);
    if (parts.length === 0) return open;
    const samples = parts.flatMap((part) => part.samples);
    return { ...open, unanswerable: { samples, verdicts: parts.flatMap((part) => part.verdicts) } };
  }

  async function proveOne(domain: Domain): Promise<DomainResult> {
    const questions = split.questions.filter(({ db_id }) => db_id === domain.db);
    try {
      return await prover.prove(domain, questions);
    } catch (error) {
      if (!onFailedDomain || ended || signal?.aborted || !isBug(error)) throw error;
      onFailedDomain(domain.db, error);
      return failDomain(domain, questions, error, plan);
    }
  }
}

/** What is proven of the questions, besides actions: each in each of its formulations. */
const countCandidates = (questions: readonly Question[]): number =>
  questions.reduce((sum, question) => sum + formulationsOf(question).length, 0);

/** A question over a database of this size takes twice as long as over an empty one. */
const BYTES_OF_A_QUESTION = 1024 * 1024;

/** Orders domains by the number of questions to prove and the size of the database. */
function quickestFirst({ domains, questions }: Split): Domain[] {
  const work = new Map(
    domains.map(({ db, file }) => {
      const asked = questions.filter(({ db_id }) => db_id === db).length;
      return [db, asked * (BYTES_OF_A_QUESTION + statSync(file).size)];
    }),
  );
  return [...domains].sort((a, b) => (work.get(a.db) ?? 0) - (work.get(b.db) ?? 0));
}

/** Whether neither the user nor the machine (a full disk, for example) is at fault. */
function isBug(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return !(error instanceof UserError) && !/^(E[A-Z]+|SQLITE_(FULL|IOERR|NOMEM|CORRUPT).*)$/.test(code);
}

interface ProverEvents {
  readonly signal?: AbortSignal | undefined;
  readonly onVerdict?: ((db: string) => void) | undefined;
  readonly onStep?: ((db: string, step: string) => void) | undefined;
  readonly onBug?: OnBug | undefined;
}

interface Prover {
  /** Set if the prover works in this process. */
  readonly oracle?: Oracle;
  prove(domain: Domain, questions: readonly Question[]): Promise<DomainResult>;
  /** Stops running work, which is rejected. */
  close(): Promise<void>;
}

/** Proves domains in this process; only queries and searches run in others. */
export class DomainProver implements Prover {
  readonly #options: DomainOptions;
  readonly #events: ProverEvents;
  readonly oracle: Oracle;
  readonly #killer: MutantKiller;

  constructor(options: DomainOptions, events: ProverEvents) {
    const { referenceTime, timeoutMs, children } = options;
    this.#options = options;
    this.#events = events;
    this.oracle = new Oracle({ referenceTime, children, limitMs: timeoutMs });
    this.#killer = new MutantKiller(children);
  }

  prove(domain: Domain, questions: readonly Question[]): Promise<DomainResult> {
    const { signal, onVerdict, onStep, onBug } = this.#events;
    return proveDomain(domain, questions, {
      ...this.#options,
      oracle: this.oracle,
      killMutants: this.#killer.killMutants,
      signal,
      onBug,
      onVerdict: () => onVerdict?.(domain.db),
      onStep: (step) => onStep?.(domain.db, step),
    });
  }

  async close(): Promise<void> {
    await Promise.all([this.oracle.close(), this.#killer.close()]);
  }
}

/** Proves `size` domains at once, since everything but queries is bound to one core. */
export class ProverInChildren implements Prover {
  readonly #pool: ChildPool<ProveRequest, DomainResult>;
  readonly #events: ProverEvents;

  constructor(options: DomainOptions, events: ProverEvents, size: number) {
    const init: ProverInit = { ...options, outlivesBugs: events.onBug !== undefined };
    const module = new URL('./domain-child.ts', import.meta.url);
    this.#pool = new ChildPool({ module, size, init, patience: PATIENCE });
    this.#events = events;
  }

  prove(domain: Domain, questions: readonly Question[]): Promise<DomainResult> {
    const onNote = (note: unknown) => this.#onNote(domain, note as ProveNote);
    return this.#pool.run({ domain, questions }, Number.POSITIVE_INFINITY, { onNote });
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  #onNote({ db }: Domain, note: ProveNote): void {
    const { onVerdict, onStep, onBug } = this.#events;
    if (note.kind === 'verdict') onVerdict?.(db);
    else if (note.kind === 'step') onStep?.(db, note.step);
    else onBug?.(note.question, fromWire(note.error));
  }
}

export interface ProverInit extends DomainOptions {
  /** Whether a bug rejects only its question. */
  readonly outlivesBugs: boolean;
}

export interface ProveRequest {
  readonly domain: Domain;
  readonly questions: readonly Question[];
}

export type ProveNote =
  | { readonly kind: 'verdict' }
  | { readonly kind: 'step'; readonly step: string }
  | { readonly kind: 'bug'; readonly question: Question; readonly error: WireError };
