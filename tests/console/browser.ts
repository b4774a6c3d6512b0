import { accessSync, constants, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { packageRoot } from '../../contracts/package-root.ts';
import { installTools } from '../interop/install-tools.ts';
import type { Browser } from './page.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const path = process.env.ROOKERY_BROWSER || onPath();
const tools =
  path === undefined ? null : await installTools(join(packageRoot, 'tests', 'installed', 'browser'));
const missing = tools === null ? 'no Chromium; set ROOKERY_BROWSER' : tools.missing;

/** The browser of the tests: `ROOKERY_BROWSER`, else a Chromium on the path; undefined where it cannot be driven. */
export const browserPath = missing === null ? path : undefined;

/** The text of axe, which finds what is wrong with a page. */
export const axeText = () => readFileSync(tools?.load.resolve('axe-core/axe.min.js') ?? '', 'utf8');

/** The name of a test that is skipped without a browser; then it says why. */
export function withBrowser(test: string): string {
  return missing === null ? test : `${test} (skipped: ${missing})`;
}

/** Starts it, without a window and without a network. */
export function openBrowser(): Promise<Browser> {
  if (browserPath === undefined) throw new Error(`there is no browser: ${missing}`);
  // Containers often have neither a sandbox for processes nor shared memory of a useful size.
  const args = [
    '--no-sandbox',
    '--disable-dev-shm-usage',
    '--disable-gpu',
    '--disable-background-networking',
  ];
  return tools?.load('playwright-core').chromium.launch({ executablePath: browserPath, args });
}

function onPath(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
