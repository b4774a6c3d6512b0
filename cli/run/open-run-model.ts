import { UserError } from '../../contracts/errors.ts';
import type { RunConfig } from '../../runner/files/run-config.ts';
import type { FarmAccess } from '../../runner/harness/prepare-cell.ts';
import type { Model } from '../../runner/model/model.ts';
import type { FindGold } from '../../runner/providers/mock/mock-model.ts';

/** The model of a run, or null when it has none. A mock knows the gold, which it is given here. */
export async function openRunModel(
  { model, base_url, transport }: RunConfig,
  farm: FarmAccess,
  apiKeyFrom: string | undefined,
): Promise<Model | null> {
  if (model === null) return null;
  if (model.startsWith('mock/')) {
    const { mockModel } = await import('../../runner/providers/mock/mock-model.ts');
    return mockModel(model.slice('mock/'.length), transport ?? 'chat', await findGold(farm));
  }
  const { openModel } = await import('../../runner/providers/open-model.ts');
  return openModel({
    model,
    ...(base_url === null ? {} : { baseUrl: base_url }),
    ...(transport === null ? {} : { transport }),
    ...(apiKeyFrom === undefined ? {} : { apiKeyFrom }),
  });
}

async function findGold({ samples, client }: FarmAccess): Promise<FindGold> {
  const tasks = new Map<string, ReadonlyMap<string, string>>();
  for await (const { sample_id, start_tables } of client.tasks({ all: true })) {
    tasks.set(sample_id, new Map(start_tables.map(({ label, handle }) => [label, handle])));
  }
  const byId = new Map((samples ?? []).map((sample) => [sample.sample_id, sample]));
  return (sampleId) => {
    const sample = byId.get(sampleId);
    if (sample === undefined)
      throw new UserError('OPTION_INVALID', '--model', 'a mock needs the folder of the farm');
    return { sample, starts: tasks.get(sampleId) ?? new Map() };
  };
}
