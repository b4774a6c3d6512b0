import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type RestFixture, replay, restFixture } from '../rest-fixture.ts';

/**
 * Each `<schema>.<theme>.sql` holds queries, each an endpoint of its own; `.expected` beside it what is said of them.
 * They are executed: every call answers the rows of its query. `npx vitest run -u` writes what is said now.
 */
const folder = import.meta.dirname;
const fixtures = new Map<string, RestFixture>();
afterAll(() => {
  for (const { db } of fixtures.values()) db.close();
});

function fixtureOf(schema: string): RestFixture {
  const found =
    fixtures.get(schema) ?? restFixture(readFileSync(join(folder, `${schema}.schema.sql`), 'utf8'));
  fixtures.set(schema, found);
  return found;
}

const files = readdirSync(folder).filter((name) => name.endsWith('.sql') && !name.endsWith('.schema.sql'));

describe.each(files)('%s', (file) => {
  const [schema = ''] = file.split('.');
  const queries = readFileSync(join(folder, file), 'utf8')
    .split(/;\s*\n/)
    .map((sql) => sql.trim())
    .filter((sql) => sql !== '');

  test('every query is said as expected, and answered by its endpoint', async () => {
    const fixture = fixtureOf(schema);
    const blocks = queries.map((sql) => {
      const lowered = fixture.lower(sql);
      for (const { gold, answer } of replay(fixture.db, fixture.catalog, lowered))
        expect(answer, sql).toEqual(gold);
      const [endpoint] = lowered.endpoints;
      const parameters = endpoint?.parameters.map(({ name }) => name).join(', ');
      return [sql, `${endpoint?.name}(${parameters})`, endpoint?.summary, endpoint?.description].join('\n');
    });
    await expect(`${blocks.join('\n\n')}\n`).toMatchFileSnapshot(
      join(folder, file.replace(/\.sql$/, '.expected')),
    );
  });

  test('no summary is longer than 160 characters', () => {
    const fixture = fixtureOf(schema);
    const long = queries
      .map((sql) => fixture.lower(sql).endpoints[0]?.summary ?? '')
      .filter((text) => text.length > 160);
    expect(long).toEqual([]);
  });
});
