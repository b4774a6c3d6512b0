import type { ServedGold } from '../../client/index.ts';
import { HandleGraph } from './handle-graph.tsx';
import { PositionedRows } from './positioned-rows.tsx';
import { Scrolled } from './scrolled.tsx';

/** The gold of a task: its SQL, its calls as a graph of handles, and its rows. */
export function GoldShown({ gold }: { readonly gold: ServedGold }) {
  const { query, output, initialization_step, gold_answer, gold_columns, ordered } = gold;
  return (
    <>
      <h2>Gold SQL</h2>
      <Scrolled label="Gold SQL">
        <pre>{query}</pre>
      </Scrolled>
      <h2>Gold calls</h2>
      <HandleGraph label="Graph of the gold calls" starts={startsOf(initialization_step)} calls={output} />
      <details>
        <summary>As JSON</summary>
        <Scrolled label="Gold calls as JSON">
          <pre>{JSON.stringify(output, null, 1)}</pre>
        </Scrolled>
      </details>
      <h2>Gold rows{ordered && ', in order'}</h2>
      <PositionedRows label="Gold rows" rows={gold_answer} columns={gold_columns} />
    </>
  );
}

/** The labels of the start tables: one initialization may make several. */
function startsOf(step: ServedGold['initialization_step']): string[] {
  if (step === null) return [];
  const more = step.arguments.additional_tables;
  const others = Array.isArray(more) ? more.map(({ label }: { readonly label: string }) => label) : [];
  return [step.label ?? '', ...others];
}
