import { serveChild } from '../../../services/base/sandbox/index.ts';
import type { ScorerRequest } from '../scorer-messages.ts';

/** Repeats the predictions that it is to judge, and dies of those that say `die`. */
serveChild<ScorerRequest, unknown>((request) => {
  if (!('predictions' in request)) return null;
  if (request.predictions.includes('die')) process.exit(3);
  return request.predictions.split('\n').map((line) => JSON.parse(line));
});
