import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { loadLanguageParsers } from '../../adapters/bfcl/decode.ts';
import { findTasks } from '../../adapters/bfcl/files.ts';
import { type BfclReport, type BfclScoreOptions, scoreBfclFiles } from '../../adapters/bfcl/score.ts';
import { type SummaryTable, summaryTables } from '../../adapters/bfcl/summary-tables.ts';
import { priceTable } from '../../eval/metrics/efficiency.ts';
import { readPrices, writeOutput } from '../files.ts';
import { textTable, withProgress } from '../terminal.ts';

interface BfclFlags extends Omit<BfclScoreOptions, 'parsers'> {
  readonly out?: string;
  readonly csv?: string;
  readonly partialEval: boolean;
  readonly prices?: string;
}

/** `rookery score bfcl <questions> <answers> <results>`: BFCL's single-turn categories, without a farm. */
export function registerScoreBfcl(score: Command): void {
  score
    .command('bfcl')
    .description('score result files of BFCL against its own questions; needs no farm')
    .argument('<questions>', 'BFCL_v4_<category>.json, or the folder that has them')
    .argument(
      '<answers>',
      'possible_answer/BFCL_v4_<category>.json, or the folder; read where the category has answers',
    )
    .argument('<results>', 'BFCL_v4_<category>_result.json, or a folder: one model, or one folder per model')
    .option('-o, --out <file>', 'write every verdict as JSON')
    .option('--csv <folder>', "write BFCL's tables: data_non_live.csv, data_live.csv, data_overall.csv")
    .option('--partial-eval', 'accept results of some of the questions', false)
    .addOption(
      new Option(
        '--parse <parser>',
        "how texts are read: as BFCL does, or by rookery's ladder where that fails",
      )
        .choices(['bfcl', 'lenient'])
        .default('bfcl'),
    )
    .addOption(
      new Option('--dots <names>', 'whether the model had `_` for each `.` of a name')
        .choices(['auto', 'kept', 'underscores'])
        .default('auto'),
    )
    .option('--prices <file>', 'JSON: {"<model>": {"input_per_million": 1, "output_per_million": 2}}')
    .action(scoreBfcl);
}

async function scoreBfcl(
  questions: string,
  answers: string,
  results: string,
  flags: BfclFlags,
): Promise<void> {
  const prices = flags.prices === undefined ? null : readPrices(flags.prices, priceTable);
  const tasks = findTasks(questions, answers, results);
  const readsSource = tasks.tasks.some(({ category }) => category.language !== 'python');
  const report = await withProgress(async (update) =>
    scoreBfclFiles(tasks, {
      parse: flags.parse,
      dots: flags.dots,
      parsers: readsSource ? await loadLanguageParsers() : null,
      partial: flags.partialEval,
      prices,
      onProgress: (done, total) => update('score', done, total),
    }),
  );
  const tables = summaryTables(report.models, 'official');
  process.stdout.write(`${reportText(report, tables)}\n`);
  for (const { file, reason } of report.left_out) process.stderr.write(`${file} is left out: ${reason}\n`);
  if (flags.out !== undefined) writeOutput(flags.out, `${JSON.stringify(report)}\n`);
  if (flags.csv !== undefined)
    for (const table of tables) writeOutput(join(flags.csv, table.file), csv(table));
}

function reportText(report: BfclReport, tables: readonly SummaryTable[]): string {
  const categories = report.models.flatMap(({ model, categories: scores }) =>
    scores.map(({ category, official, fixed, errors, not_run }) => [
      model,
      category,
      official.total,
      share(official),
      share(fixed),
      not_run === 0 ? '' : not_run,
      mostFrequent(errors),
    ]),
  );
  const head = ['model', 'category', 'N', 'official', 'fixed', 'not run', 'most frequent error'];
  const summaries = tables.map(({ file, head: columns, rows }) => `${file}\n${transposed(columns, rows)}`);
  return [`Accuracy\n${textTable(head, categories)}`, ...summaries, NOTE].join('\n\n');
}

const NOTE =
  'As in BFCL, the overall accuracy counts what was not run as 0; multi-turn and agentic categories (70 %) are not scored here.';

/** One line per column, since BFCL's tables are wider than a terminal. */
function transposed(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const [rank = '', ...others] = columns.map((column, i) => [column, ...rows.map((row) => row[i] ?? '')]);
  return textTable(Array.isArray(rank) ? rank : [rank], others);
}

function share({ correct, total }: { readonly correct: number; readonly total: number }): string {
  return total === 0 ? '–' : `${((100 * correct) / total).toFixed(2)} %`;
}

function mostFrequent(errors: Readonly<Record<string, number>>): string {
  const [first] = Object.entries(errors).sort(([, a], [, b]) => b - a);
  return first === undefined ? '' : `${first[0]} (${first[1]})`;
}

/** BFCL's CSV dialect: no quotes, no line break after the last row. */
function csv({ head, rows }: SummaryTable): string {
  return [head, ...rows].map((row) => row.join(',')).join('\n');
}
