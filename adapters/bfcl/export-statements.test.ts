import { expect, test } from 'vitest';
import { checkBfcl } from '../../eval/bfcl/check.ts';
import type { BfclFunction } from '../../eval/bfcl/convert.ts';
import type { Json, JsonObject } from '../../eval/json/lossless.ts';
import { TINY_SAMPLES } from '../../tests/support/tiny-farm.ts';
import type { SqlStatement } from '../exports.ts';
import { file, lines } from '../testing/exported.ts';
import { exportStatements } from './export-statements.ts';

const STATEMENT: SqlStatement = {
  keyword: 'SELECT',
  values: [],
  table: 'item',
  columns: ['name', 'kind', 'price'],
  allColumns: true,
  conditions: ['price >= 40.1', "kind <> 'light'"],
  tables: ['item (name, kind, price)', 'shop (name)'],
};
const files = await exportStatements(
  TINY_SAMPLES,
  async ({ question_id }) => (question_id === 1 ? STATEMENT : null),
  { evidence: false },
);
const [question, ...others] = lines(file(files, 'BFCL_v4_farm_statement.json'));
const [answer] = lines(file(files, 'possible_answer/BFCL_v4_farm_statement.json'));

test('a question that is one statement is asked once, with the tables', () => {
  expect(others).toEqual([]);
  expect(question).toMatchObject({
    id: 'farm_statement_0',
    question: [
      [
        {
          role: 'user',
          content:
            'What costs at least 40.1, dearest first?\n\nTables: item (name, kind, price); shop (name)',
        },
      ],
    ],
  });
  expect(answer?.id).toBe('farm_statement_0');
});

const RIGHT = { sql_keyword: 'SELECT', table_name: 'item', columns: ['name', 'kind', 'price'] };
const verdict = (given: object) => {
  const [truth] = (answer as unknown as { ground_truth: Record<string, Record<string, Json[]>>[] })
    .ground_truth;
  const [[name, parameters] = ['', {}]] = Object.entries(truth ?? {});
  return checkBfcl({
    functions: question?.function as unknown as BfclFunction[],
    calls: [{ name, arguments: { ...RIGHT, ...given } as JsonObject, label: null }],
    answers: [{ name, parameters }],
    category: 'simple',
  });
};

test.each([
  { conditions: ['price >= 40.1', "kind <> 'light'"] },
  { conditions: ["kind != 'light'", 'price>=40.1'], columns: ['*'] },
  { conditions: ['price >= 40.1', 'kind <> "light"'], insert_values: [] },
])("BFCL's checker accepts %j", (given) => {
  expect(verdict(given)).toEqual({ valid: true });
});

test.each([
  [{ conditions: ['price >= 40.1'] }, 'value_error:list/tuple'],
  [{}, 'simple_function_checker:missing_optional'],
  [{ sql_keyword: 'DELETE', conditions: ['price >= 40.1', "kind <> 'light'"] }, 'value_error:string'],
])("BFCL's checker refuses %j: %s", (given, errorType) => {
  expect(verdict(given)).toEqual({ valid: false, errorType });
});

test.each([
  [
    'UPDATE',
    { columns: [['price']], update_values: [['5']], insert_values: [''], conditions: [["a = 'b'"]] },
  ],
  [
    'INSERT',
    { columns: [['price']], update_values: [''], insert_values: [['5']], conditions: [["a = 'b'"]] },
  ],
  ['DELETE', { columns: [''], update_values: [''], insert_values: [''], conditions: [["a = 'b'"]] }],
] as const)('an answer of %s has its values, and others none', async (keyword, expected) => {
  const statement = { ...STATEMENT, keyword, columns: ['price'], allColumns: false };
  const written = await exportStatements(
    TINY_SAMPLES.slice(0, 1),
    async () => ({ ...statement, values: ['5'], conditions: ["a = 'b'"] }),
    { evidence: false },
  );
  const [only] = lines(file(written, 'possible_answer/BFCL_v4_farm_statement.json'));
  expect(only?.ground_truth).toEqual([
    { 'sql.execute': { sql_keyword: [keyword], table_name: ['item'], ...expected } },
  ]);
});
