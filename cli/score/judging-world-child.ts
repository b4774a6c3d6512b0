import { DEFAULT_TIMEOUT } from '../../contracts/split.ts';
import { proveWorld, samplesOf } from '../../generator/worlds/make-world.ts';
import { type Origin, readOrigin } from '../../generator/worlds/read-origin.ts';
import { serveChild } from '../../services/base/sqlite/child-pool.ts';
import type { JudgingDomain, JudgingWorldNote, JudgingWorldRequest } from './worlds.ts';

/** Shared by all worlds requested from this process. */
let origin: Promise<Origin> | undefined;

serveChild<JudgingWorldRequest, JudgingDomain[]>(async ({ folder, dbs, sampleIds, ...world }, _, tell) => {
  origin ??= readOrigin(folder, dbs);
  const domains = await proveWorld(await origin, {
    ...world,
    timeoutMs: 1000 * DEFAULT_TIMEOUT,
    silentFaults: false,
    choose: ({ sample_id }) => sampleIds.has(sample_id),
    onProgress: ({ done, total }) => tell({ done, total } satisfies JudgingWorldNote),
  });
  return domains.map((domain) => ({
    service: domain.origin.service,
    database: domain.database,
    samples: samplesOf(domain),
  }));
});
