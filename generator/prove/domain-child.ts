import { serveChild, toWire } from '../../services/base/sqlite/child-pool.ts';
import type { DomainResult } from '../emit/emit-farm.ts';
import { DomainProver, type ProveNote, type ProveRequest, type ProverInit } from './provers.ts';

/** Shared by all domains of this process, so that its child processes start once. */
let prover: DomainProver | undefined;

serveChild<ProveRequest, DomainResult>(({ domain, questions }, init, tell) => {
  prover ??= open(init as ProverInit, tell);
  return prover.prove(domain, questions);
});

function open({ outlivesBugs, ...options }: ProverInit, tell: (note: ProveNote) => void): DomainProver {
  return new DomainProver(options, {
    onVerdict: () => tell({ kind: 'verdict' }),
    onStep: (_, step) => tell({ kind: 'step', step }),
    onBug: outlivesBugs
      ? (question, error) => tell({ kind: 'bug', question, error: toWire(error) })
      : undefined,
  });
}
