import type { Command } from 'commander';
import { UserError } from '../../contracts/errors.ts';
import type { Rule } from '../../generator/audit/rule.ts';
import { RULES } from '../../generator/audit/rules/index.ts';
import { type AuditedQuestion, auditSplit } from '../../generator/audit-split.ts';
import { DEFAULT_REFERENCE_TIME, DEFAULT_TIMEOUT } from '../../generator/generate.ts';
import { type ReadProgress, readLabel, readSplit } from '../../generator/read/read-split.ts';
import { list, referenceTime, wholeNumber } from '../options.ts';
import { integrityCardOf } from '../print-card.ts';
import { createProgress, unreadViewsNote } from '../progress.ts';
import { interruptSignal } from '../run.ts';
import { holdsFarm, splitOfFarm } from '../split-of-farm.ts';
import { textTable } from '../text-table.ts';

interface AuditFlags {
  readonly only?: readonly string[];
  readonly rule?: readonly string[];
  readonly referenceTime: string;
  readonly timeout: number;
  readonly json: boolean;
  readonly card: boolean;
}

/** `rookery audit <split>`: what is probably wrong in its gold SQL. */
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
    .option(
      '--reference-time <time>',
      'what `now` means in the SQL, in UTC',
      referenceTime,
      DEFAULT_REFERENCE_TIME,
    )
    .option(
      '--timeout <seconds>',
      'processor time that one query may take',
      wholeNumber(1, 3600),
      DEFAULT_TIMEOUT,
    )
    .option('--json', 'print a line of JSON a finding', false)
    .option('--card', 'of a farm: what agents that do not think would score, and nothing else', false)
    .action(async (place: string, { only, rule, timeout, json, card, ...flags }: AuditFlags) => {
      if (card) return void process.stdout.write(await integrityCardOf(place));
      const rules = chooseRules(rule);
      const progress = createProgress();
      try {
        const onProgress = (read: ReadProgress) =>
          progress.update('read', read.done, read.total, readLabel(read));
        const split = await (holdsFarm(place)
          ? splitOfFarm(place, only)
          : readSplit(place, { timeoutMs: timeout * 1000, onProgress, ...(only ? { only } : {}) }));
        const audited = await auditSplit(split, {
          ...flags,
          rules,
          timeoutMs: timeout * 1000,
          signal: interruptSignal(),
          onProgress: ({ done, total, label }) => progress.update('audit', done, total, label),
        });
        progress.stop();
        process.stderr.write(unreadViewsNote(split.domains));
        process.stdout.write(json ? jsonLines(audited) : report(audited, rules, split.questions.length));
      } finally {
        progress.stop();
      }
    });
}

function chooseRules(names: readonly string[] | undefined): readonly Rule[] {
  if (names === undefined) return RULES;
  return names.map((name) => {
    const found = RULES.find((rule) => rule.name === name);
    if (found) return found;
    throw new UserError(
      'OPTION_INVALID',
      '--rule',
      `there is no rule ${name}; rules: ${RULES.map((one) => one.name).join(', ')}`,
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
