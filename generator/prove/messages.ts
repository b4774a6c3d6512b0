import type { Domain, Question } from '../../contracts/split.ts';
import type { WireError } from '../../services/base/sandbox/index.ts';
import type { DomainOptions } from './domain-context.ts';

/** What every child that proves domains is given at its start. */
export interface ProverInit extends DomainOptions {
  /** Whether a bug of rookery costs only its question. */
  readonly outlivesBugs: boolean;
}

export interface ProveRequest {
  readonly domain: Domain;
  readonly questions: readonly Question[];
}

/** What a child tells while it proves. */
export type ProveNote =
  | { readonly kind: 'verdict' }
  | { readonly kind: 'step'; readonly step: string }
  | { readonly kind: 'bug'; readonly question: Question; readonly error: WireError };
