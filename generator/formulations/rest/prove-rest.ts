import pMap from 'p-map';
import type { Verdict } from '../../../contracts/coverage.ts';
import type { Flag, Sample } from '../../../contracts/sample.ts';
import type { Endpoint } from '../../../contracts/service.ts';
import { SERVED_FORMULATIONS } from '../../../services/domain/formulations/registry.ts';
import { constructsOf, type Query } from '../../../sql/index.ts';
import type { RestCandidate } from '../../lower/candidate.ts';
import type { GoldQuery } from '../../verify/gold-answers.ts';
import { playCalls } from '../../verify/play/play-calls.ts';
import { ColumnValues } from '../../verify/rest/column-values.ts';
import { verifyRest } from '../../verify/rest/verify-rest.ts';
import { makeSample, makeVerdict } from '../contract/make-sample.ts';
import type { ProveContext } from '../contract/prove-context.ts';
import { tellValues } from './tell-values.ts';

export interface ProveRestContext extends ProveContext {
  readonly seed: string;
  /** Parses gold SQL with other values in it. Throws QueryErrors. */
  readonly parse: (sql: string) => Query;
}

export interface ProvenRest {
  /** The endpoints that some kept sample calls; no others are served. */
  readonly endpoints: readonly Endpoint[];
  readonly samples: readonly Sample[];
  readonly verdicts: readonly Verdict[];
}

/** Proves REST candidates through the apps of all variants, and for other parameter values. */
export async function proveRest(
  candidates: readonly RestCandidate[],
  golds: ReadonlyMap<string | number, GoldQuery>,
  context: ProveRestContext,
): Promise<ProvenRest> {
  const { split, service, apps, variants } = context;
  const byName = new Map(service.endpoints.map((endpoint) => [endpoint.name, endpoint]));
  const values = new ColumnValues(variants[0].plain);
  const proven = await pMap(
    candidates,
    async (candidate) => {
      context.signal?.throwIfAborted();
      const gold = golds.get(candidate.question.question_id);
      const endpoint = byName.get(candidate.endpoint);
      if (!gold || !endpoint) throw new Error(`question ${candidate.question.question_id} has no endpoint`);
      const proof = await verifyRest(candidate, endpoint, gold, {
        ...context,
        values,
        play: (calls, variant) => playCalls(apps.app(variant), service, calls),
      });
      context.onVerdict?.();
      const slow: Flag[] = endpoint.speed === 'slow' ? ['slow'] : [];
      return { candidate, gold, outcome: { ...proof, flags: [...proof.flags, ...slow] } };
    },
    { concurrency: context.jobs },
  );

  const used = new Set(
    proven.filter(({ outcome }) => outcome.kept).map(({ candidate }) => candidate.endpoint),
  );
  const kept = service.endpoints.filter(({ name }) => used.has(name));
  const endpoints = tellValues(kept, candidates, values);
  const toolset = SERVED_FORMULATIONS.rest.toolset({ ...service, endpoints: [...endpoints] }, []);
  return {
    endpoints,
    samples: proven.flatMap(({ candidate, outcome }) =>
      outcome.kept ? [makeSample(candidate, outcome, { split, toolset })] : [],
    ),
    verdicts: proven.map(({ candidate, gold, outcome }) =>
      makeVerdict(candidate.question, 'rest', outcome, {
        constructs: constructsOf(gold.query),
        calls: 1,
        tools: toolset.size,
      }),
    ),
  };
}
