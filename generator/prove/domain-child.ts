import { serveChild, toWire } from '../../services/base/sqlite/child-pool.ts';
import type { DomainResult } from '../write/emit-farm.ts';
import { DomainProver, type ProveNote, type ProveRequest, type ProverInit } from './prove-split.ts';

/** Shared by all domains of this process, so that its child processes start once. */
let prover: DomainProver | undefined;

serveChild<ProveRequest, DomainResult>(({ domain, questions }, init, notify) => {
  prover ??= open(init as ProverInit, notify);
  return prover.prove(domain, questions);
});

function open({ outlivesBugs, ...options }: ProverInit, notify: (note: ProveNote) => void): DomainProver {
  return new DomainProver(options, {
    onVerdict: () => notify({ kind: 'verdict' }),
    onStep: (_, step) => notify({ kind: 'step', step }),
    onBug: outlivesBugs
      ? (question, error) => notify({ kind: 'bug', question, error: toWire(error) })
      : undefined,
  });
}
