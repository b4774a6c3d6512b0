import type { Domain, Question } from '../../contracts/split.ts';
import { ChildPool, fromWire } from '../../services/base/sandbox/index.ts';
import type { DomainResult } from '../emit/emit-farm.ts';
import { PATIENCE } from '../oracle/oracle.ts';
import type { DomainOptions } from './domain-context.ts';
import type { Prover, ProverEvents } from './domain-prover.ts';
import type { ProveNote, ProveRequest, ProverInit } from './messages.ts';

/** Proves `size` domains at once, each in a process of its own: what calls cost beside their queries is one core's work. */
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
    const onNote = (note: unknown) => this.#hear(domain, note as ProveNote);
    return this.#pool.run({ domain, questions }, Number.POSITIVE_INFINITY, { onNote });
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  #hear({ db }: Domain, note: ProveNote): void {
    const { onVerdict, onStep, onBug } = this.#events;
    if (note.kind === 'verdict') onVerdict?.(db);
    else if (note.kind === 'step') onStep?.(db, note.step);
    else onBug?.(note.question, fromWire(note.error));
  }
}
