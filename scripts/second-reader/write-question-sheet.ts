import type { CatalogTable } from '../../contracts/catalog.ts';
import type { Domain, Question } from '../../contracts/split.ts';
import { openReadonly } from '../../generator/read/open-database.ts';
import { quoteIdentifier } from '../../sql/index.ts';
import { tableText } from './write-sheet.ts';

/** How many values of a column a reader sees, and how long each may be. */
const VALUES = 4;
const LONGEST = 40;

/** What a second reader of questions reads: a domain's tables, some values of each column, and questions without SQL. */
export function writeQuestionSheet({ db, file, catalog }: Domain, dealt: readonly Question[]): string {
  const database = openReadonly(file);
  try {
    const tables = catalog.tables.map((table) => tableText(table, (column) => valuesOf(table, column)));
    return [`# ${db}`, ...tables, ...dealt.map(questionText)].join('\n\n');
  } finally {
    database.close();
  }

  function valuesOf(table: CatalogTable, column: string): string {
    const quoted = quoteIdentifier(column);
    const sql = `SELECT DISTINCT ${quoted} FROM ${quoteIdentifier(table.name)} WHERE ${quoted} IS NOT NULL LIMIT ${VALUES}`;
    const values = database.prepare<[], unknown>(sql).pluck().all();
    return values.map((value) => String(value).slice(0, LONGEST)).join(' | ');
  }
}

function questionText({ question_id, question, evidence }: Question): string {
  return [`## ${question_id}`, question, ...(evidence === '' ? [] : [`evidence: ${evidence}`])].join('\n');
}
