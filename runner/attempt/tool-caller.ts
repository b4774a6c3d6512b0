/** What became of a call. */
export interface CallOutcome {
  /** Whether it was carried out. */
  readonly ok: boolean;
  /** The whole answer. */
  readonly text: string;
  /** SLOT and SEL: the name of the result; null where there is none. */
  readonly handle: string | null;
}

/** Carries out the calls of a model, by the names that it was offered. */
export interface ToolCaller {
  /**
   * `args` is the text of the arguments as the model wrote it. What is wrong with a call, broken JSON included, is an
   * outcome; only the end of the attempt is thrown.
   */
  call(name: string, args: string): Promise<CallOutcome>;
}
