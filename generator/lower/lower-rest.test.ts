import { afterAll, describe, expect, test } from 'vitest';
import type { EndpointWords } from '../../contracts/words.ts';
import { parseQuery } from '../../sql/index.ts';
import { lowerRest } from './lower-rest.ts';
import { REFERENCE_TIME, restFixture } from './testing/rest-fixture.ts';

const { catalog, db, question } = restFixture();
afterAll(() => db.close());

/** Two queries, one of a column whose prose can be read once only: it stands for an unexpected fault. */
function brokenQueries() {
  const broken = structuredClone(catalog);
  const score = broken.tables.flatMap(({ columns }) => columns).find(({ name }) => name === 'score');
  let reads = 0;
  Object.defineProperty(score, 'value_description', {
    get() {
      if (reads++ > 0) throw new TypeError('odd');
      return null;
    },
  });
  const context = { split: 'test', db: 'films', catalog: broken };
  const sql = ['SELECT title FROM film WHERE score > 7', 'SELECT title FROM film WHERE "year" = 2001'];
  const queries = sql.map((text) => ({
    question: question(text),
    query: parseQuery(text, { catalog: broken, referenceTime: REFERENCE_TIME }),
  }));
  return { queries, context };
}

test('a bug in describing an endpoint costs its questions, and is reported', () => {
  const { queries, context } = brokenQueries();
  const bugs: unknown[] = [];
  const lowered = lowerRest(queries, { ...context, onBug: (_question, error) => bugs.push(error) });
  expect(lowered.endpoints.map(({ name }) => name)).toEqual(['films_by_year']);
  expect(lowered.candidates.map((candidate) => candidate.question)).toEqual([queries[1]?.question]);
  expect(lowered.rejections).toEqual([
    { question: queries[0]?.question, rejection: { code: 'GENERATOR_BUG', reason: 'odd', clause: null } },
  ]);
  expect(bugs).toEqual([new TypeError('odd')]);
});

test('without a listener, a bug is thrown', () => {
  const { queries, context } = brokenQueries();
  expect(() => lowerRest(queries, context)).toThrow('odd');
});

describe('words that a person wrote for an endpoint', () => {
  const byYear = 'SELECT title FROM film WHERE "year" = 2001';
  const lowered = (words: EndpointWords) => {
    const queries = [byYear, 'SELECT title FROM film WHERE score > 7'].map((sql, i) => ({
      question: { ...question(sql), ...(i === 0 ? { endpoint_words: words } : {}) },
      query: parseQuery(sql, { catalog, referenceTime: REFERENCE_TIME }),
    }));
    const { endpoints, candidates } = lowerRest(queries, { split: 'test', db: 'films', catalog });
    return { endpoints, calls: candidates.flatMap(({ output }) => output.map(({ name }) => name)) };
  };

  test('are its name, summary and description', () => {
    const words = {
      name: 'films_of_year',
      summary: 'Films of a year',
      description: 'Titles of the films that opened in `year`.',
    };
    const { endpoints, calls } = lowered(words);
    expect(endpoints[0]).toMatchObject({
      ...words,
      path: expect.stringMatching(/\/films_of_year$/),
      operation_id: 'get_films_of_year',
      description: `${words.description} Source: film.`,
    });
    expect(calls[0]).toBe('get_films_of_year');
  });

  test('leave to the rules what they lack, and what is about other parameters', () => {
    const [ruled] = lowered({}).endpoints;
    const [endpoint] = lowered({ summary: 'Films of a year', description: 'Films of `season`.' }).endpoints;
    expect(endpoint).toEqual({ ...ruled, summary: 'Films of a year' });
  });

  test('are taken: no other endpoint gets the same', () => {
    const { endpoints } = lowered({});
    const { name = '', summary = '' } = endpoints[1] ?? {};
    const [own, other] = lowered({ name, summary }).endpoints;
    expect([own?.name, other?.name]).toEqual([name, `${name}_2`]);
    expect([own?.summary, other?.summary]).toEqual([summary, `${summary} (variant 2)`]);
  });
});
