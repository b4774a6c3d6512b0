import type { Augmentation } from '../../contracts/augmentation.ts';
import type { Rejection } from '../../contracts/coverage.ts';
import type { Domain, Question } from '../../contracts/split.ts';

/** A question that was made of another. */
export interface AugmentedQuestion extends Question {
  readonly origin: 'augmented';
  readonly augmentation: Augmentation;
}

/** An augmented question that is not kept, or one to which no API can be added. */
export interface Eliminated {
  /** Of the question that it was to be made of. */
  readonly question_id: Question['question_id'];
  /** What was tried; null where nothing could be. */
  readonly tried: Pick<Augmentation, 'augmenter' | 'class' | 'depth' | 'apis'> | null;
  readonly rejection: Rejection;
}

export interface AugmentedDomain {
  readonly db: string;
  readonly questions: readonly AugmentedQuestion[];
  readonly eliminated: readonly Eliminated[];
  readonly unread_views: Domain['unread_views'];
}
