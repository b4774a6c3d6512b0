import { expect, test } from 'vitest';
import { linkTo, parseRoute } from './route.ts';

test('parsing a link restores its route, whatever the names', () => {
  const segments = ['endpoint', 'a/b ?#%', 'é'];
  const { segments: read, query } = parseRoute(linkTo(segments, { q: 'x&y=1', none: undefined, empty: '' }));
  expect(read).toEqual(segments);
  expect([...query]).toEqual([['q', 'x&y=1']]);
});

test('parses addresses that no link has', () => {
  expect(parseRoute('').segments).toEqual([]);
  expect(parseRoute('#/domain/%E0%A4').segments).toEqual(['domain', '%E0%A4']);
});
