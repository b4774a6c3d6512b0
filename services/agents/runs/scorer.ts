import type { Reward } from '../../../contracts/reward.ts';
import type { SampleReview } from '../../../contracts/sample-review.ts';
import type { AnswerVerdict, ServedGold } from '../../../contracts/served-gold.ts';

/**
 * Scores a prediction file, given as its text, against the gold of the farm that is served. What it answers is sent
 * as it is, so it holds nothing of the gold. Injected by the command that starts the server: services never import `eval/`.
 */
export type Scorer = (predictions: string) => Promise<object>;

/** Judges each run of a prediction file's text by itself, in its order; injected likewise. */
export type Verifier = (predictions: string) => Promise<readonly Reward[]>;

/** Each run of a prediction file's text beside its gold; injected likewise, and for the harness alone. */
export type Reviewer = (predictions: string) => Promise<readonly SampleReview[]>;

/** The gold of a sample, undefined where there is no such sample; injected likewise, and for the harness alone. */
export type GoldReader = (sampleId: string) => Promise<ServedGold | undefined>;

/** An answer, as JSON text, beside the gold of a sample, undefined where there is no such sample; injected likewise. */
export type AnswerJudge = (sampleId: string, answer: string) => Promise<AnswerVerdict | undefined>;
