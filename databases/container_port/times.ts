import { addMinutes } from '../dates.ts';

/** `YYYY-MM-DD HH:MM`, some minutes after another such time. */
export function later(time: string, minutes: number): string {
  return addMinutes(`${time}:00`, Math.round(minutes)).slice(0, 16);
}

/** A local time with its zone: summer time is from 31 March to 27 October 2024. */
export function zoned(time: string): string {
  return `${time.replace(' ', 'T')}${isSummer(time) ? '+02:00' : '+01:00'}`;
}

/** A local time as UTC. */
export function utc(time: string): string {
  return `${later(time, isSummer(time) ? -120 : -60).replace(' ', 'T')}Z`;
}

function isSummer(time: string): boolean {
  return time >= '2024-03-31 02:00' && time < '2024-10-27 03:00';
}
