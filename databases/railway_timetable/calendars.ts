import { addDays } from '../dates.ts';
import type { Cell } from '../write-database.ts';

const patterns: readonly (readonly [code: string, label: string, days: string])[] = [
  ['WD', 'weekdays', '1111100'],
  ['SA', 'Saturdays', '0000010'],
  ['SU', 'Sundays and holidays', '0000001'],
  ['DL', 'daily', '1111111'],
  ['FS', 'Friday and Saturday nights', '0000110'],
  ['SC', 'school days', '1111100'],
];

const years = [
  { suffix: '24', start: '2023-12-10', end: '2024-12-14' },
  { suffix: '25', start: '2024-12-15', end: '2025-12-13' },
];

const holidays: readonly (readonly [date: string, reason: string])[] = [
  ['2023-12-25', 'Christmas Day'],
  ['2023-12-26', 'Second day of Christmas'],
  ['2024-01-01', "New Year's Day"],
  ['2024-03-29', 'Good Friday'],
  ['2024-04-01', 'Easter Monday'],
  ['2024-05-01', 'May Day'],
  ['2024-06-21', 'Harbour Festival'],
  ['2024-12-25', 'Christmas Day'],
  ['2024-12-26', 'Second day of Christmas'],
  ['2025-01-01', "New Year's Day"],
  ['2025-04-18', 'Good Friday'],
  ['2025-04-21', 'Easter Monday'],
  ['2025-05-01', 'May Day'],
  ['2025-06-20', 'Harbour Festival'],
];

const schoolHolidays = [
  { first: '2024-02-12', days: 5, reason: 'Half-term' },
  { first: '2024-07-22', days: 33, reason: 'Summer holidays' },
  { first: '2025-02-17', days: 5, reason: 'Half-term' },
];

/** The calendars of two timetable years, and the days on which they do not hold. */
export function growCalendars(): { calendars: Cell[][]; exceptions: Cell[][] } {
  const calendars = years.flatMap(({ suffix, start, end }) =>
    patterns.map(([code, label, days]) => [
      code + suffix,
      label,
      ...[...days].map(Number),
      compact(start),
      compact(end),
    ]),
  );
  const exceptions = [
    ...holidays.flatMap(([date, reason]) => {
      const suffix = suffixOf(date);
      return [['WD', 2], ['SC', 2], ['SU', 1], ...(reason === 'Harbour Festival' ? [['FS', 1]] : [])].map(
        ([code, type]): Cell[] => [`${code}${suffix}`, compact(date), type ?? null, reason],
      );
    }),
    ...schoolHolidays.flatMap(({ first, days, reason }) =>
      Array.from({ length: days }, (_, i) => addDays(first, i))
        .filter((date) => ![0, 6].includes(new Date(date).getUTCDay()))
        .map((date): Cell[] => [`SC${suffixOf(date)}`, compact(date), 2, reason]),
    ),
    // A storm, entered in haste and without a reason.
    ...['WD24', 'SC24', 'DL24'].map((calendar): Cell[] => [calendar, '20241106', 2, null]),
  ];
  return { calendars, exceptions };
}

function suffixOf(date: string): string {
  return date < '2024-12-15' ? '24' : '25';
}

function compact(date: string): string {
  return date.replaceAll('-', '');
}
