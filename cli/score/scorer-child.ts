import { serveChild } from '../../services/base/sqlite/child-pool.ts';
import type { ScorerInit, ScorerRequest } from './farm-scorer.ts';
import { type LiveScorer, openLiveScorer } from './live-scorer.ts';

let opened: Promise<LiveScorer> | undefined;

serveChild<ScorerRequest, unknown>(async (request, init) => {
  const { folder, worlds } = init as ScorerInit;
  opened ??= openLiveScorer(folder, worlds);
  const scorer = await opened;
  if (request.what === 'open') return null;
  if (request.what === 'gold') return scorer.gold(request.sampleId);
  if (request.what === 'answer') return scorer.judge(request.sampleId, request.answer);
  return scorer[request.what](request.predictions);
});
