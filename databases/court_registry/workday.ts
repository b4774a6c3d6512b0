import { addDays } from '../dates.ts';

/** The date itself, or the Monday after it when the court is closed for the weekend. */
export function workday(date: string): string {
  const weekday = new Date(date).getUTCDay();
  return weekday === 6 ? addDays(date, 2) : weekday === 0 ? addDays(date, 1) : date;
}
