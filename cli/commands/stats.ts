import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { stemmer } from 'stemmer';
import { difficultyOf, LEVELS, queryNeeds, skeletonOf, tablesNamedIn } from '../../contracts/difficulty.ts';
import { type Formulation, formulation, type Sample } from '../../contracts/sample.ts';
import { type Service, service } from '../../contracts/service.ts';
import { onePerQuestion, readFarm, type ScoredFarm } from '../../eval/farm/read-farm.ts';
import { countEach } from '../../eval/metrics/figures.ts';
import { Oracle } from '../../generator/oracle/oracle.ts';
import { quoteIdentifier } from '../../sql/index.ts';
import { choice } from '../options.ts';
import { textTable } from '../terminal.ts';

/** `rookery stats <farm>`: the size of a farm. */
export function register(program: Command): void {
  program
    .command('stats')
    .description('show the size of a farm: queries, tools, calls and slots per query, SQL constructs')
    .argument('<farm>', 'folder made by `rookery generate`')
    .option('--json', 'print the figures as JSON', false)
    .addOption(
      choice(
        '--like <paper>',
        "the paper's table of sizes below the farm's own",
        Object.keys(PUBLISHED_SIZES),
      ),
    )
    .action(async (folder: string, { json, like }: { readonly json: boolean; readonly like?: string }) => {
      const stats = await farmStats(readFarm(folder));
      const published = like === undefined ? undefined : PUBLISHED_SIZES[like];
      process.stdout.write(json ? `${JSON.stringify(stats)}\n` : statsReport(stats, published));
    });
}

type Cells = readonly (string | number)[];

interface PublishedSizes {
  readonly queries: readonly Cells[];
  readonly slots: Readonly<Record<string, number>>;
}

/** Table 2 of Live API-Bench. REST has 1,267 queries by its other figures, and the rule for slots is not stated. */
const PUBLISHED_SIZES: Readonly<Record<string, PublishedSizes>> = {
  'live-api-bench': {
    queries: [
      ['published: slot', 665, 7, 7, '2.7', '3.29', ''],
      ['published: sel', 651, 1256, 49, '2.9', '0.05', ''],
      ['published: rest', 1257, 1250, 125, '1', '1.38', 1],
    ],
    slots: { slot: 3.29, sel: 0.05, rest: 1.38 },
  },
};

export function statsReport(
  { name, formulations, domains, constructs, variety }: FarmStats,
  published?: PublishedSizes,
): string {
  const queries = textTable(
    [
      'formulation',
      'queries',
      'tools',
      'tools offered',
      'calls a query',
      'slots a query',
      'longest sequence',
    ],
    [
      ...formulations.map((each) => [
        each.formulation,
        each.queries,
        each.tools,
        range(each.tools_offered),
        each.calls.mean.toFixed(2),
        each.slots.mean.toFixed(2),
        each.calls.max,
      ]),
      ...(published?.queries ?? []),
    ],
  );
  const slots = published === undefined ? '' : `\n\n${slotsReport(formulations, published.slots)}`;
  const content = textTable(
    ['domain', 'tables', 'columns', 'rows', 'questions', 'synthesized', 'REST endpoints', 'SEL functions'],
    [...domains, total(domains)].map((each) => [each.db, ...SIZES.map((size) => each[size])]),
  );
  const { levels, joins, nesting, skeletons, repeats } = variety;
  const sql = constructs.map(([construct, count]) => `${construct} ${count}`).join(', ');
  const shapes = [
    listed('Samples by difficulty', levels),
    listed('Questions by joins', joins),
    listed('Questions by nested SELECTs', nesting),
    `Clause skeletons: ${skeletons.distinct}, of which the most frequent ${skeletons.cover_half} cover half of the questions`,
    ...skeletons.most.map(([skeleton, count]) => `  ${count}  ${skeleton}`),
    `Questions with the skeleton and the tables of another: ${repeats.same_shape}; with nearly its words: ${repeats.same_words}`,
  ];
  return `${name}\n\n${queries}${slots}\n\n${content}\n\nQuestions of each SQL construct\n${sql}\n\n${shapes.join('\n')}\n`;
}

/** Slots a query by each rule, and the rule that comes nearest to the published figure. */
function slotsReport(formulations: FarmStats['formulations'], published: PublishedSizes['slots']): string {
  const shown = formulations.filter(({ formulation, queries }) => formulation in published && queries > 0);
  const means = (rule: SlotRule) => shown.map(({ slots_by_rule }) => slots_by_rule[rule].toFixed(2));
  const figures = shown.map(({ formulation }) => published[formulation] ?? 0);
  const nearest = shown.map(({ slots_by_rule }, i) =>
    SLOT_RULES.reduce((best, rule) =>
      Math.abs(slots_by_rule[rule] - (figures[i] ?? 0)) < Math.abs(slots_by_rule[best] - (figures[i] ?? 0))
        ? rule
        : best,
    ),
  );
  return textTable(
    ['slots a query, by what counts', ...shown.map(({ formulation }) => formulation)],
    [
      ...SLOT_RULES.map((rule) => [rule, ...means(rule)]),
      ['published, by a rule that is not stated', ...figures.map((figure) => figure.toFixed(2))],
      ['nearest to it', ...nearest],
    ],
  );
}

function listed(title: string, counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).map(([key, count]) => `${key} ${count}`);
  return `${title}: ${parts.join(', ')}`;
}

function range({ mean, min, max }: ReturnType<typeof spread>): string {
  return min === max ? String(min) : `${mean.toFixed(1)} (${min} to ${max})`;
}

function total(domains: readonly DomainStats[]): DomainStats {
  const sums = SIZES.map((size) => [size, domains.reduce((sum, each) => sum + each[size], 0)]);
  return { db: `all ${domains.length}`, ...(Object.fromEntries(sums) as Omit<DomainStats, 'db'>) };
}

const SLOT_RULES = [
  'every argument',
  'without tables and earlier results',
  'columns, operations and settings',
  'values that the question gives',
] as const;
type SlotRule = (typeof SLOT_RULES)[number];

function slotRulesOf(value: unknown, words: string): SlotRule[] {
  if (typeof value === 'string' && /^\$.*\$$/.test(value)) return ['every argument'];
  const given =
    typeof value !== 'object' && typeof value !== 'boolean' && words.includes(String(value).toLowerCase());
  return [
    'every argument',
    'without tables and earlier results',
    given ? 'values that the question gives' : 'columns, operations and settings',
  ];
}

/** `synthesized`: questions drawn by `rookery synthesize`. */
const SIZES = ['tables', 'columns', 'rows', 'questions', 'synthesized', 'endpoints', 'functions'] as const;

export type DomainStats = { readonly db: string } & Readonly<Record<(typeof SIZES)[number], number>>;

export type FarmStats = Awaited<ReturnType<typeof farmStats>>;

const MOST_SKELETONS = 5;
/** Two questions are alike if they share this much of the words of both, numbers aside. */
const SAME_WORDS = 0.8;

/** How much the questions differ. */
function varietyOf(samples: readonly Sample[]) {
  const questions = onePerQuestion(samples).map(({ dataset_name: db, query, input }) => ({
    db,
    ...queryNeeds(query),
    skeleton: skeletonOf(query),
    tables: tablesNamedIn(query),
    words: new Set((input.toLowerCase().match(/\p{L}+/gu) ?? []).map(stemmer)),
  }));
  const levels = countEach(samples.map(({ query, output }) => difficultyOf(query, output.length).level));
  const skeletons = [...countEach(questions.map(({ skeleton }) => skeleton))].sort(([, a], [, b]) => b - a);
  let covered = 0;
  const half = skeletons.findIndex(([, count]) => {
    covered += count;
    return covered >= questions.length / 2;
  });
  const shapes = countEach(questions.map(shapeOf));
  return {
    // Of samples of all formulations; the rest counts questions.
    levels: Object.fromEntries(LEVELS.map((level) => [level, levels.get(level) ?? 0])),
    joins: histogram(questions.map(({ joins }) => joins)),
    nesting: histogram(questions.map(({ nesting }) => nesting)),
    skeletons: {
      distinct: skeletons.length,
      cover_half: half + 1,
      most: skeletons.slice(0, MOST_SKELETONS),
    },
    repeats: {
      same_shape: questions.filter((each) => (shapes.get(shapeOf(each)) ?? 0) > 1).length,
      same_words: questions.filter((each) =>
        questions.some(
          (other) => other !== each && other.db === each.db && shared(each.words, other.words) >= SAME_WORDS,
        ),
      ).length,
    },
  };
}

function shapeOf({ db, skeleton, tables }: { db: string; skeleton: string; tables: string }): string {
  return [db, skeleton, tables].join('\n');
}

/** By number, `4 or more` together. */
function histogram(numbers: readonly number[]): Record<string, number> {
  const keyed = countEach(numbers.map((each) => Math.min(each, 4)));
  return Object.fromEntries(
    [...keyed].sort(([a], [b]) => a - b).map(([key, count]) => [key === 4 ? '4 or more' : key, count]),
  );
}

/** The share of the words of both that they have in common. */
function shared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...a].filter((word) => b.has(word)).length;
  return common / Math.max(1, a.size + b.size - common);
}

/** Computes a farm's statistics. Its databases are read in a child process. */
export async function farmStats(farm: ScoredFarm) {
  const { folder, samples } = farm;
  const oracle = new Oracle({ referenceTime: farm.farm.reference_time, limitMs: Number.POSITIVE_INFINITY });
  const data = await Promise.all(farm.farm.domains.map(({ db }) => dataOf(farm, db, oracle))).finally(() =>
    oracle.close(),
  );
  return {
    name: farm.farm.name,
    formulations: formulation.options.map((kind) => ({
      formulation: kind,
      ...sizes(samples.filter((sample) => sample.formulation === kind)),
      tools: farm.farm.domains.reduce((sum, { db }) => sum + toolsOf(folder, db, kind), 0),
    })),
    domains: farm.farm.domains.map(({ db, endpoints }, at) => ({
      ...(data[at] as DomainData),
      db,
      ...questionsOf(samples.filter(({ dataset_name }) => dataset_name === db)),
      endpoints,
      functions: toolsOf(folder, db, 'sel'),
    })),
    constructs: constructsOf(farm),
    variety: varietyOf(samples),
  };
}

function toolsOf(folder: string, db: string, kind: Formulation): number {
  const file = join(folder, 'openapi', `${db}.${kind}.json`);
  // The farm may be older than a formulation.
  if (!existsSync(file)) return 0;
  const { paths } = JSON.parse(readFileSync(file, 'utf8')) as { paths?: Record<string, object> };
  // Records have several operations an address.
  return Object.values(paths ?? {}).reduce((sum, operations) => sum + Object.keys(operations).length, 0);
}

function sizes(samples: readonly Sample[]) {
  const rules = samples.map(({ input, evidence, output }) => {
    const words = `${input} ${evidence ?? ''}`.toLowerCase();
    return countEach(
      output.flatMap((call) => Object.values(call.arguments)).flatMap((value) => slotRulesOf(value, words)),
    );
  });
  const mean = (rule: SlotRule) => spread(rules.map((counts) => counts.get(rule) ?? 0)).mean;
  return {
    queries: samples.length,
    tools_offered: spread(samples.map(({ toolset }) => toolset.size)),
    calls: spread(samples.map(({ output }) => output.length)),
    // Arguments over all calls of a question.
    slots: spread(rules.map((counts) => counts.get('every argument') ?? 0)),
    slots_by_rule: Object.fromEntries(SLOT_RULES.map((rule) => [rule, mean(rule)])) as Record<
      SlotRule,
      number
    >,
  };
}

function spread(values: readonly number[]) {
  if (values.length === 0) return { mean: 0, min: 0, max: 0 };
  const sum = values.reduce((all, value) => all + value, 0);
  return {
    mean: sum / values.length,
    min: values.reduce((a, b) => Math.min(a, b)),
    max: values.reduce((a, b) => Math.max(a, b)),
  };
}

function questionsOf(samples: readonly Sample[]): Pick<DomainStats, 'questions' | 'synthesized'> {
  const origins = new Map(samples.map(({ question_id, origin }) => [question_id, origin]));
  return {
    questions: origins.size,
    synthesized: [...origins.values()].filter((origin) => origin === 'synthesized').length,
  };
}

type DomainData = Pick<DomainStats, 'tables' | 'columns' | 'rows'>;

/** Views are skipped: they store no rows, and may not terminate. */
async function dataOf({ folder }: ScoredFarm, db: string, oracle: Oracle): Promise<DomainData> {
  const text = readFileSync(join(folder, 'services', `${db}.json`), 'utf8');
  const { catalog }: Service = service.parse(JSON.parse(text));
  const stored = catalog.tables.filter(({ view }) => !view);
  const counts = stored.map(({ name }) => `(SELECT COUNT(*) FROM ${quoteIdentifier(name)})`);
  const { rows } = await oracle.run(
    join(folder, 'databases', `${db}.sqlite`),
    `SELECT ${['0', ...counts].join(' + ')}`,
  );
  return {
    tables: catalog.tables.length,
    columns: catalog.tables.reduce((sum, { columns }) => sum + columns.length, 0),
    rows: Number(rows[0]?.[0]),
  };
}

/** Kept questions by SQL construct, the most frequent first. */
function constructsOf(farm: ScoredFarm) {
  const counts = countEach(
    onePerQuestion(farm.samples).flatMap((sample) => farm.goldFactsOf(sample).constructs),
  );
  return [...counts].sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1));
}
