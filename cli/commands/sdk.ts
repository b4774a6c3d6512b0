import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { OptionError } from '../../contracts/errors.ts';
import { programNames } from '../../contracts/sdk.ts';
import { counted, didYouMean, nearestNames } from '../../contracts/wording.ts';
import { writeFolder } from '../../generator/write/write-folder.ts';
import { domainModule } from '../../services/agents/code/sdk.ts';
import { printSdk } from '../../services/agents/code/sdk-routes.ts';
import { loadFarm } from '../../services/index.ts';
import { choice, list } from '../options.ts';

interface SdkFlags {
  readonly lang: 'ts' | 'py';
  readonly out: string;
  readonly only?: readonly string[];
}

const INDEX = 'sdk-index.txt';

/** `rookery sdk <farm>`: a typed module for each domain. */
export function register(program: Command): void {
  program
    .command('sdk')
    .description('write a typed module for each domain of a farm, to call it from programs (docs/code.md)')
    .argument('<farm>', 'folder made by `rookery generate`')
    .addOption(choice('--lang <language>', 'TypeScript or Python', ['ts', 'py'], 'ts'))
    .option('-o, --out <folder>', 'where to; an older SDK there is replaced', 'sdk')
    .option('--only <db>', 'this domain only (may be repeated)', list)
    .action(writeSdk);
}

async function writeSdk(farm: string, { lang, out, only }: SdkFlags): Promise<void> {
  const services = (await loadFarm(farm)).domains.map(({ service }) => service);
  const names = services.map(({ db }) => db);
  const unknown = only?.find((db) => !names.includes(db));
  if (unknown !== undefined) {
    const suggestions = nearestNames(unknown, names);
    throw new OptionError('--only', `the farm has no domain ${unknown}${didYouMean(suggestions)}`);
  }
  const chosen = services.filter(({ db }) => only === undefined || only.includes(db));
  const fileNames = programNames(names);
  const modules = chosen.map((service) => ({
    path: `${fileNames.get(service.db)}.${lang}`,
    module: domainModule(service),
  }));
  const files = [
    ...modules.map(({ path, module }) => ({ path, content: printSdk(module, lang) })),
    {
      path: INDEX,
      content: modules.map(({ path, module }) => `# ${path}\n${printSdk(module, 'txt')}`).join('\n'),
    },
  ];
  await writeFolder(out, { isOurs: isSdk, what: 'an SDK' }, () => ({ files }));
  const functions = modules.reduce((total, { module }) => total + module.functions.length, 0);
  process.stdout.write(
    `${counted(functions, 'function')} of ${counted(modules.length, 'domain')} written to ${out}; ${INDEX} has a line for each.\n`,
  );
}

/** Whether a folder holds an SDK and nothing else. */
function isSdk(folder: string): boolean {
  const others = readdirSync(folder).filter(
    (name) => name !== '__pycache__' && !/\.(?:ts|py|txt)$/.test(name),
  );
  return existsSync(join(folder, INDEX)) && others.length === 0;
}
