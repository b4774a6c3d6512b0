import { existsSync, writeFileSync } from 'node:fs';
import { serveChild } from '../../../services/base/sqlite/child-pool.ts';
import type { ScorerRequest } from '../farm-scorer.ts';

/** Echoes the predictions; exits on those that say `die`, or `die once` with a file that records the first time. */
serveChild<ScorerRequest, unknown>((request) => {
  if (!('predictions' in request)) return null;
  const [, once] = /die once (\S+?)"/.exec(request.predictions) ?? [];
  if (once !== undefined && existsSync(once)) return [once];
  if (once !== undefined) writeFileSync(once, '');
  if (request.predictions.includes('die')) process.exit(3);
  return request.predictions.split('\n').map((line) => JSON.parse(line));
});
