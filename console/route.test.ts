import { expect, test } from 'vitest';
import { linkTo, parseRoute } from './route.ts';

test('a link leads back to what it was made from, whatever the names are', () => {
  const segments = ['endpoint', 'a/b ?#%', 'é'];
  const { segments: read, query } = parseRoute(linkTo(segments, { q: 'x&y=1', none: undefined, empty: '' }));
  expect(read).toEqual(segments);
  expect([...query]).toEqual([['q', 'x&y=1']]);
});

test('an address that no link has is read all the same', () => {
  expect(parseRoute('').segments).toEqual([]);
  expect(parseRoute('#/domain/%E0%A4').segments).toEqual(['domain', '%E0%A4']);
});
