import { readBoard, readReview } from '../board/board-source.ts';
import { Answer } from '../parts/answer.tsx';
import { Review } from '../parts/review/review.tsx';
import { useTitle } from '../parts/use-title.ts';
import { linkTo } from '../route.ts';
import { useAnswer } from '../use-answer.ts';

interface BoardSampleProps {
  readonly run: string;
  /** Its place in the run, from 0. */
  readonly n: number;
}

/** One attempt of a scored run, with its gold where the board tells it. */
export function BoardSampleView({ run, n }: BoardSampleProps) {
  useTitle('Sample');
  const asked = useAnswer(`${run} ${n}`, async () => ({
    review: await readReview(run, n),
    samples: (await readBoard()).runs.find(({ id }) => id === run)?.samples ?? 0,
  }));
  return (
    <Answer title="Sample" asked={asked}>
      {({ review, samples }) => (
        <>
          <p class="note">
            <a href={linkTo(['board', run])}>{run}</a> · <code>{review.sample_id}</code>
            {review.epoch > 1 && `, attempt ${review.epoch}`}
          </p>
          <h1>{review.question}</h1>
          {review.evidence !== '' && <p class="lead">{review.evidence}</p>}
          {review.gold === null && (
            <p class="note">Without the gold: only what the agent did is shown here.</p>
          )}
          <h2>The attempt</h2>
          <Review review={review} />
          <nav class="pages" aria-label="Samples">
            {n > 0 && <a href={linkTo(['board', run, String(n - 1)])}>Sample before</a>}
            {n + 1 < samples && <a href={linkTo(['board', run, String(n + 1)])}>Sample after</a>}
          </nav>
        </>
      )}
    </Answer>
  );
}
