import { expect, test } from 'vitest';
import { licenceObject, printOpenapi } from './openapi.ts';

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

test('an undeclared licence is unknown, and not one of ours', () => {
  expect(licenceObject()).toEqual({ name: 'unknown', identifier: 'LicenseRef-unknown' });
});

const document = {
  openapi: '3.1.0',
  info: { title: 'A farm', version: '1' },
  paths: { '/a': { get: { operationId: 'a' } }, '/b': { get: { operationId: 'b' } } },
  components: { schemas: { One: { type: 'integer' } }, headers: {} },
};

test('is JSON of the same document', () => {
  expect(JSON.parse(printOpenapi(document))).toEqual(document);
});

test('has a line for each path and component', () => {
  expect(printOpenapi(document).split('\n')).toEqual([
    '{',
    '"openapi":"3.1.0",',
    '"info":{"title":"A farm","version":"1"},',
    '"paths":{',
    '"/a":{"get":{"operationId":"a"}},',
    '"/b":{"get":{"operationId":"b"}}',
    '},',
    '"components":{',
    '"schemas":{',
    '"One":{"type":"integer"}',
    '},',
    '"headers":{}',
    '}',
    '}',
    '',
  ]);
});
