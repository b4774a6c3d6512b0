import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { emitCompose } from '../../deploy/deploy.ts';
import { emitKubernetes } from '../../deploy/kubernetes/emit-kubernetes.ts';
import { replaceFiles } from '../../generator/write/write-folder.ts';
import { chooseDomains, readFarm } from '../../services/base/farm.ts';
import { list, SERVICES_OPTION, wholeNumber } from '../options.ts';

interface ComposeFlags {
  readonly only?: readonly string[];
  readonly services?: number;
  readonly kubernetes: boolean;
}

/** `rookery compose <farm>`: regenerates a farm's docker-compose.yml, or its Kubernetes manifests. */
export function register(program: Command): void {
  program
    .command('compose')
    .description('regenerate the docker-compose.yml of a farm, or write manifests for Kubernetes')
    .argument('<farm>', 'folder made by `rookery generate`')
    .option('--only <db>', 'this domain only (may be repeated)', list)
    .option('--services <n>', SERVICES_OPTION, wholeNumber(1, 1000))
    .option('--kubernetes', 'write manifests into kubernetes/ instead', false)
    .action(async (folder: string, { only, services, kubernetes }: ComposeFlags) => {
      const { root, farm } = readFarm(folder);
      const options = {
        only: only && chooseDomains(farm, only),
        services,
      };
      const files = kubernetes ? emitKubernetes(farm, options) : emitCompose(farm, options);
      // Keep settings that the user has changed.
      const wanted = files.filter(({ path }) => path !== '.env' || !existsSync(join(root, path)));
      await replaceFiles(root, wanted);
      for (const { path } of wanted) process.stdout.write(`${join(folder, path)}\n`);
    });
}
