import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { agentOptions, loadFarm, measureSearch, RECALL_DEPTHS, type Recall } from '../services/index.ts';
import { bundledFarm } from './farms.ts';
import { withMoreEndpoints } from './search/more-endpoints.ts';

/**
 * `npm run bench:search [-- --farm <folder> --among <folder> --tools 5000]`: how often `search_tools` finds the endpoint that a
 * question needs, among the farm's own tools, and among so many: those of other farms, and endpoints made of seeded
 * queries over the same tables. The shares go to the screen and to bench/results/search.json.
 */
const { values } = parseArgs({
  options: {
    farm: { type: 'string' },
    among: { type: 'string', multiple: true, default: [] },
    tools: { type: 'string', default: '5000' },
  },
});
const scratch = mkdtempSync(join(tmpdir(), 'rookery-bench-'));
try {
  const folder = values.farm ?? (await bundledFarm(join(scratch, 'farm')));
  const farm = await loadFarm(folder);
  const { tasks: source } = agentOptions(farm, {});
  const tasks = source.dbs.flatMap((db) => source.open(db).readAll());
  const own = farm.domains.map(({ service }) => service);
  const others = (await Promise.all(values.among.map((each) => loadFarm(each)))).flatMap(({ domains }) =>
    domains.map(({ service }) => service),
  );
  const all = [...own, ...others];
  const most = Number(values.tools);
  const count = all.reduce((sum, { endpoints }) => sum + endpoints.length, 0);
  // The same number for each domain, so that no domain can be told by its size.
  const more = Math.ceil(Math.max(0, most - count) / all.length);
  const many = all.map((service) => withMoreEndpoints(service, service.endpoints.length + more));
  const rows = [
    measure('its own tools', own),
    ...(others.length > 0 ? [measure('with those of other farms', all)] : []),
    measure('with made ones over the same tables', many),
  ];
  console.log(rows.map((row) => JSON.stringify(row)).join('\n'));
  const results = fileURLToPath(new URL('results/', import.meta.url));
  mkdirSync(results, { recursive: true });
  const report = { farm: values.farm === undefined ? 'the bundled farm' : farm.farm.name, rows };
  writeFileSync(join(results, 'search.json'), `${JSON.stringify(report, null, 2)}\n`);

  function measure(among: string, services: typeof own) {
    const began = performance.now();
    const { tools, question, evidence } = measureSearch(services, tasks);
    const searches = question.questions + evidence.questions;
    const ms = Math.round(((performance.now() - began) / Math.max(1, searches)) * 10) / 10;
    return { among, tools, ms_a_search: ms, question: shares(question), evidence: shares(evidence) };
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function shares({ questions, found }: Recall) {
  const share = (count: number) => (questions === 0 ? null : Math.round((1000 * count) / questions) / 10);
  return {
    questions,
    ...Object.fromEntries(RECALL_DEPTHS.map((k, i) => [`recall_at_${k}`, share(found[i] ?? 0)])),
  };
}
