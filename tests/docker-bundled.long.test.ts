import { setTimeout } from 'node:timers/promises';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../contracts/package-root.ts';
import { DOMAIN_NAMES } from '../databases/domains.ts';
import { buildImage, ComposeProject, composeCommand, docker } from './support/docker.ts';
import { freePort } from './support/supervised.ts';

const MINUTES = 60_000;
/** An image of the whole bundled farm to test instead of building one. */
const GIVEN_IMAGE = process.env.ROOKERY_TEST_BUNDLED_IMAGE;
const IMAGE = GIVEN_IMAGE ?? 'rookery:bundled-test';
const MEBIBYTE = 1024 * 1024;

// What the README says: docker compose up
describe.skipIf(composeCommand === null)(
  composeCommand
    ? 'the whole bundled farm in containers'
    : 'the whole bundled farm (needs Docker with Compose)',
  () => {
    let project: ComposeProject;
    let origin: string;

    beforeAll(async () => {
      if (!GIVEN_IMAGE) await buildImage(packageRoot, IMAGE);
      const port = await freePort();
      origin = `http://127.0.0.1:${port}`;
      project = new ComposeProject(packageRoot, { ROOKERY_IMAGE: IMAGE, ROOKERY_PORT: String(port) });
      await project.compose(['up', '-d', '--no-build']);
      await project.healthy(DOMAIN_NAMES.length + 2, 5 * MINUTES);
    }, 40 * MINUTES);
    afterAll(() => project.compose(['down', '-v', '--remove-orphans']), 2 * MINUTES);

    test('has 2,500 live endpoints behind one address, and SLOT and SEL tools beside them', async () => {
      const counts = await Promise.all(
        ['rest', 'slot', 'sel'].map(async (formulation) => {
          const document = await request(`${origin}/openapi/${formulation}.json`);
          expect(document.statusCode).toBe(200);
          const { paths } = (await document.body.json()) as { paths: object };
          return Object.keys(paths).length;
        }),
      );
      const [rest = 0, slot = 0, sel = 0] = counts;
      expect(rest).toBeGreaterThanOrEqual(2500);
      expect(slot).toBeGreaterThanOrEqual(10 * DOMAIN_NAMES.length);
      expect(sel).toBeGreaterThan(slot);
    });

    test('takes less than 2 GB', async () => {
      await setTimeout(5000);
      const ids = (await project.containers()).map(({ id }) => id);
      const stats = await docker('stats', '--no-stream', '--format', '{{.MemUsage}}', ...ids);
      const used = stats.split('\n').map(bytesOf);
      expect(used).toHaveLength(ids.length);
      expect(used.reduce((sum, each) => sum + each, 0)).toBeLessThan(2000 * MEBIBYTE);
    });
  },
);

/** Of `43.2MiB / 256MiB`. */
function bytesOf(usage: string): number {
  const [, value, unit = ''] = /^([\d.]+)(B|KiB|MiB|GiB)/.exec(usage.trim()) ?? [];
  const factor = { B: 1, KiB: 1024, MiB: MEBIBYTE, GiB: 1024 * MEBIBYTE }[unit];
  if (value === undefined || factor === undefined) throw new Error(`not understood: ${usage}`);
  return Number(value) * factor;
}
