import { assembleAnswer } from '../../../contracts/assemble-answer.ts';
import { rowsText } from '../../chain/about-answer.ts';
import type { ChainCall } from '../../chain/chain.ts';
import type { CallStep } from '../../chain/chain-service.ts';
import { nestedCall } from '../../chain/nested-call.ts';
import { PositionedRows } from '../positioned-rows.tsx';
import { Scrolled } from '../scrolled.tsx';

interface ChainAnswerProps {
  readonly calls: readonly ChainCall[];
  readonly steps: readonly CallStep[];
}

/** What a chain answers: the results that nothing is made from, side by side; and the chain as texts. */
export function ChainAnswer({ calls, steps }: ChainAnswerProps) {
  const answers = steps.flatMap((step) => ('answer' in step ? [step.answer] : []));
  const rows = answers.length === calls.length ? assembleAnswer(calls, answers) : null;
  const isPart = answers.some((answer) => answer.kind === 'column' && answer.truncated);
  return (
    <>
      <h2>Answer</h2>
      {rows === null ? (
        <p class="note">
          None yet: columns and values answer, as many of each, tables do not. Read columns of the last table.
        </p>
      ) : (
        <>
          <p class="result">
            {rowsText(rows.length)}
            {isPart && ' and more'}
          </p>
          <PositionedRows label="Answer of the chain" rows={rows} />
        </>
      )}
      <details>
        <summary>The chain as JSON</summary>
        <Scrolled label="The chain as JSON">
          <pre>{JSON.stringify(calls, null, 1)}</pre>
        </Scrolled>
      </details>
      <details>
        <summary>The chain as a nested call</summary>
        <Scrolled label="The chain as a nested call">
          <pre>{nestedCall(calls)}</pre>
        </Scrolled>
      </details>
    </>
  );
}
