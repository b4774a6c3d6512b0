import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { type Farm, farm as farmSchema } from '../../contracts/farm.ts';
import { packageVersion } from '../../contracts/package-root.ts';
import { buildBundledSplit } from '../../databases/build.ts';
import { readSplit } from '../../generator/read/read-split.ts';
import { BUNDLED_NAME, generateBundled } from '../generate-bundled.ts';
import { wholeNumber } from '../options.ts';
import { EXAM_HELP, serveFarm } from '../serve-farm.ts';

interface StartFlags {
  readonly port: number;
  readonly host: string;
  readonly farm: string;
  readonly harnessKey?: string;
  readonly exam?: boolean;
}

/** `rookery start`: the bundled split, generated on first use, served. */
export function register(program: Command): void {
  program
    .command('start')
    .description('serve the bundled split; its farm is generated on first use')
    .option('-p, --port <port>', 'port to listen on', wholeNumber(0, 65535), 8080)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--farm <folder>', 'where the farm is kept', 'farm')
    .option('--harness-key <key>', 'opens what is not for agents (default: one that is made and printed)')
    .option('--exam', EXAM_HELP)
    .action(async ({ farm, ...flags }: StartFlags) => {
      if (!(await isUpToDate(farm))) {
        await generateBundled(farm);
      }
      await serveFarm(farm, flags);
    });
}

async function isUpToDate(folder: string): Promise<boolean> {
  const found = readFarm(join(folder, 'farm.json'));
  if (found?.generator_version !== packageVersion) return false;
  const { content_hash } = await readSplit(await buildBundledSplit(), { name: BUNDLED_NAME });
  return found.split.content_hash === content_hash;
}

function readFarm(file: string): Farm | null {
  try {
    return farmSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}
