import { markGuessable } from '../card/mark-guessable.ts';
import type { WorldDomain } from './prove-world-domain.ts';

/** The domains of a world, the flag `guessable` on what agents pass there without a thought. */
export function flagGuessable(domains: readonly WorldDomain[]): WorldDomain[] {
  const marked = markGuessable(
    domains.map(({ database, verdicts, origin }) => ({
      database,
      samples: verdicts.flatMap((verdict) => ('sample' in verdict ? [verdict.sample] : [])),
      tables: origin.service.catalog.tables,
    })),
  );
  return domains.map((domain) => ({
    ...domain,
    verdicts: domain.verdicts.map((verdict) =>
      'sample' in verdict ? { ...verdict, sample: marked.get(verdict.sample) ?? verdict.sample } : verdict,
    ),
  }));
}
