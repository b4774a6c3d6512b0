import type { SplitFormat } from '../../../contracts/split.ts';
import type { Annotations } from '../catalog/annotations.ts';
import type { Confines } from '../files/own-file.ts';
import type { RawQuestion } from '../questions/number-questions.ts';

/** One layout of a split on disk. To add one, add a file beside this one and a line in layouts.ts. */
export interface Layout {
  readonly format: SplitFormat;
  /** What a folder of this layout holds, for the message when no layout fits. */
  readonly looksFor: string;
  /** Whether a folder looks like this layout, judged by file names alone. */
  recognises(folder: string): boolean;
  /**
   * The questions files of a folder, best first; empty if there are none. UserError when the best one cannot be
   * determined.
   */
  questionFiles(folder: string): string[];
  /** The records of a questions file, in file order. UserError names the file, record and field at fault. */
  readQuestions(place: SplitPlace): RawQuestion[];
  /** Where the SQLite file of a database may be, best first. */
  databaseFiles(place: SplitPlace, db: string): string[];
  /** Annotations of a database's tables from the split's other files, and the paths of these files. */
  annotations(place: SplitPlace, db: string, databaseFile: string): Annotations;
}

/** The folder of a split and the questions file chosen in it, both absolute. */
export interface SplitPlace {
  readonly folder: string;
  readonly questionsFile: string;
  /** The folder that must contain every file, except one named by the caller. */
  readonly confines: Confines;
}
