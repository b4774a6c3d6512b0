import type { ClientTask } from '../../client/index.ts';
import type { TaskPart, TurnExpects } from '../../contracts/composed-task.ts';

/** A turn of a conversation: what the user says, and what is right then. */
export interface ComposedTurn {
  readonly text: string;
  readonly sample_id: string;
  readonly expects: TurnExpects;
}

/** What a composed task is made of. Its gold is that of its parts, which is proven. */
export interface Composition {
  readonly parts: readonly (TaskPart & {
    /** Of the gold calls. */
    readonly tools: readonly string[];
  })[];
  /** null: everything is asked for at once. */
  readonly turns: readonly ComposedTurn[] | null;
  /** The tool that is not offered until its turn has failed; null where all are offered from the beginning. */
  readonly missing: string | null;
}

/** A task of a run: one of the farm's, or one that is composed of several of these. */
export interface RunTask extends ClientTask {
  readonly composition?: Composition;
}
