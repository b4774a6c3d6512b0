import { testsBut } from './vitest.config.ts';

process.env.ROOKERY_TESTS = 'all';

/** `npm run test:all`: also containers, published splits, `npm start`, and random inputs in greater number. */
export default testsBut([], {
  limit: 900_000,
  env: { ROOKERY_TEST_TIMES: process.env.ROOKERY_TEST_TIMES ?? '2' },
});
