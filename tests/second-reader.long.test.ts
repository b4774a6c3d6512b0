import { expect, test } from 'vitest';
import { compareAnswers } from '../scripts/second-reader/compare-answers.ts';
import { dealEndpoints, referenceTimeOf } from '../scripts/second-reader/dealt-endpoint.ts';
import { fillParameters } from '../scripts/second-reader/fill-parameters.ts';
import { readAnswers } from '../scripts/second-reader/read-answers.ts';
import { writeSheet } from '../scripts/second-reader/write-sheet.ts';
import { farmOf } from './support/farms.ts';

test('a second reader gets the texts without SQL and names, and only answers with other rows differ', async () => {
  const farm = await farmOf('bundled');
  const dealt = dealEndpoints(farm, 8, 'a');
  expect(dealt).toEqual(dealEndpoints(farm, 8, 'a'));
  const sheet = writeSheet(dealt);
  for (const { endpoint } of dealt) {
    expect(sheet).toContain(endpoint.summary);
    expect(sheet).not.toContain(endpoint.sql);
    expect(sheet).not.toContain(endpoint.name);
  }
  const [wrong] = dealt.map(({ id }) => id);
  const answers = new Map(
    dealt.slice(0, -1).map(({ id, endpoint }) => [id, id === wrong ? "SELECT 'other'" : endpoint.sql]),
  );
  const verdicts = await compareAnswers(farm, dealt, answers, referenceTimeOf(farm));
  expect(verdicts).toHaveLength(7);
  expect(verdicts.filter(({ difference }) => difference !== null).map(({ dealt: { id } }) => id)).toEqual([
    wrong,
  ]);
}, 300_000);

test('an answers file is read by its headings', () => {
  const { sql, remarks } = readAnswers('notes\n-- db/1 natural\nSELECT 1\nFROM t;\n-- db/2\nSELECT 2\n');
  expect([...sql]).toEqual([
    ['db/1', 'SELECT 1\nFROM t'],
    ['db/2', 'SELECT 2'],
  ]);
  expect([...remarks.values()]).toEqual(['natural', '']);
});

test('parameters are filled in by their types, lists as lists, and unknown ones are refused', () => {
  const of = (name: string, type: 'integer' | 'number' | 'string', array = false) =>
    ({ name, type, array, description: '', required: true }) as const;
  const parameters = [of('name', 'string'), of('least', 'number'), of('ids', 'integer', true)];
  expect(
    fillParameters(
      'SELECT * FROM t WHERE n = :name AND x > -:least AND id IN (SELECT value FROM json_each(:ids))',
      parameters,
      { name: "O'Hara", least: -2, ids: [1, 2] },
    ),
  ).toBe("SELECT * FROM t WHERE n = 'O''Hara' AND x > - -2.0 AND id IN ( 1,  2)");
  expect(() => fillParameters('SELECT :other', parameters, {})).toThrow(':other');
});
