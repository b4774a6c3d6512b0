import type { SplitFormat } from '../../../contracts/split.ts';
import type { Annotations } from '../catalog/annotations.ts';
import type { Confines } from '../files/own-file.ts';
import type { RawQuestion } from '../questions/number-questions.ts';

/** One way of laying a split out on disk. A new one is a file beside this one, and a line in layouts.ts. */
export interface Layout {
  readonly format: SplitFormat;
  /** What a folder of this layout holds, for the message when no layout fits. */
  readonly looksFor: string;
  /** Whether a folder looks like this layout, judged by the names in it; nothing is opened. */
  recognises(folder: string): boolean;
  /** The questions files of a folder, best first; empty if there are none. UserError when nothing says which is best. */
  questionFiles(folder: string): string[];
  /** The records of a questions file, in file order. UserError names the file, record and field at fault. */
  readQuestions(place: SplitPlace): RawQuestion[];
  /** Where the SQLite file of a database may be, best first. */
  databaseFiles(place: SplitPlace, db: string): string[];
  /** What the split's other files say about a database's tables, and which files those are. */
  annotations(place: SplitPlace, db: string, databaseFile: string): Annotations;
}

/** The folder of a split and the questions file chosen in it, both absolute. */
export interface SplitPlace {
  readonly folder: string;
  readonly questionsFile: string;
  /** What every file but one that was named by whoever reads the split must lie in. */
  readonly confines: Confines;
}
