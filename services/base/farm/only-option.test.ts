import { expect, test } from 'vitest';
import { onlyOption, readOnly } from './only-option.ts';

test('names are separated by commas, and may have some', () => {
  expect(readOnly('a,b,,c')).toEqual(['a', 'b', 'c']);
  for (const db of ['a,b', ',', 'a b', '--only', 'x,y,z'])
    expect(readOnly(onlyOption(db).slice('--only='.length))).toEqual([db]);
});
