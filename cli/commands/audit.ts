import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { OptionError } from '../../contracts/errors.ts';
import type { Sample } from '../../contracts/sample.ts';
import { type Split, splitFormat, unanswerableKind } from '../../contracts/split.ts';
import { isInDefaultSelection } from '../../contracts/task.ts';
import { percent } from '../../contracts/wording.ts';
import { judgeUnanswerable } from '../../eval/answer/judge-answer.ts';
import { onePerQuestion, readFarm } from '../../eval/farm/read-farm.ts';
import type { Json } from '../../eval/json/lossless.ts';
import {
  BASELINE_NAMES,
  BASELINES,
  type CardRow,
  guessingOf,
  integrityCard,
  STATE_BASELINES,
  type StateCard,
  stateCard,
} from '../../generator/audit/baselines.ts';
import { RULES, type Rule } from '../../generator/audit/rules.ts';
import { type AuditedQuestion, auditSplit } from '../../generator/audit-split.ts';
import { type ReadProgress, readLabel, readSplit } from '../../generator/read/read-split.ts';
import { loadFarm } from '../../services/base/farm.ts';
import { list, REFERENCE_TIME_OPTION, TIMEOUT_OPTION } from '../options.ts';
import { interruptSignal, textTable, unreadViewsNote, withProgress } from '../terminal.ts';

interface AuditFlags {
  readonly only?: readonly string[];
  readonly rule?: readonly string[];
  readonly referenceTime: string;
  readonly timeout: number;
  readonly json: boolean;
  readonly card: boolean;
}

/** `rookery audit <split>`: likely mistakes in its gold SQL. */
export function register(program: Command): void {
  program
    .command('audit')
    .description('find gold SQL that probably does not answer its question, by fixed rules')
    .argument('<split|farm>', 'folder of a split, its questions file, or a farm')
    .option('--only <db>', 'this domain only (may be repeated)', list)
    .option(
      '--rule <name>',
      `this rule only (may be repeated): ${RULES.map(({ name }) => name).join(', ')}`,
      list,
    )
    .option(...REFERENCE_TIME_OPTION)
    .option(...TIMEOUT_OPTION)
    .option('--json', 'print one line of JSON per finding', false)
    .option(
      '--card',
      'of a farm: only its integrity card, the scores of baselines that read no question',
      false,
    )
    .action(async (place: string, { only, rule, timeout, json, card, ...flags }: AuditFlags) => {
      if (card) return void process.stdout.write(await integrityCardOf(place));
      const rules = chooseRules(rule);
      const { split, audited } = await withProgress(async (update) => {
        const onProgress = (read: ReadProgress) => update('read', read.done, read.total, readLabel(read));
        const split = await (existsSync(join(place, 'farm.json'))
          ? splitOfFarm(place, only)
          : readSplit(place, { timeoutMs: timeout * 1000, onProgress, only }));
        const audited = await auditSplit(split, {
          ...flags,
          rules,
          timeoutMs: timeout * 1000,
          signal: interruptSignal(),
          onProgress: ({ done, total, label }) => update('audit', done, total, label),
        });
        return { split, audited };
      });
      process.stderr.write(unreadViewsNote(split.domains));
      process.stdout.write(json ? jsonLines(audited) : report(audited, rules, split.questions.length));
    });
}

function chooseRules(names: readonly string[] | undefined): readonly Rule[] {
  if (names === undefined) return RULES;
  return names.map((name) => {
    const found = RULES.find((rule) => rule.name === name);
    if (found) return found;
    throw new OptionError(
      '--rule',
      `unknown rule ${name}; rules: ${RULES.map((one) => one.name).join(', ')}`,
    );
  });
}

function jsonLines(audited: readonly AuditedQuestion[]): string {
  const lines = audited.flatMap(({ question, findings }) =>
    findings.map((finding) =>
      JSON.stringify({
        db_id: question.db_id,
        question_id: question.question_id,
        ...finding,
        question: question.question,
        sql: question.sql,
      }),
    ),
  );
  return lines.map((line) => `${line}\n`).join('');
}

function report(audited: readonly AuditedQuestion[], rules: readonly Rule[], total: number): string {
  const findings = audited.flatMap(({ question, findings: own }) =>
    own.map((finding) => ({ ...finding, question })),
  );
  const unclean = new Set(
    findings
      .filter(({ rule }) => rules.some((one) => one.name === rule && one.byDefault))
      .map(({ question }) => question),
  );
  const rows = rules.map((rule) => [
    rule.name,
    new Set(findings.filter((finding) => finding.rule === rule.name).map(({ question }) => question)).size,
    rule.byDefault ? 'unclean' : 'informs',
    rule.why,
  ]);
  const sections = audited.map(({ question, findings: own }) =>
    [
      `${question.db_id} ${question.question_id}: ${question.question}`,
      ...own.map(({ rule, reason, suggestion }) => `  ${rule}: ${reason}; ${suggestion}`),
    ].join('\n'),
  );
  const table = textTable(['rule', 'questions', 'makes', 'why'], rows);
  return `${[...sections, table].join('\n\n')}\n${unclean.size} of ${total} questions are unclean\n`;
}

/** A farm's integrity card as text: the scores of baselines that read no question. */
export async function integrityCardOf(farm: string): Promise<string> {
  const { samples, unanswerable } = readFarm(farm);
  const { domains } = await loadFarm(farm);
  const studied = domains.map(({ service: { db, catalog }, database }) => ({
    database,
    catalog,
    tables: catalog.tables,
    samples: samples.filter(({ dataset_name }) => dataset_name === db),
  }));
  const guessing = guessingOf(studied);
  return [
    'The default selection, and the share that agents pass which look at no question',
    cardTable(integrityCard(samples.filter(isInDefaultSelection), guessing)),
    '',
    'All samples, those with the flag guessable too (--all, ?all=true)',
    cardTable(integrityCard(samples, guessing)),
    '',
    ...BASELINE_NAMES.map((name) => `  ${name}: ${BASELINES[name].about}`),
    ...(unanswerable.length > 0
      ? [
          '',
          'Questions without one answer, and the share that the same answer to each is right for',
          unanswerableCard(unanswerable),
        ]
      : []),
    '',
    ...stateLines(stateCard(studied)),
  ].join('\n');
}

/** Answers of agents that ignore the question or repeat it. All but the last decline questions that have an answer, too. */
const REFUSALS: Readonly<Record<string, (question: string) => Json>> = {
  'says that it is unanswerable': () => ({ unanswerable: 'The data cannot answer this.' }),
  'repeats the question as the reason': (question) => ({ unanswerable: question }),
  'asks what is meant': () => ({ clarify: 'What do you mean?' }),
  'answers 0': () => 0,
};

function unanswerableCard(samples: readonly Sample[]): string {
  const questions = onePerQuestion(samples);
  const row = (name: string, own: readonly Sample[]) => [
    name.replaceAll('_', ' '),
    own.length,
    ...Object.values(REFUSALS).map((answer) => {
      const right = own.filter(
        (sample) =>
          sample.unanswerable &&
          judgeUnanswerable(sample, sample.unanswerable, answer(sample.input)) === 'right',
      );
      return percent(right.length, own.length);
    }),
  ];
  const kinds = unanswerableKind.options.map((kind) =>
    row(
      kind,
      questions.filter(({ unanswerable }) => unanswerable?.kind === kind),
    ),
  );
  return textTable(['', 'questions', ...Object.keys(REFUSALS)], [...kinds, row('all', questions)]);
}

function stateLines(card: StateCard | null): string[] {
  if (card === null) return [];
  const { tasks, passes } = card;
  const shares = Object.values(passes).map((count) => `${((100 * count) / tasks).toFixed(2)} %`);
  return [
    'Tasks that change records; a pair counts as one, and passes if both do',
    textTable(['tasks', ...Object.keys(passes)], [[tasks, ...shares]]),
    '',
    ...Object.entries(STATE_BASELINES).map(([name, about]) => `  ${name}: ${about}`),
    '',
  ];
}

function cardTable(rows: readonly CardRow[]): string {
  return textTable(
    ['formulation', 'samples', ...BASELINE_NAMES],
    rows.map(({ formulation, samples, passes }) => [
      formulation,
      samples,
      ...BASELINE_NAMES.map((name) => `${((100 * passes[name]) / samples).toFixed(2)} %`),
    ]),
  );
}

/** Reconstructs a farm's split, as far as the farm contains it: the kept questions, over the served databases. */
export async function splitOfFarm(folder: string, only?: readonly string[]): Promise<Split> {
  const { farm, samples } = readFarm(folder);
  const { domains } = await loadFarm(folder, { only });
  const questions = new Map(
    samples
      .filter((sample) => only?.includes(sample.dataset_name) ?? true)
      .map((sample) => [
        `${sample.dataset_name}\n${sample.question_id}`,
        {
          question_id: sample.question_id,
          db_id: sample.dataset_name,
          question: sample.input,
          evidence: sample.evidence,
          difficulty: sample.difficulty,
          sql: sample.query,
        },
      ]),
  );
  return {
    name: farm.split.name,
    format: splitFormat.parse(farm.split.format),
    content_hash: farm.split.content_hash,
    data_licence: domains[0]?.service.data_licence ?? 'unknown',
    questions: [...questions.values()],
    questions_file: join(folder, 'eval'),
    unread_files: [],
    domains: domains.map(({ service, database }) => ({
      db: service.db,
      file: database,
      catalog: service.catalog,
    })),
  };
}
