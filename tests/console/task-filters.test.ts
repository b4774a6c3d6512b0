import { expect, test } from 'vitest';
import { MAIN_FILTERS, MORE_FILTERS } from '../../console/views/task-filters.ts';
import { taskSelection } from '../../contracts/task.ts';

test('the console filters tasks by everything that the API filters them by', () => {
  const names = [...MAIN_FILTERS, ...MORE_FILTERS].map(({ name }) => name);
  expect(names.sort()).toEqual(Object.keys(taskSelection.shape).sort());
});
