import { type Report, type SampleScore, valueFault } from '../../contracts/report.ts';

type Failures = Report['failures'];

/** Longer lists add nothing. */
const MOST_LISTED = 50;

/** Why samples failed, tool by tool and argument by argument. `due`: the tools of each sample's gold calls, by sample. */
export function summarizeFailures(
  samples: readonly SampleScore[],
  due: (sample: SampleScore) => readonly string[],
): Failures {
  const confusions = new Tally<Omit<Failures['confusions'][number], 'count'>>();
  const tools = new Map<string, { due: number; missed: number; wrong_arguments: number }>();
  const args = new Map<string, Failures['arguments'][number]>();
  const faults = Object.fromEntries(valueFault.options.map((name) => [name, 0])) as Failures['value_faults'];
  const toolOf = (name: string) => {
    const known = tools.get(name) ?? { due: 0, missed: 0, wrong_arguments: 0 };
    tools.set(name, known);
    return known;
  };
  for (const sample of samples) {
    if (sample.calls === null) continue;
    for (const name of due(sample)) toolOf(name).due++;
    for (const confusion of sample.confusions) {
      confusions.add(confusion);
      toolOf(confusion.expected).missed++;
    }
    const wrong = new Map(sample.argument_faults.map(({ call, tool }) => [call, tool]));
    for (const tool of wrong.values()) toolOf(tool).wrong_arguments++;
    for (const { tool, argument, kind, fault } of sample.argument_faults) {
      const key = JSON.stringify([tool, argument]);
      const known = args.get(key) ?? { tool, argument, missing: 0, unexpected: 0, value: 0 };
      known[kind]++;
      args.set(key, known);
      if (fault !== null) faults[fault]++;
    }
  }
  return {
    confusions: confusions.list().slice(0, MOST_LISTED),
    tools: [...tools]
      .map(([tool, counts]) => ({ tool, ...counts }))
      .filter(({ missed, wrong_arguments }) => missed + wrong_arguments > 0)
      .sort((a, b) => b.missed + b.wrong_arguments - a.missed - a.wrong_arguments || inOrder(a.tool, b.tool))
      .slice(0, MOST_LISTED),
    arguments: [...args.values()]
      .sort((a, b) => total(b) - total(a) || inOrder(`${a.tool} ${a.argument}`, `${b.tool} ${b.argument}`))
      .slice(0, MOST_LISTED),
    value_faults: faults,
  };
}

/** Counts equal items. */
class Tally<T extends object> {
  readonly #counts = new Map<string, T & { count: number }>();

  add(item: T): void {
    const key = JSON.stringify(item);
    const known = this.#counts.get(key);
    if (known === undefined) this.#counts.set(key, { ...item, count: 1 });
    else known.count++;
  }

  /** The most frequent first, equally frequent ones by their text. */
  list(): (T & { count: number })[] {
    return [...this.#counts]
      .sort(([a, x], [b, y]) => y.count - x.count || inOrder(a, b))
      .map(([, item]) => item);
  }
}

function total({ missing, unexpected, value }: Failures['arguments'][number]): number {
  return missing + unexpected + value;
}

function inOrder(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
