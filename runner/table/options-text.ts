import type { LeaderboardRow } from './leaderboard.ts';

/** `tools=25%, obfuscate`; '' where nothing differs from the usual. */
export function optionsText(options: LeaderboardRow['options']): string {
  return Object.entries(options)
    .map(([name, value]) => (value === true ? name : `${name}=${value}`))
    .join(', ');
}

/** The name of a run that was given none: its model, its agent and the options that differ from the usual. */
export function defaultName({
  model,
  agent,
  options,
}: Pick<LeaderboardRow, 'model' | 'agent' | 'options'>): string {
  return [model, agent === model ? '' : agent, optionsText(options)].filter((part) => part !== '').join(', ');
}

/** What a row is called beside those of other formulations. */
export function rowLabel({
  name,
  formulation,
  source,
}: Pick<LeaderboardRow, 'name' | 'formulation' | 'source'>): string {
  return `${name}, ${formulation.toUpperCase()}${source === null ? '' : ', published'}`;
}
