import type { Category } from '../../contracts/category.ts';
import type { PartScore, Report, SampleScore } from '../../contracts/report.ts';
import { computeFigures, type Resampling } from './figures.ts';
import { wasJudged } from './ledger.ts';

/** What a category is about beside whole tasks: their parts, turns without a call, and whether anything was called. */
export function summarizeCategory(
  name: Category,
  tasks: readonly SampleScore[],
  resampling: Resampling,
): Report['metrics']['category'] {
  const judged = tasks.filter(wasJudged);
  const parts = (expects: PartScore['expects']) =>
    judged.flatMap((task) =>
      (task.parts ?? [])
        .filter((part) => part.expects === expects)
        .map(({ passes }) => ({ ...task, passes })),
    );
  const share = <T extends SampleScore>(of: readonly T[], verdict: (each: T) => boolean) => {
    const verdicts = new Map<SampleScore, boolean>(of.map((each) => [each, verdict(each)]));
    return computeFigures(of, { share: (each) => verdicts.get(each) ?? null }, {}, resampling).shares.share;
  };
  return {
    name,
    parts: share(parts('answer'), ({ passes }) => passes),
    no_call: share(parts('no_call'), ({ passes }) => passes),
    some_call: share(name === 'relevance' ? judged : [], ({ calls }) => (calls ?? 0) > 0),
  };
}
