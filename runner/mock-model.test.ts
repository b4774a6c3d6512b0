import { expect, test } from 'vitest';
import { parseLenient } from '../eval/parse/lenient.ts';
import { writeCalls } from './mock-model.ts';

test('nested calls replace references, in objects and lists too', () => {
  const calls = [
    { name: 'sum_of', arguments: { key: 'beds' }, label: 'SUM' },
    { name: 'count_of', arguments: { key: 'rooms' }, label: 'COUNT' },
    {
      name: 'calculate',
      arguments: { input: '$SUM$', operation_args: { operand: '$COUNT$' } },
      label: 'END',
    },
  ];
  const text = writeCalls(calls, 'nested');
  expect(text).toBe('calculate(input=sum_of(key="beds"), operation_args={"operand": count_of(key="rooms")})');
  expect(parseLenient(text)?.calls).toMatchObject([
    { name: 'sum_of', label: 'call_1' },
    { name: 'count_of', label: 'call_2' },
    { name: 'calculate', arguments: { input: '$call_1$', operation_args: { operand: '$call_2$' } } },
  ]);
});
