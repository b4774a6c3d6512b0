import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { FORMULATIONS, OF_EVERY_QUESTION } from '../contracts/formulations.ts';
import { rulesText } from '../contracts/prediction.ts';
import {
  type Formulation,
  formulation as formulationSchema,
  type Sample,
  type SqlCall,
} from '../contracts/sample.ts';
import { isOfDialogue } from '../contracts/task.ts';
import { isOfChanges } from '../contracts/vocabulary.ts';
import { counted } from '../contracts/wording.ts';
import { asksEndpoints } from '../eval/calls/calls.ts';
import type { ToolSchema, ToolUniverse } from '../eval/calls/tool-universe.ts';

import type { ComposeOptions } from '../runner/categories/compose-tasks.ts';
import type { RunTask } from '../runner/categories/composition.ts';
import type { FormatCommand, FormatOption, WrittenFile } from './format-command.ts';

/** A file of an export, with its path in the exported folder. */
export type ExportedFile = WrittenFile;

/** A column of a sample's start tables, in the format of Live API-Bench records. */
export interface NativeKey {
  readonly key_name: string;
  readonly description: string;
  readonly dtype: 'string' | 'integer' | 'number' | 'object';
}

/** A statement about one table, with what it is asked of. */
export interface SqlStatement extends SqlCall {
  /** Each table of the database with its columns: `inn (id, name)`. */
  readonly tables: readonly string[];
}

/** The tasks of a farm, with what they are offered. */
export interface FarmTasks {
  readonly samples: readonly Sample[];
  readonly universe: ToolUniverse;
  keysOf(sample: Sample): readonly NativeKey[];
  /** The rules about changes in a sample's domain. */
  rulesOf(sample: Sample): readonly string[];
  /** The gold SQL of a sample, if it is so simple; else null. */
  statementOf(sample: Sample): Promise<SqlStatement | null>;
  /** Several REST questions in one request, as `rookery run --category` asks them. */
  composed(
    options: ComposeOptions & { readonly evidence: boolean },
  ): Promise<Readonly<Record<'parallel' | 'parallel_multiple', readonly RunTask[]>>>;
}

export interface ExportFlags {
  readonly out: string;
  readonly evidence: boolean;
  readonly only?: readonly string[];
  readonly formulation: Formulation;
}

interface TaskExport<Flags> {
  readonly name: string;
  readonly description: string;
  /** Which formulation is exported unless another one is asked for; without it, the format is one of REST tasks. */
  readonly formulation?: Formulation;
  readonly options?: readonly FormatOption[];
  readonly takesDialogues?: true;
  /** Also takes the formulations whose tasks change records. */
  readonly takesRecords?: true;
  /** The tasks that change records which the format takes among others; none by default. */
  readonly takesChanges?: (sample: Sample) => boolean;
  readonly emit: (
    tasks: FarmTasks,
    flags: Flags & ExportFlags,
  ) => readonly ExportedFile[] | Promise<readonly ExportedFile[]>;
}

const BY_CHANGES =
  'the files cannot judge them by what a run changes; rookery run and the doors for trainers can (docs/state.md)';

const OF_CHANGES = formulationSchema.options.filter(isOfChanges);
const THEIR_OWN = `--formulation ${OF_CHANGES.join(' or ')} exports them`;

/** `rookery export <name>`: the tasks of a farm as files of another harness. */
export function exportCommand<Flags>({
  name,
  description,
  formulation,
  options = [],
  takesDialogues,
  takesRecords,
  takesChanges = () => false,
  emit,
}: TaskExport<Flags>): FormatCommand<[folder: string], Flags & ExportFlags> {
  const kinds = takesRecords ? [...OF_EVERY_QUESTION, ...OF_CHANGES] : OF_EVERY_QUESTION;
  const choices = { choices: kinds, default: formulation };
  return {
    of: 'export',
    name,
    description,
    arguments: [['<farm>', 'folder made by `rookery generate`']],
    options: [
      { flags: '-o, --out <folder>', description: 'where the files go', required: true },
      { flags: '--evidence', description: "add the split's hint to each question", default: false },
      { flags: '--only <db>', description: 'this domain only (may be repeated)', takes: 'list' },
      ...(formulation ? [{ flags: '--formulation <name>', description: 'which tasks', ...choices }] : []),
      ...options,
    ],
    async run([folder], flags, { openTasks }) {
      const all = await openTasks(folder, flags.only);
      const kind = flags.formulation ?? 'rest';
      const ofKind = all.samples.filter((sample) => sample.formulation === kind);
      const dialogues = ofKind.filter(({ turns }) => turns !== undefined);
      const single = ofKind.filter((sample) => !isOfDialogue(sample));
      const tasks = takesDialogues ? [...single, ...dialogues] : single;
      const files = await emit(formulation ? { ...all, samples: tasks } : all, flags);
      const written = `${counted(tasks.length, `${FORMULATIONS[kind].title} task`)} written to ${flags.out}`;
      const changing = isOfChanges(kind)
        ? []
        : all.samples.filter(({ gold_diff }) => gold_diff !== undefined);
      const taken = changing.filter(takesChanges).length;
      const left = changing.length - taken;
      return {
        files: files.map(({ path, content }) => ({ path: join(flags.out, path), content })),
        print: [
          `${written}: ${counted(files.length, 'file')}`,
          ...(dialogues.length > 0 && !takesDialogues
            ? [`${counted(dialogues.length, 'dialogue')} left out: of the formats, bfcl has them`]
            : []),
          ...(taken > 0 ? [`${counted(taken, 'task')} written that change records`] : []),
          ...(left > 0
            ? [
                `${counted(left, 'task')} left out that change records: ${takesRecords ? THEIR_OWN : BY_CHANGES}`,
              ]
            : []),
        ],
      };
    },
  };
}

/** The options of formats whose tasks offer only part of the tools. */
export const DRAWING: readonly FormatOption[] = [
  {
    flags: '--tools <n>',
    description: 'tools a task offers, the gold one among them (default: all of the domain)',
    takes: { min: 1 },
  },
  { flags: '--seed <n>', description: 'seed by which the tools are drawn', takes: { min: 0 }, default: 1 },
];

export interface DrawingFlags {
  readonly tools?: number;
  readonly seed: number;
}

export function drawn({ tools, seed, evidence }: DrawingFlags & ExportFlags) {
  return { size: tools ?? null, seed, evidence };
}

/** The prompt: the question, if requested the split's hint, and the rules about changes, if there are any. */
export function questionText(
  { input, evidence }: Pick<Sample, 'input' | 'evidence'>,
  withEvidence: boolean,
  rules: readonly string[] = [],
): string {
  const hint = withEvidence && evidence !== '' ? [`Hint: ${evidence}`] : [];
  return [input, ...hint, ...(rules.length > 0 ? [rulesText(rules)] : [])].join('\n\n');
}

/** Path of the database in the farm's folder. */
export function databasePath({ dataset_name }: Pick<Sample, 'dataset_name'>): string {
  return `databases/${dataset_name}.sqlite`;
}

/** The gold rows; a single column is a flat list. */
export function nativeAnswer({ gold_answer, gold_columns }: Sample): unknown[] {
  return gold_columns.length === 1 ? gold_answer.map(([cell]) => cell) : [...gold_answer];
}

/** The samples that other harnesses support: those answered by a single call of an endpoint, over HTTP alone. */
export function exportedTasks<T extends Pick<Sample, 'formulation' | 'output' | 'flags'>>(
  samples: readonly T[],
): T[] {
  return samples.filter(
    (sample) =>
      FORMULATIONS[sample.formulation].calls === 'single' &&
      sample.output.length === 1 &&
      asksEndpoints(sample) &&
      !isOfDialogue(sample),
  );
}

export interface Toolset {
  /** Number of tools per task; null for all of the domain. */
  readonly size: number | null;
  readonly seed: number;
}

/**
 * The tools of an exported task: all of the sample's, or the gold tool and others drawn by seed and sample, in drawn
 * order, so that the gold tool's position is random.
 */
export function chooseTools(
  sample: Sample,
  universe: ToolUniverse,
  { size, seed }: Toolset,
): [string, ToolSchema][] {
  const all = [...universe.toolsFor(sample)];
  if (size === null || size >= all.length) return all;
  const gold = new Set(sample.output.map(({ name }) => name));
  const drawn = all
    .map((tool) => ({ tool, key: digest(`${seed} ${sample.sample_id} ${tool[0]}`) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ tool }) => tool);
  const others = drawn.filter(([name]) => !gold.has(name)).slice(0, Math.max(0, size - gold.size));
  const kept = new Set([...gold, ...others.map(([name]) => name)]);
  return drawn.filter(([name]) => kept.has(name));
}

export function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
