import Database from 'better-sqlite3';
import type { Service } from '../../contracts/service.ts';
import type { StartTableDefinition } from '../../contracts/start-table.ts';
import { readCatalog } from '../../generator/read/catalog/read-catalog.ts';
import { startPlan } from '../../services/domain/tools/tools/initialize-active-data.ts';

const SCHEMA = `
  CREATE TABLE owner (id INTEGER PRIMARY KEY, name TEXT, town TEXT);
  INSERT INTO owner VALUES (1, 'Ada', 'Lund'), (2, 'Bo', 'Visby'), (3, 'Cleo', NULL);
  CREATE TABLE pet (id INTEGER PRIMARY KEY, owner_id INTEGER REFERENCES owner, name TEXT, kind TEXT, born TEXT, weight REAL);
  INSERT INTO pet VALUES
    (1, 1, 'Rex', 'dog', '2019-05-02', 31.5), (2, 1, 'Tom', 'cat', '2021-11-30', 4.2),
    (3, 2, 'Ivy', 'cat', '2020-01-15', NULL), (4, 2, 'Max', 'dog', '2017-08-08', 12.0),
    (5, NULL, 'Kim', 'bird', NULL, 0.3);
`;

const table = (name: string) => ({ original_table_name: name, modified_table_name: name });
const alone = (name: string): StartTableDefinition => ({
  condition_sequence: [],
  alias_to_table_dict: { [name]: table(name) },
});

/** The start tables of the examples, by label. */
export const STARTS: Readonly<Record<string, StartTableDefinition>> = {
  pets: alone('pet'),
  owners: alone('owner'),
  owned: {
    condition_sequence: [['T1.owner_id', 'T2.id', 'INNER']],
    alias_to_table_dict: { T1: table('pet'), T2: table('owner') },
  },
};

/** A small database for the examples of the page: its bytes, its service, and its tables as Markdown. */
export function exampleShop(): { bytes: Buffer; service: Service; tables: string } {
  const db = new Database(':memory:');
  db.exec(SCHEMA);
  const catalog = readCatalog('vet', db);
  const tables = ['pet', 'owner'].map((name) => {
    const statement = db.prepare(`SELECT * FROM ${name}`).raw();
    const columns = statement.columns().map((column) => column.name);
    const rows = (statement.all() as unknown[][]).map(
      (row) => `| ${row.map((cell) => cell ?? '*NULL*').join(' | ')} |`,
    );
    return `**${name}**\n\n| ${columns.join(' | ')} |\n|${'---|'.repeat(columns.length)}\n${rows.join('\n')}\n`;
  });
  const service: Service = {
    format_version: 1,
    split: 'example',
    db: 'vet',
    title: 'Vet',
    reference_time: '2024-01-01 00:00:00',
    endpoints: [],
    start_tables: Object.values(STARTS).map((each) => ({
      ...each,
      handle: startPlan(each, { catalog }).handle,
    })),
    catalog,
  };
  const bytes = db.serialize();
  db.close();
  return { bytes, service, tables: tables.join('\n') };
}
