import { expect, test } from 'vitest';
import { retryAfterOf } from './failures.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');

test.each<[string, Record<string, string>, number]>([
  [
    'what remains is not waited for',
    { 'x-ratelimit-remaining-requests': '3', 'x-ratelimit-reset-requests': '6m0s' },
    0,
  ],
  [
    'minutes and seconds',
    { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '1m2s' },
    62_000,
  ],
  ['milliseconds', { 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '120ms' }, 120],
  [
    'the longer of two',
    {
      'x-ratelimit-remaining-tokens': '0',
      'x-ratelimit-reset-tokens': '2s',
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-reset-requests': '1s',
    },
    2000,
  ],
  [
    'a date, as Anthropic has it',
    {
      'anthropic-ratelimit-requests-remaining': '0',
      'anthropic-ratelimit-requests-reset': '2026-01-01T00:00:05Z',
    },
    5000,
  ],
  ['no headers at all', {}, 0],
])('%s', (_, headers, expected) => {
  expect(retryAfterOf(headers, NOW)).toBe(expected);
});
