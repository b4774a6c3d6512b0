import type { Domain, Question } from '../../contracts/split.ts';
import type { DomainResult } from '../emit/emit-farm.ts';
import type { OnBug } from '../lower/candidate.ts';
import { Oracle } from '../oracle/oracle.ts';
import { Sharpener } from '../search/sharpener.ts';
import type { DomainOptions } from './domain-context.ts';
import { proveDomain } from './prove-domain.ts';

/** What is told while domains are proven. */
export interface ProverEvents {
  readonly signal?: AbortSignal | undefined;
  /** Called once for each verdict. */
  readonly onVerdict?: ((db: string) => void) | undefined;
  /** Called before each step of a domain that can take long. */
  readonly onStep?: ((db: string, step: string) => void) | undefined;
  /** Called for each bug of rookery that costs a question; without it, the first bug ends the run. */
  readonly onBug?: OnBug | undefined;
}

/** Lowers and proves the questions of domains. */
export interface Prover {
  prove(domain: Domain, questions: readonly Question[]): Promise<DomainResult>;
  /** Stops what runs, which then rejects. */
  close(): Promise<void>;
}

/** Proves domains in this process; only queries and searches run in others. */
export class DomainProver implements Prover {
  readonly #options: DomainOptions;
  readonly #events: ProverEvents;
  readonly #oracle: Oracle;
  readonly #sharpener: Sharpener;

  constructor(options: DomainOptions, events: ProverEvents) {
    const { referenceTime, timeoutMs, jobs } = options;
    this.#options = options;
    this.#events = events;
    this.#oracle = new Oracle({ referenceTime, children: jobs, limitMs: timeoutMs });
    this.#sharpener = new Sharpener(jobs);
  }

  prove(domain: Domain, questions: readonly Question[]): Promise<DomainResult> {
    const { signal, onVerdict, onStep, onBug } = this.#events;
    return proveDomain(domain, questions, {
      ...this.#options,
      oracle: this.#oracle,
      sharpen: this.#sharpener.sharpen,
      signal,
      onBug,
      onVerdict: () => onVerdict?.(domain.db),
      onStep: (step) => onStep?.(domain.db, step),
    });
  }

  async close(): Promise<void> {
    await Promise.all([this.#oracle.close(), this.#sharpener.close()]);
  }
}
