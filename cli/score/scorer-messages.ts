/** What a scoring process is for. */
export interface ScorerInit {
  readonly folder: string;
  /** Folders of other states of its data, in which rewards are judged too. */
  readonly worlds: readonly string[];
}

/** What is asked of predictions: the methods of a LiveScorer that judge. */
export type JudgementKind = 'score' | 'verify' | 'review';

export type ScorerRequest =
  /** Reads the farm, which takes a while the first time. */
  | { readonly what: 'open' }
  | { readonly what: 'gold'; readonly sampleId: string }
  /** `answer` is JSON text. */
  | { readonly what: 'answer'; readonly sampleId: string; readonly answer: string }
  | { readonly what: JudgementKind; readonly predictions: string };
