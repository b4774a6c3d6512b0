import { farm, isGoldElsewhere } from '../farm.ts';
import { useAnswer } from '../use-answer.ts';
import { Answer } from './answer.tsx';
import { Scrolled } from './scrolled.tsx';

/** The score of what is over, where the server scores; where it does not, nothing. */
export function Score({ path, over }: { readonly path: string; readonly over: number }) {
  const score = useAnswer<unknown>(`${path} ${over}`, () => farm().get(path));
  // Whoever serves without scoring, or looks without the key, expects no score.
  if (isGoldElsewhere(score.error)) return null;
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
