import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { UserError } from '../../contracts/errors.ts';
import { type Formulation, formulation } from '../../contracts/sample.ts';
import { readFarm, type ScoredFarm } from '../../eval/farm/read-farm.ts';
import { importBfcl } from '../../eval/import/import-bfcl.ts';
import { importLiveApiBench } from '../../eval/import/import-live-api-bench.ts';
import { importVakra } from '../../eval/import/import-vakra.ts';
import { emitPredictions, type Imported } from '../../eval/import/imported.ts';
import { importPublished } from '../import-dbgorilla.ts';
import { writeOutput } from '../score/write-output.ts';

interface ImportFlags {
  readonly out: string;
  readonly model?: string;
}

/** `rookery import bfcl|vakra|live-api-bench|dbgorilla`: results of other runners as a prediction file; published questions. */
export function register(program: Command): void {
  const group = program.command('import').description("turn another runner's results into a prediction file");
  group
    .command('bfcl')
    .description('results of `bfcl generate` on the tasks of `rookery export bfcl`')
    .argument('<farm>', 'folder made by `rookery generate`')
    .argument('<results...>', 'BFCL_v4_farm_multiple_result.json, BFCL_v4_farm_irrelevance_result.json')
    .requiredOption('--export <folder>', 'what `rookery export bfcl` wrote')
    .requiredOption('-o, --out <file>', 'prediction file to write')
    .option('--model <name>', 'name of the model')
    .action((folder: string, results: readonly string[], flags: ImportFlags & { export: string }) => {
      const farm = readFarm(folder);
      const map = requireFile(join(flags.export, 'farm_samples.jsonl'));
      write(
        farm,
        results.map((file) => importBfcl(requireFile(file), map)),
        flags,
      );
    });
  group
    .command('dbgorilla')
    .description(
      "DBGorilla's published questions, with what is wrong with them; scores of its published predictions",
    )
    .argument('<queries>', 'synthetic-weaviate-queries-with-schemas.json')
    .argument('[results...]', 'files of predictions, such as gpt-4o.json')
    .requiredOption('-o, --out <file>', 'where the questions go, a line each')
    .action((queries: string, results: readonly string[], { out }: { readonly out: string }) =>
      importPublished(requireFile(queries), results.map(requireFile), out),
    );
  for (const [name, what, read] of [
    ['vakra', 'submissions in the format of VAKRA', importVakra],
    ['live-api-bench', "records of Live API-Bench's own runner", importLiveApiBench],
  ] as const) {
    group
      .command(name)
      .description(what)
      .argument('<farm>', 'folder made by `rookery generate`')
      .argument('<results...>', 'one JSON file a domain')
      .addOption(
        new Option('--formulation <name>', 'what was asked for')
          .choices([...formulation.options])
          .makeOptionMandatory(),
      )
      .requiredOption('-o, --out <file>', 'prediction file to write')
      .option('--model <name>', 'name of the model')
      .action(
        (folder: string, results: readonly string[], flags: ImportFlags & { formulation: Formulation }) => {
          const farm = readFarm(folder);
          write(
            farm,
            results.map((file) => read(requireFile(file), farm.samples, flags.formulation)),
            flags,
          );
        },
      );
  }
}

function write(farm: ScoredFarm, imports: readonly Imported[], { out, model }: ImportFlags): void {
  const ids = new Set(farm.samples.map(({ sample_id }) => sample_id));
  const all = imports.flatMap(({ predictions }) => predictions);
  const known = all.filter(({ sample_id }) => ids.has(sample_id));
  const unmatched = [
    ...imports.flatMap((imported) => imported.unmatched),
    ...all.filter(({ sample_id }) => !ids.has(sample_id)).map(({ sample_id }) => sample_id),
  ];
  writeOutput(
    out,
    emitPredictions({ farm_hash: farm.hash, ...(model === undefined ? {} : { model }) }, known),
  );
  process.stdout.write(`${known.length} predictions written to ${out}\n`);
  if (unmatched.length > 0) {
    const shown = unmatched.slice(0, 5).join(', ');
    process.stderr.write(
      `${unmatched.length} records belong to no sample of the farm and were left out: ${shown}${unmatched.length > 5 ? ', …' : ''}\n`,
    );
  }
}

function requireFile(file: string): string {
  if (!existsSync(file)) throw new UserError('IMPORT_INVALID', file, 'is not there');
  return file;
}
