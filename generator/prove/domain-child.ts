import { serveChild, toWire } from '../../services/base/sandbox/index.ts';
import type { DomainResult } from '../emit/emit-farm.ts';
import { DomainProver } from './domain-prover.ts';
import type { ProveNote, ProveRequest, ProverInit } from './messages.ts';

/** One for all domains that this process is given: its own child processes are started once, and end with it. */
let prover: DomainProver | undefined;

serveChild<ProveRequest, DomainResult>(({ domain, questions }, init, tell) => {
  prover ??= open(init as ProverInit, tell);
  return prover.prove(domain, questions);
});

function open({ outlivesBugs, ...options }: ProverInit, tell: (note: ProveNote) => void): DomainProver {
  return new DomainProver(options, {
    onVerdict: () => tell({ kind: 'verdict' }),
    onStep: (_, step) => tell({ kind: 'step', step }),
    ...(outlivesBugs && {
      onBug: (question, error) => tell({ kind: 'bug', question, error: toWire(error) }),
    }),
  });
}
