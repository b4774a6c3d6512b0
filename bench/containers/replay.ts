import pMap from 'p-map';
import { Pool } from 'undici';
import { z } from 'zod';
import { sameRows } from '../../contracts/answer-rows.ts';
import { cell } from '../../contracts/catalog.ts';
import { addressOf } from '../../contracts/formulations/contract.ts';
import { rest } from '../../contracts/formulations/rest.ts';
import type { Sample } from '../../contracts/sample.ts';
import { quantile } from '../process.ts';

export interface Replayed {
  readonly calls: number;
  /** Calls that did not return their gold rows, by the response they got. */
  readonly wrong: Readonly<Record<string, number>>;
  /** Milliseconds. */
  readonly median: number;
  readonly p99: number;
}

/** Sends the gold calls of REST samples to a farm's address and compares the rows. */
export async function replayRest(
  origin: string,
  samples: readonly Sample[],
  atOnce: number,
): Promise<Replayed> {
  const pool = new Pool(origin, { connections: atOnce });
  const times: number[] = [];
  const wrong: Record<string, number> = {};
  const play = async (sample: Sample) => {
    const began = performance.now();
    const { statusCode, body } = await pool.request({ method: 'GET', path: pathOf(sample) });
    const text = await body.text();
    times.push(performance.now() - began);
    const outcome = statusCode === 200 ? isGold(text, sample) || 'other rows' : String(statusCode);
    if (outcome !== true) wrong[outcome] = (wrong[outcome] ?? 0) + 1;
  };
  await pMap(samples, play, { concurrency: atOnce });
  await pool.close();
  const at = (share: number) => Number(quantile(times, share).toFixed(2));
  return { calls: samples.length, wrong, median: at(0.5), p99: at(0.99) };
}

export function pathOf({ sample_id, dataset_name: db, output: [call] }: Sample): string {
  const split = sample_id.split('/')[0] ?? '';
  return addressOf(rest.requestOf({ split, db, endpoints: [] }, call ?? { name: '', arguments: {} }));
}

function isGold(text: string, { gold_answer, order_groups }: Sample): boolean {
  const { data } = restAnswer.parse(JSON.parse(text));
  return sameRows(gold_answer, data.map(Object.values), order_groups);
}

const restAnswer = z.object({ data: z.array(z.record(z.string(), cell)) });
