import { UserError } from '../../contracts/errors.ts';
import { serveChild, toWire } from '../../services/base/sandbox/index.ts';
import { DomainProver } from './domain-prover.ts';
import type { ProveNote, ProveReply, ProveRequest, ProverInit } from './messages.ts';

serveChild<ProveRequest, ProveReply>(async ({ domain, questions }, init, tell) => {
  const { outlivesBugs, ...options } = init as ProverInit;
  const note = (each: ProveNote) => tell(each);
  const prover = new DomainProver(options, {
    onVerdict: () => note({ kind: 'verdict' }),
    onTimeout: () => note({ kind: 'timeout' }),
    ...(outlivesBugs && {
      onBug: (question, error) => note({ kind: 'bug', question, error: toWire(error) }),
    }),
  });
  try {
    return { kind: 'proven', result: await prover.prove(domain, questions) };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const { code, file, message } = error;
    return { kind: 'refused', code, file, message };
  } finally {
    await prover.close();
  }
});
