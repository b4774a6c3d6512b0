import type { Fact } from '../outline/facts.ts';
import type { Outline } from '../outline/outline.ts';
import { listed } from '../outline/phrase.ts';
import { rowGrain } from './row-grain.ts';

/** An endpoint's summary beside what else could be said of it. */
export interface Summarised {
  readonly summary: string;
  readonly outline: Outline;
  /** Names of the result columns. */
  readonly columns: readonly string[];
}

/** Summaries of a domain's endpoints, each unlike the others: those alike get the first thing that tells them apart. */
export function tellApart(endpoints: readonly Summarised[]): readonly string[] {
  let summaries = endpoints.map(({ summary }) => summary);
  for (const detail of DETAILS) {
    const before = summaries;
    summaries = before.map((summary, i) => {
      const alike = endpoints.filter((_, j) => before[j] === summary);
      const own = endpoints[i];
      if (alike.length === 1 || own === undefined) return summary;
      const said = detail(own, alike);
      const differs = alike.some((other) => detail(other, alike) !== said);
      return differs && said !== '' ? `${summary} (${said})` : summary;
    });
  }
  // What is left differs only in which of tied rows comes first.
  return summaries.map((summary, i) => {
    const before = summaries.slice(0, i).filter((other) => other === summary).length;
    return before === 0 ? summary : `${summary} (variant ${before + 1})`;
  });
}

type Detail = (own: Summarised, alike: readonly Summarised[]) => string;

const DETAILS: readonly Detail[] = [
  // What only some of them show.
  ({ outline, columns }, alike) => {
    const more = columns.flatMap((name, i) =>
      alike.every((other) => other.columns.includes(name)) ? [] : [outline.outputs[i]?.text ?? name],
    );
    return more.length === 0 ? '' : `with ${listed(more)}`;
  },
  ({ outline }) => {
    const known = outline.facts.flatMap((fact) =>
      fact.kind === 'null' && fact.present ? [fact.of.text] : [],
    );
    return known.length === 0 ? '' : `where ${listed(known)} is known`;
  },
  ({ outline }, alike) => {
    const own = nounsOf(outline).filter(
      (noun) => !alike.every((other) => nounsOf(other.outline).includes(noun)),
    );
    return own.length === 0 ? '' : `by way of ${listed(own)}`;
  },
  ({ outline }) => (outline.facts.some(isLike) ? 'in any case of letters' : ''),
  ({ outline }) => grainText(outline),
  ({ outline }) =>
    outline.sorted.length < 2 ? '' : `then by ${listed(outline.sorted.slice(1).map(({ of }) => of.text))}`,
  ({ columns }) => `in the order ${listed(columns)}`,
];

/** `LIKE 'x'` beside an `=` that is otherwise the same. */
function isLike(fact: Fact): boolean {
  return fact.kind === 'choice' && fact.choice.role === 'like';
}

function grainText(outline: Outline): string {
  const grain = rowGrain(outline);
  const joined = outline.query.kind === 'select' && outline.query.from.length > 1;
  if (grain === '') return joined ? 'once for each combination' : 'each row once';
  return grain.replace(/^O/, 'o').replace(/\.$/, '');
}

function nounsOf({ tables, speaker }: Outline): readonly string[] {
  return tables.flatMap((name) => {
    const table = speaker.origins.tableNamed(name);
    return table === null ? [] : [speaker.noun(table).many.join(' ')];
  });
}
