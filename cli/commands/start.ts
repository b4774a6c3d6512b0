import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { farm as farmSchema } from '../../contracts/farm.ts';
import { packageRoot, packageVersion } from '../../contracts/package-root.ts';
import { buildBundledSplit } from '../../databases/build.ts';
import { DEFAULT_REFERENCE_TIME } from '../../generator/generate.ts';
import { readSplit } from '../../generator/read/read-split.ts';
import { generateFarm } from '../generate-farm.ts';
import { wholeNumber } from '../options.ts';
import { serveFarm } from '../serve-farm.ts';

/** `rookery start`: the bundled split, generated on first use, served. */
export function register(program: Command): void {
  program
    .command('start')
    .description('serve the bundled split; its farm is generated on first use')
    .option('-p, --port <port>', 'port to listen on', wholeNumber(0, 65535), 8080)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--farm <folder>', 'where the farm is kept', join(packageRoot, 'farm'))
    .action(async ({ port, host, farm }: { port: number; host: string; farm: string }) => {
      const split = await buildBundledSplit();
      if (!(await isUpToDate(farm, split))) {
        await generateFarm(split, {
          out: farm,
          name: BUNDLED_NAME,
          referenceTime: DEFAULT_REFERENCE_TIME,
          timeout: 30,
        });
      }
      await serveFarm(farm, { port, host });
    });
}

/** The bundled split's name in addresses. */
export const BUNDLED_NAME = 'bundled';

async function isUpToDate(folder: string, split: string): Promise<boolean> {
  const file = join(folder, 'farm.json');
  if (!existsSync(file)) return false;
  const found = farmSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (!found.success || found.data.generator_version !== packageVersion) return false;
  const { content_hash } = await readSplit(split, { name: BUNDLED_NAME });
  return found.data.split.content_hash === content_hash;
}
