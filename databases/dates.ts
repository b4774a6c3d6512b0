const dayMs = 86_400_000;

/** The ISO date `days` after an ISO date (before it, if negative). */
export function addDays(isoDate: string, days: number): string {
  return new Date(Date.parse(`${isoDate}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

/** Whole days from one ISO date to another. */
export function daysBetween(from: string, to: string): number {
  return (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / dayMs;
}

/** `YYYY-MM-DD HH:MM:SS`, a number of minutes after another such time. */
export function addMinutes(isoTime: string, minutes: number): string {
  const time = Date.parse(`${isoTime.replace(' ', 'T')}Z`) + minutes * 60_000;
  return new Date(time).toISOString().slice(0, 19).replace('T', ' ');
}

/** An ISO date written day first, as people type it: `31.12.2024` or, with another separator, `31/12/2024`. */
export function dayFirst(isoDate: string, separator: '.' | '/' = '.'): string {
  return isoDate.slice(0, 10).split('-').reverse().join(separator);
}
