/** The task of a rollout, in the rows of NeMo Gym. */
const TASK = '_ng_task_index';

interface GymMetrics {
  /** Of each task. */
  readonly group_level_metrics: Record<string, unknown>[];
  readonly agent_metrics: Record<string, unknown>;
  readonly key_metrics: Record<string, unknown>;
}

/** Means, extremes and spread of each number in verified rollouts, over all of them and over those of each task. */
export function gymMetrics(rollouts: readonly Readonly<Record<string, unknown>>[]): GymMetrics {
  const byTask = new Map<unknown, Readonly<Record<string, unknown>>[]>();
  for (const rollout of rollouts) {
    const task = rollout[TASK] ?? 0;
    byTask.set(task, [...(byTask.get(task) ?? []), rollout]);
  }
  const agent = statistics(rollouts);
  return {
    group_level_metrics: [...byTask].map(([task, group]) => ({ [TASK]: task, ...statistics(group) })),
    agent_metrics: agent,
    key_metrics: Object.fromEntries(Object.entries(agent).filter(([name]) => name.startsWith('mean/'))),
  };
}

function statistics(rollouts: readonly Readonly<Record<string, unknown>>[]): Record<string, number> {
  const numbers = new Map<string, number[]>();
  for (const rollout of rollouts) {
    for (const [name, value] of Object.entries(rollout)) {
      if (typeof value !== 'number' || name.startsWith('_ng_')) continue;
      const all = numbers.get(name);
      if (all) all.push(value);
      else numbers.set(name, [value]);
    }
  }
  return Object.fromEntries(
    [...numbers].flatMap(([name, values]) => {
      const mean = values.reduce((sum, each) => sum + each, 0) / values.length;
      const squares = values.reduce((sum, each) => sum + (each - mean) ** 2, 0);
      return [
        [`mean/${name}`, mean],
        [`max/${name}`, values.reduce((most, each) => Math.max(most, each))],
        [`min/${name}`, values.reduce((least, each) => Math.min(least, each))],
        // Of a sample; one value has no spread.
        [`std/${name}`, values.length > 1 ? Math.sqrt(squares / (values.length - 1)) : 0],
      ];
    }),
  );
}
