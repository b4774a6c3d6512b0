import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { importBfcl } from '../../adapters/bfcl/export.ts';
import {
  type ImportedQuery,
  importDbGorilla,
  type PublishedScores,
  scorePublished,
} from '../../adapters/dbgorilla.ts';
import { emitPredictions, type Imported } from '../../adapters/imports.ts';
import { importLiveApiBench } from '../../adapters/live-api-bench.ts';
import { importVakra } from '../../adapters/vakra.ts';
import { UserError } from '../../contracts/errors.ts';
import { type Formulation, formulation } from '../../contracts/sample.ts';
import { percent } from '../../contracts/wording.ts';
import { readFarm, type ScoredFarm } from '../../eval/farm/read-farm.ts';
import { writeOutput } from '../files.ts';
import { textTable } from '../terminal.ts';

interface ImportFlags {
  readonly out: string;
  readonly model?: string;
}

/** `rookery import bfcl|vakra|live-api-bench|dbgorilla`: results of other runners, and published questions. */
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
      .argument('<results...>', 'one JSON file per domain')
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
  writeOutput(out, emitPredictions({ farm_hash: farm.hash, model }, known));
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

/** Writes the published questions with their defects, and prints the scores of published predictions. */
export function importPublished(file: string, results: readonly string[], out: string): void {
  const queries = importDbGorilla(file);
  const scored = results.map((each) => scorePublished(each, queries));
  writeOutput(out, queries.map((query) => `${JSON.stringify(query)}\n`).join(''));
  const flagged = queries.filter(({ quirks }) => quirks.length > 0).length;
  process.stdout.write(
    `${queries.length} questions written to ${out}; ${flagged} have gold queries with quirks${flagged > 0 ? `:\n${quirkTable(queries)}` : '\n'}`,
  );
  if (scored.length > 0) process.stdout.write(`\n${scoreTable(scored)}`);
}

function quirkTable(queries: readonly ImportedQuery[]): string {
  const rows = queries.flatMap(({ id, quirks }) =>
    quirks.map(({ kind, argument, detail }) => [id, kind, argument, detail]),
  );
  return textTable(['question', 'quirk', 'argument', ''], rows);
}

function scoreTable(all: readonly PublishedScores[]): string {
  const head = [
    'model',
    'exact',
    'strict',
    'published exact',
    'AST, paper',
    'AST, code',
    'routing',
    'tool selected',
    'invalid',
    'asked with another schema',
  ];
  const rows = all.map(({ model, scores }) => {
    const mean = (of: (score: (typeof scores)[number]['score']) => number | boolean) =>
      scores.reduce((sum, { score }) => sum + Number(of(score)), 0) / scores.length;
    return [
      model,
      percent(mean(({ exact }) => exact)),
      percent(mean(({ exact_strict }) => exact_strict)),
      percent(mean(({ exact_legacy }) => exact_legacy)),
      mean(({ ast }) => ast).toFixed(3),
      mean(({ ast_legacy }) => ast_legacy).toFixed(3),
      percent(mean(({ routed }) => routed)),
      percent(mean(({ call }) => call !== 'none')),
      percent(mean(({ call }) => call === 'invalid')),
      scores.filter(({ otherSchema }) => otherSchema).length,
    ];
  });
  return textTable(head, rows);
}
