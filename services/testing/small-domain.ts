import { writeFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import type { Problem } from '../../contracts/problem.ts';
import type { Service } from '../../contracts/service.ts';
import type { StartTableDefinition } from '../../contracts/start-table.ts';
import type { ToolAnswer } from '../../contracts/tools.ts';
import { readCatalog } from '../../generator/read/catalog/read-catalog.ts';
import { startPlan } from '../domain/tools/tools/initialize-active-data.ts';
import { smallDatabase } from './tools/small-database.ts';

const table = (name: string) => ({ original_table_name: name, modified_table_name: name });

export const PERSON: StartTableDefinition = {
  condition_sequence: [],
  alias_to_table_dict: { person: table('person') },
};

export const PERSON_CITY: StartTableDefinition = {
  condition_sequence: [['T1.city_id', 'T2.id', 'LEFT']],
  alias_to_table_dict: { T1: table('person'), T2: table('city') },
};

/** Writes the small database to a file and answers its service, with the two start tables above. */
export function makeSmallDomain(file: string): Service {
  const db = smallDatabase();
  writeFileSync(file, db.serialize());
  const catalog = readCatalog('small', db);
  db.close();
  return {
    format_version: 1,
    split: 'test',
    db: 'small',
    title: 'Small',
    reference_time: '2024-01-01 00:00:00',
    endpoints: [],
    start_tables: [PERSON, PERSON_CITY].map((definition) => ({
      ...definition,
      handle: startPlan(definition, { catalog }).handle,
    })),
    catalog,
  };
}

/** Posts a call; `path` is `slot/filter_data?preview=0`. */
export async function post(app: FastifyInstance, path: string, body: unknown) {
  const answer = await app.inject({ method: 'POST', url: `/v1/test/small/${path}`, payload: body as object });
  return { status: answer.statusCode, text: answer.body, json: () => answer.json() as ToolAnswer & Problem };
}
