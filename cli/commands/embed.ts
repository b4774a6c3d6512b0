import type { Command } from 'commander';
import { ROOKERY } from '../../contracts/package-root.ts';
import { deploymentFiles } from '../../deploy/deploy.ts';
import { embedFarm } from '../../generator/write/embed-farm.ts';
import { decimal } from '../options.ts';
import { interruptSignal, stepsTo, withProgress } from '../terminal.ts';

interface EmbedFlags {
  readonly out: string;
  readonly model: string;
  readonly baseUrl: string;
  readonly similarity: number;
}

/** `rookery embed <farm> --out <farm>`: the same farm, whose query tool searches by vectors. */
export function register(program: Command): void {
  program
    .command('embed')
    .description('make a farm whose query tool searches by vectors of texts, which a model makes')
    .argument('<farm>', 'folder made by `rookery generate`')
    .requiredOption('-o, --out <folder>', 'where the farm with vectors goes; an older farm there is replaced')
    .requiredOption('--model <name>', 'the model, as its service calls it: text-embedding-3-small')
    .option(
      '--base-url <address>',
      'where a service compatible with OpenAI’s /v1/embeddings is; its key is in ROOKERY_EMBEDDINGS_KEY',
      'https://api.openai.com/v1',
    )
    .option('--similarity <cosine>', 'the least cosine of the rows that a search finds', decimal(-1, 1), 0.4)
    .action(async (farm: string, { out, model, baseUrl, similarity }: EmbedFlags) => {
      await withProgress((update) =>
        embedFarm(farm, {
          out,
          vectors: { model, base_url: baseUrl, similarity },
          extraFiles: (made) => deploymentFiles(made, {}),
          signal: interruptSignal(out),
          onProgress: stepsTo(update),
        }),
      );
      process.stdout.write(`Serve it: ${ROOKERY} serve ${out}\n`);
    });
}
