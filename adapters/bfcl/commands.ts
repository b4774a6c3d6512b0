import { join } from 'node:path';
import { DRAWING, type DrawingFlags, drawn, type ExportFlags, exportCommand } from '../exports.ts';
import type { FormatCommand, FormatTable, Prices } from '../format-command.ts';
import { importCommand, requireFile } from '../imports.ts';
import { loadLanguageParsers } from './decode.ts';
import { exportBfcl, importBfcl } from './export.ts';
import { exportDialogues, isStateTask } from './export-dialogues.ts';
import { exportLanguages, sourceReader } from './export-languages.ts';
import { exportParallel } from './export-parallel.ts';
import { exportStatements } from './export-statements.ts';
import { categoryNameOf, findTasks, languageOf, readQuestions, readScoreFiles } from './files.ts';
import { type BfclReport, type BfclScoreOptions, scoreBfclFiles } from './score.ts';
import { type SummaryTable, summaryTables } from './summary-tables.ts';

interface ScoreFlags extends Pick<BfclScoreOptions, 'parse' | 'dots'> {
  readonly out?: string;
  readonly csv?: string;
  readonly scores?: string;
  readonly partialEval: boolean;
  readonly prices?: Prices;
}

/** BFCL's single-turn categories, without a farm; the others as its own evaluator scored them. */
const scoreFiles: FormatCommand<[questions: string, answers: string, results: string], ScoreFlags> = {
  of: 'score',
  name: 'bfcl',
  description: 'score result files of BFCL against its own questions; needs no farm',
  arguments: [
    ['<questions>', 'BFCL_v4_<category>.json, or the folder that has them'],
    [
      '<answers>',
      'possible_answer/BFCL_v4_<category>.json, or the folder; read where the category has answers',
    ],
    ['<results>', 'BFCL_v4_<category>_result.json, or a folder: one model, or one folder per model'],
  ],
  options: [
    { flags: '-o, --out <file>', description: 'write every verdict as JSON' },
    {
      flags: '--csv <folder>',
      description: "write BFCL's tables: data_overall.csv and those of its groups",
    },
    {
      flags: '--scores <folder>',
      description: "score files of BFCL's own evaluator, for categories that are not scored here",
    },
    { flags: '--partial-eval', description: 'accept results of some of the questions', default: false },
    {
      flags: '--parse <parser>',
      description: "how texts are read: as BFCL does, or by rookery's ladder where that fails",
      choices: ['bfcl', 'lenient'],
      default: 'bfcl',
    },
    {
      flags: '--dots <names>',
      description: 'whether the model had `_` for each `.` of a name',
      choices: ['auto', 'kept', 'underscores'],
      default: 'auto',
    },
    {
      flags: '--prices <file>',
      description: 'JSON: {"<model>": {"input_per_million": 1, "output_per_million": 2}}',
      takes: 'prices',
    },
  ],
  async run([questions, answers, results], { parse, dots, ...flags }, { onProgress }) {
    const tasks = findTasks(questions, answers, results);
    const readsSource = tasks.tasks.some(({ category }) => category.language !== 'python');
    const report = scoreBfclFiles(tasks, {
      parse,
      dots,
      parsers: readsSource ? await loadLanguageParsers() : null,
      partial: flags.partialEval,
      prices: flags.prices ?? null,
      scores: flags.scores === undefined ? [] : readScoreFiles(flags.scores),
      onProgress,
    });
    const tables = summaryTables(report.models, 'official');
    const { out, csv: folder } = flags;
    const verdicts = out === undefined ? [] : [{ path: out, content: `${JSON.stringify(report)}\n` }];
    const csvFiles =
      folder === undefined
        ? []
        : tables.map((table) => ({ path: join(folder, table.file), content: csv(table) }));
    return {
      files: [...verdicts, ...csvFiles],
      print: reportText(report, tables),
      warnings: report.left_out.map(({ file, reason }) => `${file} is left out: ${reason}`),
    };
  },
};

export const commands = [
  exportCommand({
    name: 'bfcl',
    description: 'question and answer files of the Berkeley Function-Calling Leaderboard',
    options: DRAWING,
    takesDialogues: true,
    takesChanges: isStateTask,
    async emit(tasks, flags: ExportFlags & DrawingFlags) {
      const { samples, universe, statementOf, composed } = tasks;
      const options = drawn(flags);
      const files = [
        ...exportBfcl(samples, universe, options),
        ...(await exportParallel(samples, universe, composed, options)),
        ...(await exportStatements(samples, statementOf, options)),
        ...exportLanguages(samples, universe, options),
        ...exportDialogues(samples, tasks, options),
      ];
      const contents = new Map<string, string>();
      for (const { path, content } of files) contents.set(path, (contents.get(path) ?? '') + content);
      return [...contents].flatMap(([path, content]) => (content === '' ? [] : [{ path, content }]));
    },
  }),
  importCommand({
    name: 'bfcl',
    description: 'results of `bfcl generate` on the tasks of `rookery export bfcl`',
    results: 'BFCL_v4_farm_multiple_result.json, BFCL_v4_farm_parallel_result.json, …',
    options: [
      { flags: '--export <folder>', description: 'what `rookery export bfcl` wrote', required: true },
    ],
    async read(file, _, flags: { readonly export: string }) {
      const samples = requireFile(join(flags.export, 'farm_samples.jsonl'));
      const category = categoryNameOf(file) ?? '';
      const language = languageOf(category);
      if (language === 'python') return importBfcl(file, samples);
      const questions = readQuestions(requireFile(join(flags.export, `BFCL_v4_${category}.json`)));
      return importBfcl(file, samples, sourceReader(questions, language, await loadLanguageParsers()));
    },
  }),
  scoreFiles,
];

function reportText(report: BfclReport, tables: readonly SummaryTable[]): (string | FormatTable)[] {
  const categories = report.models.flatMap(({ model, categories: scores }) =>
    scores.map(({ category, official, fixed, errors, not_run, taken_from }) => [
      model,
      category,
      official.total,
      share(official),
      taken_from === undefined ? share(fixed) : '–',
      not_run === 0 ? '' : not_run,
      taken_from === undefined ? mostFrequent(errors) : "scored by BFCL's evaluator",
    ]),
  );
  const head = ['model', 'category', 'N', 'official', 'fixed', 'not run', 'most frequent error'];
  return [{ title: 'Accuracy', head, rows: categories }, ...tables.map(transposed), NOTE];
}

const NOTE =
  'As in BFCL, the overall accuracy counts what was not run as 0; multi-turn and agentic categories (70 %) come from --scores.';

/** One line per column, since BFCL's tables are wider than a terminal. */
function transposed({ file, head, rows: models }: SummaryTable): FormatTable {
  const [rank = '', ...rows] = head.map((column, i) => [column, ...models.map((row) => row[i] ?? '')]);
  return { title: file, head: Array.isArray(rank) ? rank : [rank], rows };
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
