import { markGuessable } from '../card/mark-guessable.ts';
import type { DomainResult } from '../emit/emit-farm.ts';

/** The domains of a whole farm, the flag `guessable` on what agents pass without a thought and on its verdicts. */
export function flagGuessable(domains: readonly DomainResult[]): DomainResult[] {
  const marked = markGuessable(
    domains.map(({ database, samples, service }) => ({ database, samples, tables: service.catalog.tables })),
  );
  return domains.map((domain) => {
    const samples = domain.samples.map((sample) => marked.get(sample) ?? sample);
    const flags = new Map(samples.map((sample) => [keyOf(sample), sample.flags]));
    return {
      ...domain,
      samples,
      verdicts: domain.verdicts.map((verdict) => ({
        ...verdict,
        flags: flags.get(keyOf(verdict)) ?? verdict.flags,
      })),
    };
  });
}

function keyOf({
  question_id,
  formulation,
}: {
  readonly question_id: string | number;
  readonly formulation: string;
}): string {
  return `${formulation}/${question_id}`;
}
