import type { RolldownOptions } from 'rolldown';

/** Makes an error of an import that cannot be resolved, which the bundler itself only warns of. */
export const failUnresolved: NonNullable<RolldownOptions['onLog']> = (level, log, report) => {
  if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message);
  report(level, log);
};
