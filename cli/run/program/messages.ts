/** To the child: the program at first, then what its calls were answered. */
export type ToProgramChild =
  | {
      readonly kind: 'program';
      readonly code: string;
      readonly functions: readonly string[];
      readonly limitMs: number;
    }
  | { readonly kind: 'answer'; readonly ok: boolean; readonly text: string };

/** From the child: a call that waits for its answer, or the end. */
export type FromProgramChild =
  | { readonly kind: 'call'; readonly name: string; readonly arguments: string }
  | { readonly kind: 'printed'; readonly json: string }
  | { readonly kind: 'fault'; readonly message: string };
