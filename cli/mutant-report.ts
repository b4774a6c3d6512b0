import type { MutantVerdict } from '../generator/mutants/measure-mutants.ts';
import { textTable } from './text-table.ts';

/** The mutation score of a farm's proof as text for a terminal: by what was changed, and by construct of the gold SQL. */
export function mutantReport(verdicts: readonly MutantVerdict[]): string {
  const slips = [...new Set(verdicts.map(({ slip }) => slip))].sort();
  const constructs = [...new Set(verdicts.flatMap((verdict) => verdict.constructs))].sort();
  const bySlip = slips.map((slip) =>
    row(
      slip,
      verdicts.filter((verdict) => verdict.slip === slip),
    ),
  );
  const byConstruct = constructs.map((construct) =>
    row(
      construct,
      verdicts.filter((verdict) => verdict.constructs.includes(construct)),
    ),
  );
  const head = ['', 'mutants', 'equivalent', 'original alone', 'with neighbours'];
  return [
    `Mutation score of the proof, by what was changed\n${textTable(head, [...bySlip, row('all', verdicts)])}`,
    `Mutation score of the proof, by construct of the gold SQL\n${textTable(head, byConstruct)}`,
    'Shares are of mutants that some data tell from the gold SQL; those of which a search found no such data count as equivalent.\n',
  ].join('\n\n');
}

function row(name: string, verdicts: readonly MutantVerdict[]): (string | number)[] {
  const count = (...kinds: readonly MutantVerdict['told'][]) =>
    verdicts.filter(({ told }) => kinds.includes(told)).length;
  const real = verdicts.length - count('none');
  return [
    name,
    String(verdicts.length).padStart(7),
    String(count('none')).padStart(10),
    percent(count('original'), real).padStart(14),
    percent(count('original', 'neighbours'), real).padStart(15),
  ];
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`;
}
