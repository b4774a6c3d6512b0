import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sameRows } from '../../contracts/same-rows.ts';
import type { Sample } from '../../contracts/sample.ts';
import { type Endpoint, service } from '../../contracts/service.ts';
import { readFarm } from '../../eval/farm/read-farm.ts';
import { type InjectableApp, playRest } from '../../generator/verify/play/play-rest.ts';
import { playSequence } from '../../generator/verify/play/play-sequence.ts';

/** Sends the gold calls of a farm's samples to an app and gives what went wrong, a line each. */
export async function replayGold(
  farm: string,
  app: InjectableApp,
  wanted: (sample: Sample, index: number) => boolean,
  atOnce = 4,
): Promise<{ played: number; wrong: string[] }> {
  const samples = readFarm(farm).samples.filter(wanted);
  const endpoints = new Map(
    [...new Set(samples.map(({ dataset_name }) => dataset_name))].map((db) => [db, endpointsOf(farm, db)]),
  );
  const wrong: string[] = [];
  const queue = [...samples];
  const work = async () => {
    for (let sample = queue.pop(); sample; sample = queue.pop()) {
      try {
        const rows = await play(sample, app, endpoints.get(sample.dataset_name) ?? new Map());
        if (!sameRows(sample.gold_answer, rows, sample.order_groups))
          wrong.push(`${sample.sample_id}: other rows`);
      } catch (error) {
        wrong.push(`${sample.sample_id}: ${error}`);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return { played: samples.length, wrong };
}

async function play(sample: Sample, app: InjectableApp, endpoints: ReadonlyMap<string, Endpoint>) {
  const { formulation, dataset_name: db, sample_id, output, initialization_step } = sample;
  if (formulation !== 'rest') {
    const split = sample_id.split('/', 1)[0] ?? '';
    return (await playSequence(app, { split, db, formulation }, initialization_step, output)).rows;
  }
  const [call] = output;
  const endpoint = endpoints.get(call?.name ?? '');
  if (!call || !endpoint) throw new Error('its endpoint is not in the farm');
  return (await playRest(app, call, endpoint)).rows;
}

function endpointsOf(farm: string, db: string): ReadonlyMap<string, Endpoint> {
  const { endpoints } = service.parse(JSON.parse(readFileSync(join(farm, 'services', `${db}.json`), 'utf8')));
  return new Map(endpoints.map((endpoint) => [endpoint.operation_id, endpoint]));
}
