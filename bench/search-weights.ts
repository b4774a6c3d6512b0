import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import {
  agentOptions,
  loadFarm,
  measureSearch,
  RECALL_DEPTHS,
  SEARCH_WEIGHTS,
  type SearchWeights,
} from '../services/index.ts';
import { withMoreEndpoints } from './search/more-endpoints.ts';

/**
 * `npm run bench:search-weights -- <farm> <farm> [--every 1] [--tools 5000]`: whether the weights of the search of tools fit the questions
 * that its shares are reported on. On each farm, weights are chosen by its own questions (one weight after the other, a
 * factor that finds more is kept), and measured on the other, whose questions had no part in the choice. Weights that
 * were fitted to a farm would find much more there than those chosen on the other; and those chosen on a farm itself show
 * how much fitting gains. Chosen among the farm's own tools, measured among them and among so many, as `bench:search` does. The shares go to the screen and to bench/results/search-weights.json.
 */
const { values, positionals } = parseArgs({
  options: { every: { type: 'string', default: '1' }, tools: { type: 'string', default: '5000' } },
  allowPositionals: true,
});
const [first, second] = positionals;
if (first === undefined || second === undefined) throw new Error('give two farms');
const FACTORS = [0.5, 0.7, 1.4, 2];
const farms = [await open(first), await open(second)] as const;
const chosen = farms.map((farm) => choose(farm));
const all = farms.flatMap(({ services }) => services);
const count = all.reduce((sum, { endpoints }) => sum + endpoints.length, 0);
const more = Math.ceil(Math.max(0, Number(values.tools) - count) / all.length);
const many = all.map((service) => withMoreEndpoints(service, service.endpoints.length + more));
const rows = farms.flatMap((farm, i) =>
  [farm.services, many].map((services) => {
    const measured = { ...farm, services };
    return {
      farm: farm.name,
      questions: farm.tasks.length,
      tools: services.reduce((sum, { endpoints }) => sum + endpoints.length, 0),
      as_served: shares(measured, SEARCH_WEIGHTS),
      chosen_on_the_other: shares(measured, chosen[1 - i] as SearchWeights),
      chosen_on_itself: shares(measured, chosen[i] as SearchWeights),
      chosen: changes(chosen[i] as SearchWeights),
    };
  }),
);
console.log(rows.map((row) => JSON.stringify(row)).join('\n'));
const results = fileURLToPath(new URL('results/', import.meta.url));
mkdirSync(results, { recursive: true });
writeFileSync(`${results}search-weights.json`, `${JSON.stringify(rows, null, 2)}\n`);

async function open(folder: string) {
  const farm = await loadFarm(folder);
  const { tasks: source } = agentOptions(farm, {});
  const tasks = source.dbs
    .flatMap((db) => source.read(db))
    .filter(({ formulation }) => formulation === 'rest')
    .map((task) => ({ ...task, evidence: '' }));
  return { name: farm.farm.name, services: farm.domains.map(({ service }) => service), tasks };
}

type Opened = Awaited<ReturnType<typeof open>>;

/** Weights by which most questions of the farm find their tool among the first five; of equal ones, the first. */
function choose(farm: Opened): SearchWeights {
  // Every n-th question: the shares are of all of them.
  const tasks = farm.tasks.filter((_, i) => i % Number(values.every) === 0);
  const value = (weights: SearchWeights) => {
    const [one = 0, five = 0] = measureSearch(farm.services, tasks, { weights }).question.found;
    return five + one / (tasks.length + 1);
  };
  let best = SEARCH_WEIGHTS;
  let most = value(best);
  for (const group of ['fields', 'signs'] as const) {
    for (const name of Object.keys(SEARCH_WEIGHTS[group])) {
      const before = best;
      for (const factor of FACTORS) {
        const tried = withFactor(before, group, name, factor);
        const found = value(tried);
        if (found <= most) continue;
        [best, most] = [tried, found];
      }
      console.error(`${farm.name}: ${group}.${name}, ${Math.floor(most)} of ${tasks.length}`);
    }
  }
  return best;
}

function withFactor(
  weights: SearchWeights,
  group: keyof SearchWeights,
  name: string,
  factor: number,
): SearchWeights {
  const scaled = Object.entries(weights[group]).map(([key, weight]) => [
    key,
    key === name ? weight * factor : weight,
  ]);
  return { ...weights, [group]: Object.fromEntries(scaled) };
}

/** The factors of the weights that are not as they are served with. */
function changes(weights: SearchWeights): Record<string, number> {
  const factors = (['fields', 'signs'] as const).flatMap((group) => {
    const served = new Map(Object.entries(SEARCH_WEIGHTS[group]));
    return Object.entries(weights[group]).map(([name, weight]) => [
      `${group}.${name}`,
      Math.round((100 * weight) / (served.get(name) ?? weight)) / 100,
    ]);
  });
  return Object.fromEntries(factors.filter(([, factor]) => factor !== 1));
}

/** The share of all questions whose tool is among the first results, by depth, in percent. */
function shares({ services, tasks }: Opened, weights: SearchWeights): Record<string, number> {
  const { questions, found } = measureSearch(services, tasks, { weights }).question;
  return Object.fromEntries(
    RECALL_DEPTHS.map((depth, i) => [
      `recall_at_${depth}`,
      Math.round((1000 * (found[i] ?? 0)) / questions) / 10,
    ]),
  );
}
