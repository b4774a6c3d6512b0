import type { Coverage, Verdict } from '../contracts/coverage.ts';
import { FORMULATIONS } from '../contracts/formulations/registry.ts';
import { type Formulation, formulation } from '../contracts/sample.ts';
import { counted } from '../contracts/wording.ts';
import { textTable } from './text-table.ts';

/** A coverage.json as text for a terminal: what was kept, why the rest was not, and how long the sequences are. */
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
  ];
  return `${sections.filter((text) => text !== '').join('\n\n')}\n`;
}

type Used = readonly Formulation[];

function section(title: string, body: string): string {
  return body === '' ? '' : `${title}\n${body}`;
}

const of = (verdicts: readonly Verdict[], kind: Formulation) =>
  verdicts.filter((item) => item.formulation === kind);
/** How many questions there are; a formulation that does not take every question has no verdict of the others. */
const askedOf = (verdicts: readonly Verdict[], used: Used) =>
  Math.max(0, ...used.map((kind) => of(verdicts, kind).length));
const percent = (part: number, whole: number) =>
  whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`;

function keptTable(coverage: Coverage, used: Used): string {
  const domains = [...new Set(coverage.verdicts.map((verdict) => verdict.db))].sort();
  const row = (name: string, verdicts: readonly Verdict[]) => [
    name,
    new Set(verdicts.map((verdict) => verdict.question_id)).size,
    ...used.flatMap((kind) => {
      const kept = of(verdicts, kind).filter((verdict) => verdict.kept).length;
      return [kept, percent(kept, askedOf(verdicts, used))];
    }),
  ];
  return textTable(
    ['domain', 'questions', ...used.flatMap((kind) => [kind, ''])],
    [
      ...domains.map((db) =>
        row(
          db,
          coverage.verdicts.filter((verdict) => verdict.db === db),
        ),
      ),
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
        percent(of(having, kind).filter(({ kept }) => kept).length, askedOf(having, used)),
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

function groupBy<T, K>(items: readonly T[], key: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group) group.push(item);
    else groups.set(key(item), [item]);
  }
  return groups;
}

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
