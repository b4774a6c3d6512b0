import { expect, test } from 'vitest';
import { HttpProblem } from '../../base/http/problem.ts';
import { hideSplit } from './hide-split.ts';

const shop = { split: 'toys-2', db: 'toy_shop (1)' };
const told = (problem: HttpProblem) => hideSplit(problem.toProblem(), shop, 'd0');

test('a problem of a service names neither its domain nor the split', () => {
  const gone = new HttpProblem(
    'DOMAIN_UNAVAILABLE',
    'The service of toy_shop (1) cannot be reached; try again.',
  );
  expect(told(gone).detail).toBe('The service cannot be reached; try again.');
  const unready = new HttpProblem('NOT_READY', 'toys-2/toy_shop (1) is not ready, nor is toy_shop (1)', {
    errors: [{ field: 'toy_shop (1)', code: 'x', message: 'of toys-2', suggestions: ['toys-2'] }],
  });
  expect(told(unready)).toMatchObject({
    detail: 'd0 is not ready, nor is d0',
    errors: [{ field: 'd0', message: 'of d0', suggestions: ['d0'] }],
  });
});

test('a longer word that has the name in it is another word', () => {
  expect(told(new HttpProblem('NOT_READY', 'toys-23 and my-toys-2')).detail).toBe('toys-23 and my-toys-2');
});

test('what is said of the arguments of a call stays: there a name is a word like any other', () => {
  const problem = new HttpProblem('INVALID_PARAMETERS', 'toys-2 is no number');
  expect(told(problem)).toEqual(problem.toProblem());
});

test('an unknown domain is told without the domains that there are', () => {
  const problem = new HttpProblem('UNKNOWN_DOMAIN', 'There is no domain x; did you mean toys-2/other?');
  expect(JSON.stringify(told(problem))).not.toMatch(/toys|other/);
});
