import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../contracts/package-root.ts';
import { writeDatabase } from '../write-database.ts';
import { USE_CASES } from './cases/index.ts';
import { growCollection } from './grow-collection.ts';
import type { Collection, UseCase } from './use-case.ts';

/** The questions, written once for all by `scripts/draw-use-cases.ts`: another version would draw others. */
export const USE_CASE_QUESTIONS = join(packageRoot, 'databases', 'use_cases', 'questions.jsonl');

const README = `# The five use cases of DBGorilla, with rows

${USE_CASES.map(({ db, overview }) => `- \`${db}\`: ${overview}`).join('\n')}

Licence: CC0-1.0
`;

/** Writes the split of the five use cases into an existing, empty folder: databases, descriptions, questions. */
export function writeUseCases(to: string, { questions = true } = {}): void {
  mkdirSync(join(to, 'descriptions'));
  for (const useCase of USE_CASES) {
    const tables = useCase.collections.map((collection) => ({
      table: collection.name,
      rows: growCollection(useCase.db, collection),
    }));
    writeDatabase(join(to, `${useCase.db}.sqlite`), useCase.collections.map(createTable).join('\n'), tables);
    writeFileSync(join(to, 'descriptions', `${useCase.db}.csv`), describe(useCase));
  }
  writeFileSync(join(to, 'README.md'), README);
  if (questions) copyFileSync(USE_CASE_QUESTIONS, join(to, 'questions.jsonl'));
}

function createTable({ name, identifier, text, kind, number, boolean, second }: Collection): string {
  const type = number.digits > 0 ? 'REAL' : 'INTEGER';
  return `CREATE TABLE ${name} (
  ${identifier.name} TEXT NOT NULL,
  ${text.name} TEXT NOT NULL,
  ${kind.name} TEXT,
  ${number.name} ${type},
  ${boolean.name} INTEGER NOT NULL, -- 0 or 1
  ${second.name} INTEGER -- 0 or 1
);`;
}

/** No text of these has a quote in it, and only facets have commas. */
function describe({ collections }: UseCase): string {
  const lines = collections.flatMap(({ name, items, identifier, text, kind, number, boolean, second }) => [
    `${name},,${items},The ${items},,`,
    ...[identifier, text, kind, number, boolean, second].map(
      (property) =>
        `${name},${property.name},${property.title},${property.title} of ${items},,${property === text ? facetsCell(text.facets) : ''}`,
    ),
  ]);
  return `${['table,column,name,description,value_description,facets', ...lines].join('\n')}\n`;
}

/** A facet a line. */
function facetsCell(facets: string): string {
  const lines = facets.trim().split('\n');
  return `"${lines.map((line) => line.trim()).join('\n')}"`;
}
