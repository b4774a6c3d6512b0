import { ROOKERY } from '../contracts/package-root.ts';
import { API_CLASSES } from '../contracts/vocabulary.ts';
import { countEach } from '../eval/metrics/figures.ts';
import { type AugmentSplitOptions, augmentSplit } from '../generator/augment/augment-split.ts';
import type { AugmentedDomain } from '../generator/augment/ideas.ts';
import { type SynthesizeSplitOptions, synthesizeSplit } from '../generator/synthesize/synthesize.ts';
import { interruptSignal, stepsTo, textTable, unreadViewsNote, withProgress } from './terminal.ts';

/** Synthesizes a split, with progress on stderr and a summary on stdout; Ctrl-C leaves no files behind. */
export async function synthesizeWithProgress(
  database: string,
  options: Omit<SynthesizeSplitOptions, 'signal' | 'onProgress'>,
): Promise<void> {
  const made = await withProgress((update) =>
    synthesizeSplit(database, {
      ...options,
      signal: interruptSignal(options.out),
      onProgress: stepsTo(update),
    }),
  );
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
}

function shortfall(databases: readonly string[]): string {
  if (databases.length === 0) return '';
  return `No more questions could be asked of ${databases.join(', ')} that differ, find something, and need each of their clauses.\n`;
}

/** Augments a split, with progress on stderr and a summary on stdout; Ctrl-C leaves no files behind. */
export async function augmentWithProgress(
  split: string,
  options: Omit<AugmentSplitOptions, 'signal' | 'onProgress'>,
): Promise<void> {
  const made = await withProgress((update) =>
    augmentSplit(split, { ...options, signal: interruptSignal(options.out), onProgress: stepsTo(update) }),
  );
  process.stderr.write(unreadViewsNote(made));
  process.stdout.write(
    `${classTable(made)}\n${reasonTable(made)}\nEach question that was tried, and why it was not kept: ${options.out}/augmentation.json\n` +
      `Make a farm of it: ${ROOKERY} generate ${options.out} --out my-farm --hidden 40\n`,
  );
}

function classTable(made: readonly AugmentedDomain[]): string {
  const all = made.flatMap(({ questions }) => questions.map(({ augmentation }) => augmentation));
  const depths = [1, 2, 3];
  const rows = API_CLASSES.map((kind) => {
    const own = all.filter((each) => each.class === kind);
    return [kind, ...depths.map((depth) => own.filter((each) => each.depth === depth).length), own.length];
  });
  const sums = [...depths.map((depth) => all.filter((each) => each.depth === depth).length), all.length];
  return textTable(['class', ...depths.map((depth) => `depth ${depth}`), 'all'], [...rows, ['all', ...sums]]);
}

function reasonTable(made: readonly AugmentedDomain[]): string {
  const counts = countEach(
    made.flatMap(({ eliminated }) => eliminated.map(({ rejection }) => rejection.code)),
  );
  const rows = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return textTable(['not kept', 'times'], rows);
}
