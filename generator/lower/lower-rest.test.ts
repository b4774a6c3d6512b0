import { afterAll, expect, test } from 'vitest';
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
