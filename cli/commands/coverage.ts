import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { UserError } from '../../contracts/errors.ts';
import { type Coverage, coverage, type UnanswerableVerdict, type Verdict } from '../../contracts/farm.ts';
import { FORMULATIONS } from '../../contracts/formulations.ts';
import { farmNotFound } from '../../contracts/not-found.ts';
import { type Formulation, formulation } from '../../contracts/sample.ts';
import { unanswerableKind } from '../../contracts/split.ts';
import { isOfDialogue } from '../../contracts/task.ts';
import { counted, percent } from '../../contracts/wording.ts';
import { groupBy } from '../../eval/metrics/figures.ts';
import type { MutantVerdict } from '../../generator/mutants/measure-mutants.ts';
import type { Recall, SearchRecall } from '../../services/index.ts';
import { list, wholeNumber } from '../options.ts';
import { textTable, withProgress } from '../terminal.ts';

/** `rookery coverage <farm>`: what was kept, and why the rest was rejected. */
export function register(program: Command): void {
  program
    .command('coverage')
    .description('show which questions a farm keeps, and why it does not keep the others')
    .argument('<farm>', 'folder made by `rookery generate`')
    .option('--json', 'print coverage.json as it is', false)
    .option('--mutants', 'also how many mutants of the gold SQL the proof detects; takes minutes', false)
    .option('--every <n>', 'with --mutants: every n-th question of a domain only', wholeNumber(1), 1)
    .option('--search', 'also how often `search_tools` finds the tool that a question needs', false)
    .option(
      '--statements',
      'also how many questions are a call of BFCL’s function for SQL, and why others are not',
      false,
    )
    .option('--among <farm>', 'with --search: among the tools of this farm too (may be repeated)', list)
    .action(async (farm: string, flags: CoverageFlags) => {
      const read = await readCoverage(farm);
      process.stdout.write(flags.json ? `${JSON.stringify(read)}\n` : coverageReport(read));
      if (flags.search) process.stdout.write(`\n${searchReport(await searchOf(farm, flags.among ?? []))}`);
      if (flags.statements) process.stdout.write(`\n${await statementReport(farm)}`);
      if (flags.mutants) process.stdout.write(`\n${mutantReport(await measure(farm, flags.every))}`);
    });
}

interface CoverageFlags {
  readonly json: boolean;
  readonly mutants: boolean;
  readonly search: boolean;
  readonly statements: boolean;
  readonly among?: readonly string[];
  readonly every: number;
}

/** Loaded on demand: it reads the farm's gold and runs SQL. */
async function measure(farm: string, every: number): Promise<MutantVerdict[]> {
  const [{ measureMutants }, { readOrigin }] = await Promise.all([
    import('../../generator/mutants/measure-mutants.ts'),
    import('../../generator/worlds/read-origin.ts'),
  ]);
  return withProgress(async (update) =>
    measureMutants(await readOrigin(farm), {
      every,
      onProgress: (done, total, db) => update('mutants', done, total, db),
    }),
  );
}

/** How many questions have gold SQL that `sql.execute` can express, and why the others do not. */
async function statementReport(farm: string): Promise<string> {
  const [{ onePerQuestion, readFarm }, { loadFarm }, { lowerSqlCall }] = await Promise.all([
    import('../../eval/farm/read-farm.ts'),
    import('../../services/index.ts'),
    import('../../generator/lower/lower-sql-call.ts'),
  ]);
  const { domains } = await loadFarm(farm);
  const contexts = new Map(
    domains.map(({ service: { db, catalog, reference_time: referenceTime } }) => [
      db,
      { catalog, referenceTime },
    ]),
  );
  const asked = readFarm(farm).samples.filter((sample) => !sample.refuse && !isOfDialogue(sample));
  const outcomes = onePerQuestion(asked).flatMap(({ dataset_name, query }) => {
    const context = contexts.get(dataset_name);
    return context ? [lowerSqlCall(query, context)] : [];
  });
  const reasons = [...groupBy(outcomes, (each) => (typeof each === 'string' ? each : ''))];
  const rows = reasons
    .filter(([reason]) => reason !== '')
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([reason, all]) => [reason, all.length]);
  const fit = outcomes.filter((each) => typeof each !== 'string').length;
  const title = `SQL as a function: ${fit} of ${counted(outcomes.length, 'question')}`;
  return `${section(title, textTable(['why not', 'questions'], rows))}\n`;
}

async function readCoverage(farm: string): Promise<Coverage> {
  const file = join(farm, 'coverage.json');
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') throw farmNotFound(farm);
    throw new UserError('FARM_INVALID', file, `cannot be read (${(cause as Error).message})`, { cause });
  }
  try {
    return coverage.parse(JSON.parse(text));
  } catch (cause) {
    throw new UserError('FARM_INVALID', file, 'is not a coverage file; generate the farm again', { cause });
  }
}

/** Formats a coverage.json for a terminal: kept questions, reasons for rejections, and lengths of sequences. */
export function coverageReport(coverage: Coverage): string {
  const used = formulation.options.filter((kind) =>
    coverage.verdicts.some((verdict) => verdict.formulation === kind),
  );
  const sections = [
    `${coverage.split}: ${counted(coverage.questions, 'question')}`,
    keptTable(coverage, used),
    section('Rejected, by reason', rejectionTable(coverage.verdicts, used)),
    section('Kept, with a flag', flagTable(coverage.verdicts, used)),
    section('Gold SQL that is probably wrong, by rule of the audit', findingTable(coverage.verdicts)),
    section('Kept of all, by construct of the gold SQL', constructTable(coverage.verdicts, used)),
    section('Calls in a gold sequence', histogram(coverage.verdicts, used)),
    section('Tools offered for a task', toolsTable(coverage.verdicts, used)),
    section('Questions without one answer', unanswerableTable(coverage.unanswerable ?? [])),
  ];
  return `${sections.filter((text) => text !== '').join('\n\n')}\n`;
}

type Used = readonly Formulation[];

function section(title: string, body: string): string {
  return body === '' ? '' : `${title}\n${body}`;
}

const of = (verdicts: readonly Verdict[], kind: Formulation) =>
  verdicts.filter((item) => item.formulation === kind);
/** Number of questions; a formulation that does not apply to every question has no verdicts on the others. */
const totalOf = (verdicts: readonly Verdict[], used: Used) =>
  Math.max(0, ...used.map((kind) => of(verdicts, kind).length));

function keptTable(coverage: Coverage, used: Used): string {
  const row = (name: string, verdicts: readonly Verdict[]) => [
    name,
    new Set(verdicts.map((verdict) => verdict.question_id)).size,
    ...used.flatMap((kind) => {
      const kept = of(verdicts, kind).filter((verdict) => verdict.kept).length;
      return [kept, percent(kept, totalOf(verdicts, used))];
    }),
  ];
  return textTable(
    ['domain', 'questions', ...used.flatMap((kind) => [kind, ''])],
    [
      ...[...groupBy(coverage.verdicts, ({ db }) => db)].sort(byName).map(([db, own]) => row(db, own)),
      row('all', coverage.verdicts),
    ],
  );
}

function rejectionTable(verdicts: readonly Verdict[], used: Used): string {
  const groups = groupBy(
    verdicts.filter(({ kept }) => !kept),
    reasonOf,
  );
  const rows = [...groups]
    .sort(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1))
    .map(([reason, items]) => {
      const [code = '', text = ''] = reason.split('\n');
      const examples = [...new Set(items.map((item) => item.question_id))].slice(0, 5).join(', ');
      return [code, text, ...used.map((kind) => of(items, kind).length), examples];
    });
  return rows.length === 0 ? '' : textTable(['code', 'reason', ...used, 'questions'], rows);
}

function reasonOf({ rejection }: Verdict): string {
  return `${rejection?.code ?? ''}\n${(rejection?.reason ?? '').split('\n')[0]?.slice(0, 70) ?? ''}`;
}

function flagTable(verdicts: readonly Verdict[], used: Used): string {
  const flags = [...new Set(verdicts.flatMap((verdict) => verdict.flags))].sort();
  const rows = flags.map((flag) => [
    flag,
    ...used.map((kind) => of(verdicts, kind).filter((item) => item.kept && item.flags.includes(flag)).length),
  ]);
  return rows.length === 0 ? '' : textTable(['flag', ...used], rows);
}

function constructTable(verdicts: readonly Verdict[], used: Used): string {
  const constructs = [...new Set(verdicts.flatMap((verdict) => verdict.constructs))].sort();
  const rows = constructs.map((construct) => {
    const having = verdicts.filter((verdict) => verdict.constructs.includes(construct));
    return [
      construct,
      new Set(having.map((verdict) => verdict.question_id)).size,
      ...used.map((kind) =>
        percent(of(having, kind).filter(({ kept }) => kept).length, totalOf(having, used)),
      ),
    ];
  });
  return rows.length === 0 ? '' : textTable(['construct', 'questions', ...used], rows);
}

const BAR = 40;

function histogram(verdicts: readonly Verdict[], used: Used): string {
  const kinds = used.filter((kind) => FORMULATIONS[kind].calls === 'chain');
  return kinds
    .map((kind) => {
      const lengths = of(verdicts, kind).flatMap((verdict) => (verdict.kept ? [verdict.calls] : []));
      const counts = groupBy(lengths, (length) => length);
      const longest = Math.max(1, ...[...counts.values()].map((items) => items.length));
      const rows = [...counts]
        .sort(([a], [b]) => a - b)
        .map(([length, items]) => [
          length,
          items.length,
          '█'.repeat(Math.ceil((BAR * items.length) / longest)),
        ]);
      return rows.length === 0 ? '' : textTable([`${kind} calls`, 'samples', ''], rows);
    })
    .filter((text) => text !== '')
    .join('\n\n');
}

function unanswerableTable(verdicts: readonly UnanswerableVerdict[]): string {
  const kinds = unanswerableKind.options.map((kind) => {
    const own = verdicts.filter((verdict) => verdict.kind === kind);
    return [kind.replaceAll('_', ' '), own.length, own.filter(({ rejection }) => rejection === null).length];
  });
  const rejected = verdicts.flatMap(({ db, question_id, rejection }) =>
    rejection === null ? [] : [`${db} ${question_id}: ${rejection.code} ${rejection.reason}`],
  );
  if (verdicts.length === 0) return '';
  return [textTable(['', 'questions', 'kept'], kinds), ...rejected].join('\n');
}

function toolsTable(verdicts: readonly Verdict[], used: Used): string {
  const rows = used.flatMap((kind) => {
    const sizes = of(verdicts, kind)
      .flatMap((verdict) => (verdict.kept ? [verdict.tools] : []))
      .sort((a, b) => a - b);
    if (sizes.length === 0) return [];
    const mean = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
    return [[kind, sizes[0] ?? 0, sizes[sizes.length >> 1] ?? 0, mean.toFixed(1), sizes.at(-1) ?? 0]];
  });
  return rows.length === 0 ? '' : textTable(['', 'fewest', 'median', 'mean', 'most'], rows);
}

const byName = ([a]: readonly [string, ...unknown[]], [b]: readonly [string, ...unknown[]]) =>
  a < b ? -1 : 1;

function findingTable(verdicts: readonly Verdict[]): string {
  const questions = new Map<string, Set<string>>();
  for (const { db, question_id, findings = [] } of verdicts) {
    for (const rule of findings)
      questions.set(rule, (questions.get(rule) ?? new Set()).add(`${db}/${question_id}`));
  }
  const rows = [...questions]
    .map(([rule, found]) => [rule, found.size] as const)
    .sort(([, a], [, b]) => b - a);
  return rows.length === 0 ? '' : textTable(['rule', 'questions'], rows);
}

/** Formats the mutation score of a farm's proofs for a terminal, by mutation and by construct of the gold SQL. */
export function mutantReport(verdicts: readonly MutantVerdict[]): string {
  const bySlip = [...groupBy(verdicts, ({ slip }) => slip)].sort(byName).map(([slip, own]) => row(slip, own));
  const constructs = [...new Set(verdicts.flatMap((verdict) => verdict.constructs))].sort();
  const byConstruct = constructs.map((construct) =>
    row(
      construct,
      verdicts.filter((verdict) => verdict.constructs.includes(construct)),
    ),
  );
  const head = ['', 'mutants', 'equivalent', 'original alone', 'with neighbours'];
  return [
    `Mutation score of the proof, by what was changed\n${textTable(head, [...bySlip, row('all', verdicts)])}`,
    `Mutation score of the proof, by construct of the gold SQL\n${textTable(head, byConstruct)}`,
    'Shares are of mutants that some data distinguish from the gold SQL; mutants without such data count as equivalent.\n',
  ].join('\n\n');
}

function row(name: string, verdicts: readonly MutantVerdict[]): (string | number)[] {
  const count = (...kinds: readonly MutantVerdict['killedBy'][]) =>
    verdicts.filter(({ killedBy }) => kinds.includes(killedBy)).length;
  const real = verdicts.length - count('none');
  return [
    name,
    String(verdicts.length).padStart(7),
    String(count('none')).padStart(10),
    percent(count('original'), real).padStart(14),
    percent(count('original', 'neighbours'), real).padStart(15),
  ];
}

/** How often `search_tools` finds a question's gold tool among the endpoints of all farms. Throws like loadFarm. */
export async function searchOf(folder: string, others: readonly string[]): Promise<SearchRecall> {
  const { agentOptions, loadFarm, measureSearch } = await import('../../services/index.ts');
  const farm = await loadFarm(folder);
  const source = agentOptions(farm, {}).tasks;
  const tasks = source.dbs
    .flatMap((db) => source.open(db).readAll())
    .filter(({ formulation, unanswerable }) => formulation === 'rest' && !unanswerable);
  const more = await Promise.all(others.map((other) => loadFarm(other)));
  const own = farm.domains.map(({ service }) => service);
  const names = new Set(own.map(({ db }) => db));
  // A domain that both farms have counts once.
  const added = more
    .flatMap(({ domains }) => domains.map(({ service }) => service))
    .filter(({ db }) => {
      const isNew = !names.has(db);
      names.add(db);
      return isNew;
    });
  let done = 0;
  return withProgress((update) =>
    measureSearch([...own, ...added], tasks, { onTask: () => update('searching', ++done, tasks.length) }),
  );
}

export function searchReport({ tools, depths, question, evidence, domains }: SearchRecall): string {
  const row = (name: string, { questions, found }: Recall) => [
    name,
    questions,
    ...found.map((count) => percent(count, questions)),
  ];
  const rows = [
    ...[...domains].sort(byName).map(([db, recall]) => row(db, recall)),
    row('all, by the question', question),
    row('all, by question and evidence', evidence),
  ];
  const heads = depths.map((depth) => (depth === 1 ? 'first' : `first ${depth}`));
  return `Found by search_tools among ${tools} tools\n${textTable(['query', 'questions', ...heads], rows)}\n`;
}
