import type { Domain, Question } from '../../contracts/split.ts';
import { ChildPool, fromWire, type WireError } from '../../services/base/sqlite/child-pool.ts';
import type { DomainResult } from '../emit/emit-farm.ts';
import type { OnBug } from '../lower/candidate.ts';
import { Oracle, PATIENCE } from '../oracle/oracle.ts';
import { MutantKiller } from '../search/mutant-killer.ts';
import { type DomainOptions, proveDomain } from './prove-domain.ts';

/** Progress and bugs. */
interface ProverEvents {
  readonly signal?: AbortSignal | undefined;
  readonly onVerdict?: ((db: string) => void) | undefined;
  readonly onStep?: ((db: string, step: string) => void) | undefined;
  readonly onBug?: OnBug | undefined;
}

interface Prover {
  prove(domain: Domain, questions: readonly Question[]): Promise<DomainResult>;
  /** Stops running work, which is rejected. */
  close(): Promise<void>;
}

/** Proves domains in this process; only queries and searches run in others. */
export class DomainProver implements Prover {
  readonly #options: DomainOptions;
  readonly #events: ProverEvents;
  readonly #oracle: Oracle;
  readonly #killer: MutantKiller;

  constructor(options: DomainOptions, events: ProverEvents) {
    const { referenceTime, timeoutMs, jobs } = options;
    this.#options = options;
    this.#events = events;
    this.#oracle = new Oracle({ referenceTime, children: jobs, limitMs: timeoutMs });
    this.#killer = new MutantKiller(jobs);
  }

  prove(domain: Domain, questions: readonly Question[]): Promise<DomainResult> {
    const { signal, onVerdict, onStep, onBug } = this.#events;
    return proveDomain(domain, questions, {
      ...this.#options,
      oracle: this.#oracle,
      killMutants: this.#killer.killMutants,
      signal,
      onBug,
      onVerdict: () => onVerdict?.(domain.db),
      onStep: (step) => onStep?.(domain.db, step),
    });
  }

  async close(): Promise<void> {
    await Promise.all([this.#oracle.close(), this.#killer.close()]);
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

/** Sent to a child at its start. */
export interface ProverInit extends DomainOptions {
  /** Whether a bug rejects only its question. */
  readonly outlivesBugs: boolean;
}

export interface ProveRequest {
  readonly domain: Domain;
  readonly questions: readonly Question[];
}

/** Sent by a child while it proves. */
export type ProveNote =
  | { readonly kind: 'verdict' }
  | { readonly kind: 'step'; readonly step: string }
  | { readonly kind: 'bug'; readonly question: Question; readonly error: WireError };
