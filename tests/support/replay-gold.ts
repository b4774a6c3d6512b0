import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pMap from 'p-map';
import { sameRows } from '../../contracts/answer-rows.ts';
import type { Sample } from '../../contracts/sample.ts';
import { service } from '../../contracts/service.ts';
import { readFarm } from '../../eval/farm/read-farm.ts';
import { type InjectableApp, playCalls } from '../../generator/verify/verify-candidate.ts';

/** Sends the gold calls of a farm's samples to an app and gives what went wrong, a line each. */
export async function replayGold(
  farm: string,
  app: InjectableApp,
  wanted: (sample: Sample, index: number) => boolean,
  atOnce = 4,
): Promise<{ played: number; wrong: string[] }> {
  const samples = readFarm(farm).samples.filter(wanted);
  const domains = [...new Set(samples.map(({ dataset_name }) => dataset_name))];
  const services = new Map(domains.map((db) => [db, readService(farm, db)]));
  const wrong: string[] = [];
  const play = async (sample: Sample) => {
    try {
      const called = services.get(sample.dataset_name) ?? readService(farm, sample.dataset_name);
      const { rows } = await playCalls(app, called, sample);
      if (!sameRows(sample.gold_answer, rows, sample.order_groups))
        wrong.push(`${sample.sample_id}: other rows`);
    } catch (error) {
      wrong.push(`${sample.sample_id}: ${error}`);
    }
  };
  await pMap(samples, play, { concurrency: atOnce });
  return { played: samples.length, wrong };
}

function readService(farm: string, db: string) {
  return service.parse(JSON.parse(readFileSync(join(farm, 'services', `${db}.json`), 'utf8')));
}
