import { expect, test } from 'vitest';
import { serviceNames } from './service-names.ts';

const namesOf = (...dbs: string[]) => [...serviceNames(dbs).values()];

test('names are DNS labels, readable and unique, whatever the domains are called', () => {
  expect(namesOf('california_schools', 'California Schools', 'a-b', 'a_b')).toEqual([
    'california-schools',
    'california-schools-2',
    'a-b',
    'a-b-2',
  ]);
  expect(namesOf('2024', '日本', '__', 'gateway', 'all')).toEqual([
    'db-2024',
    'db',
    'db-2',
    'gateway-2',
    'all-2',
  ]);
  expect(namesOf('Agents', 'runs', 'farm')).toEqual(['agents-2', 'runs-2', 'farm-2']);
  for (const name of namesOf('x'.repeat(300), `${'y'.repeat(49)}_z`, 'Ω1')) {
    expect(name).toMatch(/^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/);
  }
});
