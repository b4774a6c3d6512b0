import { expect, test } from 'vitest';
import { csvRecords } from './descriptions.ts';

const read = (text: string) =>
  csvRecords(text, ['name', 'long note']).map((row) => [row('name'), row('long note')]);

test('headers are found whatever their order, case and spacing', () => {
  expect(
    csvRecords('Long  Note , NAME\n 1 ,a\n', ['name', 'long_note']).map((row) => row('long_note')),
  ).toEqual(['1']);
});

test('without a header line columns are taken by position', () => {
  expect(read('a,1\nb,2\n')).toEqual([
    ['a', '1'],
    ['b', '2'],
  ]);
});

test('short rows, long rows, empty lines and blank cells', () => {
  expect(read('name,long note\na\n\nb,  ,extra,more\n')).toEqual([
    ['a', null],
    ['b', null],
  ]);
});

test('quotes that do not balance cost no more than their own line', () => {
  expect(read('name,x\na,"open\nb,fine\n').map(([name]) => name)).toEqual(['a', 'b']);
});

test.each([
  ['semicolons', 'name;note\na;1,5\n'],
  ['tabs', 'name\tnote\na\t1,5\n'],
])('%s separate cells where the header says so', (_separator, text) => {
  expect(csvRecords(text, ['name', 'note']).map((row) => row('note'))).toEqual(['1,5']);
});
