import Database from 'better-sqlite3';
import { sameRows } from '../contracts/same-rows.ts';
import type { Row } from '../contracts/value.ts';
import {
  type CardRow,
  type IsDump,
  integrityCard,
  THOUGHTLESS,
  type Thoughtless,
} from '../eval/card/integrity-card.ts';
import { readFarm } from '../eval/farm/read-farm.ts';
import { loadFarm } from '../services/base/farm/load-farm.ts';
import { textTable } from './text-table.ts';

const AGENTS = Object.keys(THOUGHTLESS) as Thoughtless[];

/** The integrity card of a farm as text: what agents that do not think would score. */
export async function integrityCardOf(farm: string): Promise<string> {
  const { samples } = readFarm(farm);
  const { domains } = await loadFarm(farm);
  const tables = new Map(
    domains.map(({ service, database }) => [service.db, { catalog: service.catalog, database }]),
  );
  const isDump: IsDump = (db, rows) => {
    const domain = tables.get(db);
    const [first] = rows;
    if (!domain || !first || rows.length < 2) return false;
    const alike = domain.catalog.tables.filter(
      (table) => table.rows === rows.length && (first.length === 1 || first.length === table.columns.length),
    );
    return alike.some((table) => holdsRows(domain.database, table.name, rows));
  };
  const card = integrityCard(samples, isDump);
  const lines = AGENTS.map((agent) => `  ${agent}: ${THOUGHTLESS[agent]}`);
  return [
    'All samples, and the share that agents pass which look at no question',
    cardTable(card.all),
    '',
    'Without flags empty_gold, null_gold and zero_gold (?flags=-empty_gold,-null_gold,-zero_gold)',
    cardTable(card.telling),
    '',
    ...lines,
    '',
  ].join('\n');
}

function cardTable(rows: readonly CardRow[]): string {
  return textTable(
    ['formulation', 'samples', ...AGENTS],
    rows.map(({ formulation, samples, passes }) => [
      formulation,
      samples,
      ...AGENTS.map((agent) => `${((100 * passes[agent]) / samples).toFixed(2)} %`),
    ]),
  );
}

/** Whether a table, or one of its columns, holds just these rows. */
function holdsRows(file: string, table: string, rows: readonly Row[]): boolean {
  const db = new Database(file, { readonly: true });
  try {
    const all = db
      .prepare(`SELECT * FROM "${table.replaceAll('"', '""')}"`)
      .raw(true)
      .all() as Row[];
    const width = all[0]?.length ?? 0;
    if (rows[0]?.length === width && sameRows(rows, all, null)) return true;
    if (rows[0]?.length !== 1) return false;
    return Array.from({ length: width }, (_, i) => all.map((row) => [row[i] ?? null])).some((column) =>
      sameRows(rows, column, null),
    );
  } finally {
    db.close();
  }
}
