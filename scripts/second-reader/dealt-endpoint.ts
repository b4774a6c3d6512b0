import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { farm as farmFile } from '../../contracts/farm.ts';
import { type Sample, sample } from '../../contracts/sample.ts';
import { type Endpoint, type Service, service } from '../../contracts/service.ts';
import { Random } from '../../generator/variants/random.ts';

/** An endpoint of the sample that a second reader gets. */
export interface DealtEndpoint {
  /** `<db>/<question_id>` of the first question that the endpoint answers: stays the same when the endpoint's name does not. */
  readonly id: string;
  readonly service: Service;
  readonly endpoint: Endpoint;
  /** What the questions of the endpoint give its parameters. */
  readonly calls: readonly Readonly<Record<string, unknown>>[];
}

/** A seeded sample of a farm's endpoints, by domain; the same for every farm of one split. */
export function dealEndpoints(folder: string, count: number, seed: string): readonly DealtEndpoint[] {
  const known = readdirSync(join(folder, 'services'))
    .filter((name) => name.endsWith('.json'))
    .sort()
    .flatMap((file) => endpointsOf(folder, readJson(join(folder, 'services', file), service)));
  return new Random(seed).sample(known, count);
}

/** When `now` is in a farm. */
export function referenceTimeOf(folder: string): string {
  return readJson(join(folder, 'farm.json'), farmFile).reference_time;
}

function endpointsOf(folder: string, domain: Service): readonly DealtEndpoint[] {
  const calls = new Map<string, { id: string; arguments: Sample['output'][number]['arguments'][] }>();
  for (const line of readFileSync(join(folder, 'eval', `${domain.db}.jsonl`), 'utf8')
    .trim()
    .split('\n')) {
    const { formulation, output, question_id } = sample.parse(JSON.parse(line));
    const [call] = output;
    if (formulation !== 'rest' || call?.path === undefined) continue;
    const own = calls.get(call.path) ?? { id: `${domain.db}/${question_id}`, arguments: [] };
    calls.set(call.path, { ...own, arguments: [...own.arguments, call.arguments] });
  }
  const byPath = new Map(domain.endpoints.map((endpoint) => [endpoint.path, endpoint]));
  return [...calls].flatMap(([path, own]) => {
    const endpoint = byPath.get(path);
    return endpoint === undefined ? [] : [{ id: own.id, service: domain, endpoint, calls: own.arguments }];
  });
}

function readJson<T>(file: string, schema: { parse(value: unknown): T }): T {
  return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
}
