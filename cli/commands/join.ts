import type { Command } from 'commander';
import { ROOKERY } from '../../contracts/package-root.ts';
import { counted } from '../../contracts/wording.ts';
import { deploymentFiles } from '../../deploy/deploy.ts';
import { joinFarms } from '../../generator/write/join-farms.ts';
import { interruptSignal } from '../terminal.ts';

interface JoinFlags {
  readonly out: string;
  readonly name?: string;
}

/** `rookery join <farms…> --out <folder>`: one farm with the domains of several. */
export function register(program: Command): void {
  program
    .command('join')
    .description('make one farm of several, with the domains of all of them (docs/farm.md)')
    .argument('<farms...>', 'folders made by `rookery generate`, without a domain in common')
    .requiredOption('-o, --out <folder>', 'where the farm goes; an older farm there is replaced')
    .option('--name <name>', 'name of the farm (default: theirs, joined by +)')
    .action(async (folders: string[], { out, name }: JoinFlags) => {
      const extraFiles = (farm: Parameters<typeof deploymentFiles>[0]) => deploymentFiles(farm, {});
      const { domains } = await joinFarms(folders, { out, name, extraFiles, signal: interruptSignal(out) });
      const endpoints = domains.reduce((sum, domain) => sum + domain.endpoints, 0);
      process.stdout.write(
        `${counted(domains.length, 'domain')}, ${counted(endpoints, 'endpoint')}\nServe it: ${ROOKERY} serve ${out}\n`,
      );
    });
}
