import { expect, test } from 'vitest';
import type { AgentCall } from '../calls/calls.ts';
import { parseJson } from '../json/lossless.ts';
import { scoreRecordedCalls } from './trajectory.ts';

const tools = new Map([
  ['f', { required: [], properties: { n: { type: 'integer', default: 1 }, s: { type: 'string' } } }],
]);
const read = (text: string) => parseJson(text) as unknown as AgentCall[];
const F = '{"name":"f","arguments":{"s":"a"}}';
const G = '{"name":"g","arguments":{"x":1,"y":"b"}}';

test.each([
  [`[${F},${G}]`, true],
  [`[{"name":"f","arguments":{"n":1,"s":"a"}},${G}]`, true],
  [`[${F},{"name":"g","arguments":{"y":"b","x":1.0}}]`, true],
  [`[${G},${F}]`, false],
  [`[${F},${G},${G}]`, false],
  [`[${F}]`, false],
  [`[${F},{"name":"h","arguments":{"x":1,"y":"b"}}]`, false],
  [`[${F},{"name":"g","arguments":{"x":1}}]`, false],
  [`[{"name":"f","arguments":{"n":2,"s":"a"}},${G}]`, false],
])('%s is recorded as the gold: %s', (calls, same) => {
  expect(scoreRecordedCalls(read(`[${F},${G}]`), read(calls), tools)).toBe(same);
});
