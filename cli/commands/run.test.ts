import { expect, test } from 'vitest';
import type { SampleRecord } from '../../runner/files/run-records.ts';
import { failureNotes } from './run.ts';

const failed = (kind: string, message: string) =>
  ({ outcome: 'error', error: { kind, message }, reason: message }) as SampleRecord;
const done = { outcome: 'answered', error: null, reason: null } as SampleRecord;

test('lists each distinct failure once, the most frequent first, with advice', () => {
  const records = [
    done,
    failed('overloaded', '500: no'),
    failed('bad_request', "400: Invalid 'tools': array too long, got an array with length 154."),
    failed('bad_request', "400: Invalid 'tools': array too long, got an array with length 130."),
  ];
  expect(failureNotes(records, { model: 'openai/x', baseUrl: null })).toEqual([
    "2 × bad_request: 400: Invalid 'tools': array too long, got an array with length 154; offer as many tools as the provider takes: --tools fit:openai, or --via search",
    '1 × overloaded: 500: no',
  ]);
});

test('prints nothing for a run without failures', () => {
  expect(failureNotes([done], { model: null, baseUrl: null })).toEqual([]);
});
