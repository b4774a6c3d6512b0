import { expect, test } from 'vitest';
import { licenceObject } from './data-licence.ts';

test.each([
  ['CC BY-SA 4.0', 'CC-BY-SA-4.0'],
  ['cc-by-sa-4.0', 'CC-BY-SA-4.0'],
  ['CC0 1.0', 'CC0-1.0'],
  ['MIT', 'MIT'],
  ['ODbL-1.0', 'ODbL-1.0'],
  ['For our course only', 'LicenseRef-For-our-course-only'],
  ['???', 'LicenseRef-unknown'],
])('%s is written as %s', (name, identifier) => {
  expect(licenceObject(name)).toEqual({ name, identifier });
});

test('a licence that nobody told is called unknown, and none of ours', () => {
  expect(licenceObject()).toEqual({ name: 'unknown', identifier: 'LicenseRef-unknown' });
});
