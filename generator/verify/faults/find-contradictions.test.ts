import { expect, test } from 'vitest';
import type { Endpoint } from '../../../contracts/service.ts';
import { findContradictions } from './find-contradictions.ts';

const endpoint: Endpoint = {
  name: 'e',
  operation_id: 'get_e',
  path: '/v1/s/d/e',
  summary: '',
  description: '',
  sql: '',
  parameters: [],
  columns: [
    { name: 'n', type: 'integer', nullable: false, description: '' },
    { name: 't', type: 'string', nullable: true, description: '' },
  ],
  speed: 'quick',
};
const answer = (data: object[], row_count = data.length) => ({ data, row_count, truncated: false });
const column = (values: unknown[], row_count = values.length) => ({
  kind: 'column',
  handle: 'h',
  column: 'n',
  values,
  row_count,
  truncated: false,
  next_offset: null,
});
const table = {
  kind: 'table',
  handle: 'f',
  columns: ['n'],
  row_count: 3,
  preview: [{ n: 1 }, { n: 2 }],
} as const;

test('an endpoint’s answer contradicts its count, or its specification', () => {
  const rows = [{ n: 1, t: null }];
  expect(findContradictions(answer(rows), { endpoint })).toEqual([]);
  expect(findContradictions(answer(rows, 2), { endpoint })).toEqual(['row_count']);
  expect(findContradictions(answer([{ n: 1.5, t: 'a' }]), { endpoint })).toEqual(['schema']);
  expect(findContradictions(answer([{ n: null, t: 'a' }]), { endpoint })).toEqual(['schema']);
  expect(findContradictions(answer([{ n: 2n ** 60n, t: 'a' }]), { endpoint })).toEqual([]);
});

test('a column contradicts its count, or the table that it was read from', () => {
  const beside = { table: { ...table, columns: [...table.columns], preview: [...table.preview] } };
  expect(findContradictions(column([1, 2, 9]), beside)).toEqual([]);
  expect(findContradictions(column([1, 2, 9], 4), beside)).toEqual(['row_count']);
  expect(findContradictions(column([1, 2]), beside)).toEqual(['earlier_answer']);
  expect(findContradictions(column([1, 3, 9]), beside)).toEqual(['earlier_answer']);
  expect(findContradictions(column([1, 3]), {})).toEqual([]);
});
