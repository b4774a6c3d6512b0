import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { Rookery } from '../../client/index.ts';
import { buildConsole } from '../../scripts/build/bundle.ts';
import type { AgentOptions } from '../../services/agents/agent-context.ts';
import { startServer } from '../../services/server.ts';
import { axeText, openBrowser } from './browser.ts';
import type { Browser, BrowserContextOptions, Page } from './page.ts';

const HARNESS_KEY = 'the-key-of-whoever-gives-the-exam';

export interface OpenOptions extends BrowserContextOptions {
  /** Whether the harness key is given already. */
  readonly asHarness?: boolean;
}

/** A farm that is served with its console, and a browser that looks at it. */
export interface ConsolePage {
  readonly harnessKey: string;
  readonly address: string;
  readonly farm: Rookery;
  readonly folder: string;
  /** A page at a view, `#/tasks`, with what has gone wrong in it. */
  open(view: string, options?: OpenOptions): Promise<OpenedPage>;
  close(): Promise<void>;
}

export interface OpenedPage extends AsyncDisposable {
  readonly page: Page;
  readonly faults: readonly string[];
}

export async function serveConsole(
  farmFolder: string,
  options: Partial<AgentOptions> = {},
): Promise<ConsolePage> {
  const folder = mkdtempSync(join(tmpdir(), 'rookery-console-'));
  const built = join(folder, 'console');
  await buildConsole(built);
  const agents = { harnessKey: HARNESS_KEY, runs: { place: join(folder, 'runs.sqlite') }, ...options };
  const server = await startServer(farmFolder, { port: 0, logger: false, console: built, agents });
  const browser = await openBrowser();
  return {
    harnessKey: HARNESS_KEY,
    address: server.address,
    farm: new Rookery(server.address, { harnessKey: HARNESS_KEY }),
    folder,
    open: (view, { asHarness = false, ...context } = {}) =>
      openPage(browser, `${server.address}/${view}`, asHarness ? HARNESS_KEY : '', context),
    async close() {
      await browser.close();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A site of files that a browser looks at. */
export interface BrowsedSite {
  open(view: string, options?: OpenOptions): Promise<OpenedPage>;
  close(): Promise<void>;
}

/** A browser for a site of files, which is closed with it. */
export async function browseSite(
  files: { readonly address: string; close(): Promise<void> },
  between = '/',
): Promise<BrowsedSite> {
  const browser = await openBrowser();
  return {
    open: (view, { asHarness: _, ...context } = {}) =>
      openPage(browser, `${files.address}${between}${view}`, '', context),
    async close() {
      await browser.close();
      await files.close();
    },
  };
}

/** A page of any address, and everything that goes wrong in it. */
async function openPage(
  browser: Browser,
  address: string,
  key: string,
  options: BrowserContextOptions = {},
): Promise<OpenedPage> {
  const context = await browser.newContext(options);
  const keys = JSON.stringify({ apiKey: '', harnessKey: key });
  if (key !== '') await context.addInitScript(`sessionStorage.setItem('rookery-keys', '${keys}')`);
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const faults: string[] = [];
  page.on('console', (said) => {
    // A refusal that the page is prepared for is logged by the browser all the same.
    if (said.type() === 'error' && !said.text().includes('status of 4')) faults.push(said.text());
  });
  page.on('pageerror', ({ message }) => faults.push(message));
  await page.goto(address);
  await settled(page);
  return { page, faults, [Symbol.asyncDispose]: () => context.close() };
}

/** Waits until a view has what it has asked for. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  const loading = page.getByText('Loading …');
  while ((await loading.count()) > 0) await loading.first().waitFor({ state: 'detached' });
}

const found = z.array(z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) }));

/** What axe finds wrong with a page, by all of its rules or by one: rules and elements. */
export async function violations(page: Page, rule?: string): Promise<readonly string[]> {
  await page.evaluate(axeText());
  const options = rule === undefined ? '' : JSON.stringify({ runOnly: [rule] });
  const told = found.parse(await page.evaluate(`axe.run(${options}).then(({ violations }) => violations)`));
  return told.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

/** The looks in which every view is tried. */
export const LOOKS = {
  light: { colorScheme: 'light', viewport: { width: 1200, height: 800 } },
  dark: { colorScheme: 'dark', viewport: { width: 1200, height: 800 } },
  'as wide as a phone': { colorScheme: 'light', viewport: { width: 360, height: 740 } },
} as const satisfies Record<string, BrowserContextOptions>;

/** Only colours are other in the dark. */
const ONE_RULE: Readonly<Record<string, string>> = { dark: 'color-contrast' };

/** What is wrong with a view in every look: violations of axe, parts beyond the page, faults. */
export async function flawsOf(console: BrowsedSite, view: string, options: OpenOptions): Promise<string[]> {
  const flaws: string[] = [];
  for (const [look, context] of Object.entries(LOOKS)) {
    await using opened = await console.open(view, { ...context, ...options });
    const { page, faults } = opened;
    const wider = z.number().parse(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
    const own = [
      ...(await violations(page, ONE_RULE[look])),
      ...(wider > 0 ? [`${wider} px too wide`] : []),
      ...faults,
    ];
    flaws.push(...own.map((flaw) => `${view.slice(0, 40)}, ${look}: ${flaw}`));
  }
  return flaws;
}
