import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TaskPage } from '../client/index.ts';
import { settled } from '../tests/console/console-page.ts';
import type { Page } from '../tests/console/page.ts';
import type { Showcase } from './showcase.ts';

const TASKS_A_FORMULATION = 3;

/**
 * Goes through the console's views of a farm and writes to a folder what the farm answered: a file an answer, and
 * `index.json` with the file of each request, by method, path and body. Returns how many answers there are.
 */
export async function recordConsole(showcase: Showcase, to: string): Promise<number> {
  const files = new Map<string, string>();
  const page = await showcase.open({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  page.on('response', async (response) => {
    const request = response.request();
    if (request.resourceType() !== 'fetch' || !response.ok()) return;
    const path = request.url().slice(showcase.address.length);
    const isDocument = path.startsWith('/openapi/');
    const key = `${request.method()} ${path}${request.postData() ?? ''}`;
    const file = isDocument ? path.slice(1) : (files.get(key) ?? `${files.size}.json`);
    files.set(key, file);
    const text = await response.text();
    mkdirSync(dirname(join(to, file)), { recursive: true });
    writeFileSync(join(to, file), text);
  });
  for (const view of await viewsToRecord(showcase)) {
    await showcase.go(page, view);
    await openAll(page);
  }
  await page.context().close();
  writeFileSync(join(to, 'index.json'), JSON.stringify(Object.fromEntries(files)));
  return files.size;
}

/** Each domain with its references; of the last one also each endpoint, and some of its tasks. */
async function viewsToRecord({ farm, views }: Showcase): Promise<string[]> {
  const { domains } = await farm.index();
  const shown = domains.at(-1)?.db ?? '';
  const ofDomains = domains.flatMap(({ db, openapi }) => [
    `#/domain/${db}`,
    ...Object.keys(openapi).map((formulation) => `#/reference/${db}/${formulation}`),
  ]);
  const { endpoints } = await farm.catalog(shown);
  const formulations = Object.keys(domains.at(-1)?.openapi ?? {});
  const tasks = await Promise.all(
    formulations.map((formulation) =>
      farm.get<TaskPage>(`/tasks?db=${shown}&formulation=${formulation}&limit=${TASKS_A_FORMULATION}`),
    ),
  );
  return [
    '#/',
    '#/reference',
    '#/tasks',
    ...ofDomains,
    ...endpoints.map(({ name }) => `#/endpoint/${shown}/${name}`),
    ...tasks.flatMap((each) => each.tasks.map(({ sample_id }) => `#/task/${sample_id}`)),
    ...Object.values(views),
  ];
}

/** Opens what is folded in a view, except the operations of a reference, whose calls an endpoint's view makes too. */
async function openAll(page: Page): Promise<void> {
  await page.evaluate(
    "for (const folded of document.querySelectorAll('main details:not(.operation)')) folded.open = true",
  );
  await settled(page);
  await page.waitForLoadState('networkidle');
}
