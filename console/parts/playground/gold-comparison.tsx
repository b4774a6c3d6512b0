import { useState } from 'preact/hooks';
import type { Cell, ServedGold } from '../../../client/index.ts';
import { sameRows } from '../../../contracts/same-rows.ts';
import { rowsText } from '../../chain/about-answer.ts';
import { goldOf } from '../../gold.ts';
import { Problem } from '../answer.tsx';
import { GoldShown } from '../gold-shown.tsx';
import { PositionedRows } from '../positioned-rows.tsx';

interface GoldComparisonProps {
  readonly sampleId: string;
  /** What the chain answers, whole; null where its results make no rows. */
  readonly rows: () => Promise<Cell[][] | null>;
  /** Puts the gold calls in the chain's place. */
  readonly onLoad: (gold: ServedGold) => void;
}

interface Compared {
  readonly gold: ServedGold;
  readonly rows: Cell[][] | null;
}

/** Whether a chain answers a task, for whoever has the harness key. It is asked for, never shown unasked. */
export function GoldComparison({ sampleId, rows, onLoad }: GoldComparisonProps) {
  const [compared, setCompared] = useState<Compared | Error | null>(null);
  const compare = async () => {
    try {
      const [gold, answer] = await Promise.all([goldOf(sampleId), rows()]);
      setCompared({ gold, rows: answer });
    } catch (cause) {
      setCompared(cause instanceof Error ? cause : new Error(String(cause)));
    }
  };
  return (
    <section aria-label="Comparison with the gold">
      <button type="button" onClick={compare}>
        Compare with the gold
      </button>
      <div aria-live="polite">
        {compared instanceof Error && <Problem error={compared} />}
        {compared !== null && !(compared instanceof Error) && (
          <>
            <Verdict {...compared} />
            <GoldShown gold={compared.gold} />
            <button type="button" onClick={() => onLoad(compared.gold)}>
              Load the gold calls
            </button>
          </>
        )}
      </div>
    </section>
  );
}

function Verdict({ gold: { gold_answer, order_groups }, rows }: Compared) {
  if (rows === null)
    return <p class="problem">The last results of the chain do not make rows, so there is no answer.</p>;
  if (sameRows(gold_answer, rows, order_groups))
    return <p class="good">Right: the same {rowsText(rows.length)} as the gold.</p>;
  return (
    <>
      <p class="problem">
        Not the gold’s rows: {rowsText(rows.length)} here, {rowsText(gold_answer.length)} there.
      </p>
      <PositionedRows label="Rows of the chain" rows={rows} />
    </>
  );
}
