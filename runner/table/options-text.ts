import type { LeaderboardRow } from './leaderboard.ts';

/** `tools=25%, obfuscate`; '' where nothing differs from the usual. */
export function optionsText(options: LeaderboardRow['options']): string {
  return Object.entries(options)
    .map(([name, value]) => (value === true ? name : `${name}=${value}`))
    .join(', ');
}
