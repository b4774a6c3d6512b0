import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { packageRoot } from '../contracts/package-root.ts';
import { buildBundledSplit } from '../databases/build.ts';
import { settled } from '../tests/console/console-page.ts';
import type { Page } from '../tests/console/page.ts';
import { startCommand } from '../tests/support/start-command.ts';
import { openShowcase, type Showcase } from './showcase.ts';

/**
 * `tsx scripts/screenshots.ts <farm> <folder> <runs>`: screenshots of every view of the console, light, dark
 * and phone-sized; the leaderboard shows scored runs on that farm.
 */
const [farmFolder, out, runs] = process.argv.slice(2);
if (farmFolder === undefined || out === undefined || runs === undefined)
  throw new Error('usage: tsx scripts/screenshots.ts <farm> <folder> <runs>');

const LOOKS = {
  light: { colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  dark: { colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
  phone: { colorScheme: 'light', viewport: { width: 390, height: 844 } },
} as const;
/** Interactions with a view before its screenshot. */
const ACTIONS: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  domain: async (page) => {
    await page.getByRole('region', { name: 'Diagram of the schema' }).getByRole('link').first().focus();
    await page.getByRole('tooltip').locator('dd').first().waitFor();
  },
  endpoint: (page) => page.getByRole('button', { name: 'Call', exact: true }).click(),
  task: async (page) => {
    await page.getByText('The gold', { exact: true }).click();
    await page.getByRole('region', { name: 'Graph of the gold calls' }).waitFor();
    await scrollTo(page, 'The gold');
  },
  playground: (page) => scrollTo(page, 'Undo'),
  run: (page) => scrollTo(page, 'Turn by turn, beside the gold calls'),
};

/** Puts what has this text at the top. */
async function scrollTo(page: Page, text: string): Promise<void> {
  const box = await page.getByText(text, { exact: true }).boundingBox();
  await page.mouse.wheel(0, (box?.y ?? 0) - 64);
  await page.waitForTimeout(200);
}

/** The words of a table while one is changed. */
async function shootWords(showcase: Showcase): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'rookery-words-'));
  await buildBundledSplit({ only: ['vet_clinics'], to: join(scratch, 'my-split') });
  process.env.ROOKERY_CONSOLE = showcase.console;
  const command = [join(packageRoot, 'cli', 'main.ts'), 'vocabulary', 'my-split', '--edit', '--port=0'];
  const server = await startCommand(`--import=${import.meta.resolve('tsx')}`, command, scratch);
  try {
    for (const [look, options] of Object.entries(LOOKS)) {
      const page = await showcase.open({ ...options, reducedMotion: 'reduce' });
      await page.goto(server.address);
      await page.getByLabel('many such as').fill('surgeries');
      await page.locator('ins').first().waitFor();
      await page.screenshot({ path: join(resolve(out as string), `words-${look}.png`) });
      await page.context().close();
    }
  } finally {
    await server.stop();
    rmSync(scratch, { recursive: true, force: true });
  }
}

const showcase = await openShowcase(farmFolder, runs);
try {
  mkdirSync(resolve(out), { recursive: true });
  for (const [name, view] of Object.entries(showcase.views)) {
    for (const [look, options] of Object.entries(LOOKS)) {
      const page = await showcase.open({ ...options, reducedMotion: 'reduce' });
      await showcase.go(page, view);
      await ACTIONS[name]?.(page);
      await settled(page);
      await page.screenshot({ path: join(resolve(out), `${name}-${look}.png`) });
      await page.context().close();
    }
  }
  await shootWords(showcase);
} finally {
  await showcase.close();
}
