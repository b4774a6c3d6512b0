import Database from 'better-sqlite3';
import { beforeAll, describe, expect, test } from 'vitest';
import { sameRows } from '../contracts/answer-rows.ts';
import type { Row } from '../contracts/catalog.ts';
import type { Domain, Split } from '../contracts/split.ts';
import { type LoweredRest, lowerRest } from '../generator/lower/lower-rest.ts';
import { readSplit } from '../generator/read/read-split.ts';
import { parseQuery, printQuery } from '../sql/index.ts';
import { hasPublished, publishedSplit, withPublished } from './support/published-splits.ts';

const REFERENCE_TIME = '2025-01-01 00:00:00';
const MINUTE = 60_000;

interface LoweredDomain extends LoweredRest {
  readonly domain: Domain;
}

describe.each(['bird-dev', 'spider-dev'] as const)('the REST lowering of %s', (name) => {
  const folder = publishedSplit(name);
  describe.skipIf(!hasPublished(name))(withPublished(name, 'when the split is here'), () => {
    let split: Split;
    let domains: readonly LoweredDomain[];

    beforeAll(async () => {
      split = await readSplit(folder);
      domains = split.domains.map((domain) => ({ domain, ...lowerDomain(split, domain) }));
    }, 2 * MINUTE);

    test('every question is one call', () => {
      expect(domains.flatMap(({ rejections }) => rejections)).toEqual([]);
      expect(domains.flatMap(({ candidates }) => candidates)).toHaveLength(split.questions.length);
    });

    test('the call answers the rows of the query', { timeout: 5 * MINUTE }, () => {
      for (const { domain, endpoints, candidates } of domains) {
        const db = new Database(domain.file, { readonly: true });
        const byName = new Map(endpoints.map((endpoint) => [endpoint.name, endpoint]));
        for (const { question, endpoint: called, output } of candidates) {
          const endpoint = byName.get(called);
          const given = output[0]?.arguments ?? {};
          const values = (endpoint?.parameters ?? []).map(({ name: parameter, type, array }) => {
            const value = given[parameter];
            if (array) return [parameter, JSON.stringify(value)];
            return [parameter, type === 'integer' ? BigInt(value as number) : value];
          });
          const answer = db
            .prepare(endpoint?.sql ?? '')
            .raw()
            .all(Object.fromEntries(values)) as Row[];
          const gold = db
            .prepare(printQuery(queryOf(question.sql, domain)))
            .raw()
            .all() as Row[];
          expect(sameRows(gold, answer, null), `${question.db_id} ${question.question_id}`).toBe(true);
        }
        db.close();
      }
    });

    test('names are safe, unique and hardly ever numbered', () => {
      let numbered = 0;
      for (const { endpoints } of domains) {
        const names = endpoints.map((endpoint) => endpoint.name);
        const ids = endpoints.map(({ operation_id }) => operation_id);
        for (const one of names) expect(one).toMatch(/^[a-z][a-z0-9_]{0,63}$/);
        for (const one of ids) expect(one).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
        expect(new Set(names).size).toBe(names.length);
        expect(new Set(ids).size).toBe(ids.length);
        for (const { parameters, columns } of endpoints) {
          for (const list of [parameters, columns]) {
            for (const one of list) expect(one.name).toMatch(/^[a-z][a-z0-9_]{0,63}$/);
            expect(new Set(list.map((one) => one.name)).size).toBe(list.length);
          }
        }
        numbered += names.filter(
          (one) => names.includes(one.replace(/_\d+$/, '')) && /_\d+$/.test(one),
        ).length;
      }
      expect(numbered / domains.flatMap(({ endpoints }) => endpoints).length).toBeLessThan(0.01);
    });

    test('what is said holds no text that a question of the domain chooses, but for names of the schema', () => {
      for (const { domain, endpoints, candidates } of domains) {
        const names = schemaText(domain);
        const chosen = candidates.flatMap(({ output }) => Object.values(output[0]?.arguments ?? {}).flat());
        const texts = [
          ...new Set(chosen.filter((value) => typeof value === 'string' && value.length > 2)),
        ] as string[];
        const told = texts.filter((text) => !isSaid(text, names) && !OWN_WORDS.test(text));
        const said = endpoints.flatMap(({ summary, description, parameters, columns }) => [
          summary,
          description,
          ...[...parameters, ...columns].map((one) => one.description),
        ]);
        const all = said.join('\n');
        expect(
          told.filter((text) => isSaid(text, all)),
          domain.db,
        ).toEqual([]);
      }
    });

    test('the same questions give the same bytes', () => {
      for (const { domain, endpoints } of domains) {
        expect(JSON.stringify(lowerDomain(split, domain).endpoints)).toBe(JSON.stringify(endpoints));
      }
    });
  });
});

function lowerDomain(split: Split, domain: Domain): LoweredRest {
  const questions = split.questions.filter(({ db_id }) => db_id === domain.db);
  const queries = questions.map((question) => ({ question, query: queryOf(question.sql, domain) }));
  return lowerRest(queries, { split: split.name, db: domain.db, catalog: domain.catalog });
}

function queryOf(sql: string, { catalog }: Domain) {
  return parseQuery(sql, { catalog, referenceTime: REFERENCE_TIME });
}

/** Words that any endpoint is described with. */
const OWN_WORDS =
  /^(value|text|rows?|list|given|first|number|name|highest|lowest|same|total|average|percentage|conditions?|source|limit)$/i;

/** Everything in names of tables and columns, as they are and as people call them. */
function schemaText({ catalog }: Domain): string {
  const words = (name: string | null) => `${name} ${name?.replace(/([a-z])([A-Z])|_/g, '$1 $2')}`;
  return catalog.tables
    .flatMap(({ name, friendly_name, columns }) => [
      words(name),
      words(friendly_name),
      ...columns.flatMap((column) => [words(column.name), words(column.friendly_name)]),
    ])
    .join('\n');
}

function isSaid(text: string, prose: string): boolean {
  const escaped = text.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?:s|es)?(?![\\p{L}\\p{N}])`, 'iu').test(prose);
}
