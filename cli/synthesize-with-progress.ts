import { ROOKERY } from '../contracts/package-root.ts';
import { type SynthesizeSplitOptions, synthesizeSplit } from '../generator/synthesize/synthesize.ts';
import { createProgress, unreadViewsNote } from './progress.ts';
import { interruptSignal } from './run.ts';
import { textTable } from './text-table.ts';

/** Synthesizes a split with progress on the error stream and a summary on the output; Ctrl-C leaves no files behind. */
export async function synthesizeWithProgress(
  database: string,
  options: Omit<SynthesizeSplitOptions, 'signal' | 'onProgress'>,
): Promise<void> {
  const progress = createProgress();
  try {
    const made = await synthesizeSplit(database, {
      ...options,
      signal: interruptSignal(options.out),
      onProgress: ({ done, total, db }) => progress.update('ask', done, total, db),
    });
    progress.stop();
    process.stderr.write(unreadViewsNote(made));
    const rows = made.map(({ db, questions, wanted, leftOut }) => [
      db,
      questions.length,
      wanted - questions.length,
      leftOut.length,
    ]);
    process.stdout.write(
      `${textTable(['database', 'questions', 'missing', 'columns left out'], rows)}\n` +
        shortfall(made.filter(({ questions, wanted }) => questions.length < wanted).map(({ db }) => db)) +
        `What is missing, which columns are left out, and why: ${options.out}/synthesis.json\nMake a farm of it: ${ROOKERY} generate ${options.out} --out my-farm\n`,
    );
  } finally {
    progress.stop();
  }
}

function shortfall(databases: readonly string[]): string {
  if (databases.length === 0) return '';
  return `No more questions could be asked of ${databases.join(', ')} that differ, find something, and need each of their clauses.\n`;
}
