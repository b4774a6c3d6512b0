import { RookeryError } from '../../client/index.ts';
import { farm } from '../farm.ts';
import { useAnswer } from '../use-answer.ts';
import { Answer } from './answer.tsx';
import { Scrolled } from './scrolled.tsx';

/** The score of what is over, where the server scores; where it does not, nothing. */
export function Score({ path, over }: { readonly path: string; readonly over: number }) {
  const score = useAnswer<unknown>(`${path} ${over}`, () => farm().get(path));
  const { error } = score;
  if (error instanceof RookeryError && HIDDEN.has(error.problem?.code ?? '')) return null;
  return (
    <>
      <h2>Score</h2>
      <Answer asked={score}>
        {(known) => (
          <Scrolled label="Score">
            <pre>{JSON.stringify(known, null, 2)}</pre>
          </Scrolled>
        )}
      </Answer>
    </>
  );
}

/** Whoever serves without scoring, or looks without the key, expects no score. */
const HIDDEN: ReadonlySet<string> = new Set(['SCORING_OFF', 'HARNESS_ONLY']);
