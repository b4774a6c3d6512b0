import { expect, test } from 'vitest';
import { printOpenapi } from './print-openapi.ts';

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
