import { type ImportedQuery, importDbGorilla } from '../eval/import/dbgorilla/import-dbgorilla.ts';
import { type PublishedScores, scorePublished } from '../eval/import/dbgorilla/score-published.ts';
import { writeOutput } from './score/write-output.ts';
import { textTable } from './text-table.ts';

/** Writes the published questions with what is wrong with them, and prints the scores of published predictions. */
export function importPublished(file: string, results: readonly string[], out: string): void {
  const queries = importDbGorilla(file);
  const scored = results.map((each) => scorePublished(each, queries));
  writeOutput(out, queries.map((query) => `${JSON.stringify(query)}\n`).join(''));
  const flagged = queries.filter(({ quirks }) => quirks.length > 0).length;
  process.stdout.write(
    `${queries.length} questions written to ${out}; ${flagged} have gold queries with quirks${flagged > 0 ? `:\n${quirkTable(queries)}` : '\n'}`,
  );
  if (scored.length > 0) process.stdout.write(`\n${scoreTable(scored)}`);
}

function quirkTable(queries: readonly ImportedQuery[]): string {
  const rows = queries.flatMap(({ id, quirks }) =>
    quirks.map(({ kind, argument, detail }) => [id, kind, argument, detail]),
  );
  return textTable(['question', 'quirk', 'argument', ''], rows);
}

function scoreTable(all: readonly PublishedScores[]): string {
  const head = [
    'model',
    'exact',
    'strict',
    'published exact',
    'AST, paper',
    'AST, code',
    'routing',
    'tool selected',
    'invalid',
    'asked with another schema',
  ];
  const rows = all.map(({ model, scores }) => {
    const mean = (of: (score: (typeof scores)[number]['score']) => number | boolean) =>
      scores.reduce((sum, { score }) => sum + Number(of(score)), 0) / scores.length;
    const percent = (value: number) => `${(value * 100).toFixed(1)} %`;
    return [
      model,
      percent(mean(({ exact }) => exact)),
      percent(mean(({ exact_strict }) => exact_strict)),
      percent(mean(({ exact_legacy }) => exact_legacy)),
      mean(({ ast }) => ast).toFixed(3),
      mean(({ ast_legacy }) => ast_legacy).toFixed(3),
      percent(mean(({ routed }) => routed)),
      percent(mean(({ call }) => call !== 'none')),
      percent(mean(({ call }) => call === 'invalid')),
      scores.filter(({ otherSchema }) => otherSchema).length,
    ];
  });
  return textTable(head, rows);
}
