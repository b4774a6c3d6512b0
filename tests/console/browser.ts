import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The browser of the tests: `ROOKERY_BROWSER`, else a Chromium on the path; undefined where there is none. */
export const browserPath: string | undefined = process.env.ROOKERY_BROWSER || onPath();

/** The name of a test that is skipped without a browser; then it says what to set. */
export function withBrowser(test: string): string {
  return browserPath === undefined ? `${test} (skipped: no Chromium; set ROOKERY_BROWSER)` : test;
}

/** Starts it, without a window and without a network. */
export function openBrowser(): Promise<Browser> {
  if (browserPath === undefined) throw new Error('there is no browser: see browserPath');
  // Containers often have neither a sandbox for processes nor shared memory of a useful size.
  const args = [
    '--no-sandbox',
    '--disable-dev-shm-usage',
    '--disable-gpu',
    '--disable-background-networking',
  ];
  return chromium.launch({ executablePath: browserPath, args });
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
