import { expect, test } from 'vitest';
import { chunkedMap } from './concurrency.ts';

test('keeps the order, and yields to other work', async () => {
  let others = 0;
  const timer = setInterval(() => others++, 1);
  const busy = (item: number) => {
    const until = performance.now() + 3;
    while (performance.now() < until);
    return item * 2;
  };
  expect(await chunkedMap([3, 1, 2, ...Array(60).fill(0)], busy)).toEqual([6, 2, 4, ...Array(60).fill(0)]);
  clearInterval(timer);
  expect(others).toBeGreaterThan(5);
});
