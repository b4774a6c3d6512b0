import { expect, test } from 'vitest';
import { gatewayEnvironment } from './environment.ts';

test('unset and empty mean the same: no keys, no limit, all domains', () => {
  const none = { keys: [] };
  expect(gatewayEnvironment({})).toEqual(none);
  expect(
    gatewayEnvironment({ ROOKERY_API_KEYS: '', ROOKERY_RATE_LIMIT: '', ROOKERY_DOMAINS: 'all' }),
  ).toEqual(none);
});

test('lists are separated by commas or blanks', () => {
  const env = { ROOKERY_API_KEYS: 'a, b c', ROOKERY_RATE_LIMIT: '600', ROOKERY_DOMAINS: 'x,y' };
  expect(gatewayEnvironment(env)).toEqual({ keys: ['a', 'b', 'c'], rateLimit: 600, chosen: ['x', 'y'] });
});

test('an exam is told by ROOKERY_EXAM, and by nothing that could be a slip', () => {
  expect(gatewayEnvironment({ ROOKERY_EXAM: '1' })).toMatchObject({ exam: true });
  expect(gatewayEnvironment({ ROOKERY_EXAM: '0' })).not.toHaveProperty('exam');
  expect(() => gatewayEnvironment({ ROOKERY_EXAM: 'yes' })).toThrow(/give 1 or 0/);
});

test.each(['0', '-1', 'many', '1.5'])('a rate of %s is refused', (rate) => {
  expect(() => gatewayEnvironment({ ROOKERY_RATE_LIMIT: rate })).toThrow(/requests a minute/);
});
