import { expect, test } from 'vitest';
import { taskSelection } from '../contracts/task.ts';
import { linkTo, parseRoute } from './route.ts';
import { MAIN_FILTERS, MORE_FILTERS } from './views/task-filters.ts';

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

test('the address of a list of tasks can hold every filter of the API', () => {
  const names = [...MAIN_FILTERS, ...MORE_FILTERS].map(({ name }) => name);
  expect(names.sort()).toEqual(Object.keys(taskSelection.shape).sort());
});
