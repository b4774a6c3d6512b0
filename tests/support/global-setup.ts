import { tidyCache } from './cache.ts';

/** Says how long the run takes, and removes what older runs left. */
export default function setup(): void {
  const all = process.env.ROOKERY_TESTS === 'all';
  process.stdout.write(
    all
      ? 'All tests, with containers and published splits: about ten minutes on two quiet cores.\n'
      : 'About two minutes on two quiet cores; `npm run test:all` has the rest.\n',
  );
  tidyCache();
}
