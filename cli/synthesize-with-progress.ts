import { type SynthesizeSplitOptions, synthesizeSplit } from '../generator/synthesize/synthesize.ts';
import { createProgress } from './progress.ts';
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
      signal: interruptSignal(),
      onProgress: ({ done, total, db }) => progress.update('ask', done, total, db),
    });
    progress.stop();
    const rows = made.map(({ db, questions, leftOut }) => [db, questions.length, leftOut.length]);
    process.stdout.write(
      `${textTable(['database', 'questions', 'columns left out'], rows)}\n` +
        shortfall(made.filter(({ questions }) => questions.length < options.questions).map(({ db }) => db)) +
        `Which columns, and why: ${options.out}/synthesis.json\nMake a farm of it: rookery generate ${options.out} --out my-farm\n`,
    );
  } finally {
    progress.stop();
  }
}

function shortfall(databases: readonly string[]): string {
  if (databases.length === 0) return '';
  return `No more questions could be asked of ${databases.join(', ')} that differ, find something, and need each of their clauses.\n`;
}
