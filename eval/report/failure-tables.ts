import { goldKind, type Report, valueFault } from '../../contracts/report.ts';
import { interval, number, percent } from './figure-text.ts';
import type { ReportTable } from './report-table.ts';

/** Lines of each list; the report as JSON has more. */
const MOST_SHOWN = 10;

/** Why models fail: tools taken for others, the worst tools and arguments, and how wrong values differ. */
export function failureTables({ failures }: Report): ReportTable[] {
  return [confusions(failures), tools(failures), badArguments(failures), values(failures)].filter(
    ({ rows }) => rows.length > 0,
  );
}

/**
 * Completion by the kind of gold answer, since many wrong calls also give no rows, NULL or 0. Empty when all gold
 * answers are informative.
 */
export function goldTable({ groups: { gold_kind } }: Report): ReportTable {
  const meanings = { telling: 'rows that tell', empty: 'no rows', null: 'NULL only', zero: 'a single 0' };
  const rows = gold_kind.map(({ key, completion, ledger }) => [
    meanings[goldKind.parse(key)],
    percent(completion.value, 10),
    interval(completion.ci),
    `${completion.count} of ${ledger.total}`,
  ]);
  return {
    title: 'By gold answer',
    head: ['', 'completion', '95 % interval', ''],
    rows: gold_kind.some(({ key }) => key !== goldKind.enum.telling) ? rows : [],
  };
}

/** Completion where the audit finds nothing in the gold SQL, and where it does. Empty when it finds nothing at all. */
export function goldSqlTable({ groups: { gold_sql } }: Report): ReportTable {
  const rows = gold_sql.map(({ key, completion, ledger }) => [
    key,
    percent(completion.value, 10),
    interval(completion.ci),
    `${completion.count} of ${ledger.total}`,
  ]);
  return {
    title: 'By what the audit says of the gold SQL',
    head: ['', 'completion', '95 % interval', ''],
    rows: gold_sql.some(({ key }) => key !== 'clean') ? rows : [],
  };
}

/** pass@k and pass^k; nothing where samples were attempted once. */
export function repeatedTables({ repeated }: Report): ReportTable[] {
  if (repeated === null) return [];
  const { infra_errors: broken } = repeated;
  const left = broken === 0 ? '' : `, without ${broken} that broke (infra errors)`;
  return [
    {
      title: `${repeated.epochs} attempts at each of ${repeated.samples} samples${left}`,
      head: ['', '  value', '95 % interval'],
      rows: [
        ...repeated.at.map(({ k, any }) => [`pass@${k}`, percent(any.value, 7), interval(any.ci)]),
        ...repeated.at.map(({ k, all }) => [`pass^${k}`, percent(all.value, 7), interval(all.ci)]),
      ],
    },
  ];
}

function confusions({ confusions: all }: Report['failures']): ReportTable {
  return {
    title: 'Tools taken for others',
    head: ['due', 'called', ' times'],
    rows: all
      .slice(0, MOST_SHOWN)
      .map(({ expected, called, offered, count }) => [
        expected,
        called === null ? '(nothing)' : offered ? called : `${called} (no such tool)`,
        number(count, 6),
      ]),
  };
}

function tools({ tools: all }: Report['failures']): ReportTable {
  return {
    title: 'Worst tools',
    head: ['', '   due', 'not called', 'wrong arguments'],
    rows: all
      .slice(0, MOST_SHOWN)
      .map(({ tool, due, missed, wrong_arguments }) => [
        tool,
        number(due, 6),
        number(missed, 10),
        number(wrong_arguments, 15),
      ]),
  };
}

function badArguments({ arguments: all }: Report['failures']): ReportTable {
  return {
    title: 'Worst arguments',
    head: ['tool', 'argument', 'wrong value', 'missing', 'unexpected'],
    rows: all
      .slice(0, MOST_SHOWN)
      .map(({ tool, argument, value, missing, unexpected }) => [
        tool,
        argument,
        number(value, 11),
        number(missing, 7),
        number(unexpected, 10),
      ]),
  };
}

function values({ value_faults }: Report['failures']): ReportTable {
  const total = Object.values(value_faults).reduce((sum, count) => sum + count, 0);
  const meanings = {
    reference: 'another result',
    type: 'another type',
    case: 'case or blanks',
    date: 'dates',
    unit: 'unit',
    other: 'other',
  };
  return {
    title: 'How wrong values differ',
    head: ['', ' count', 'share'],
    rows: valueFault.options
      .filter((name) => value_faults[name] > 0)
      .map((name) => [meanings[name], number(value_faults[name], 6), percent(value_faults[name] / total, 7)]),
  };
}
