import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../contracts/package-root.ts';
import { rulesText } from '../../contracts/prediction.ts';
import type { Call, Sample } from '../../contracts/sample.ts';
import { ScriptedUser } from '../../contracts/scripted-user.ts';
import { isOfDialogue } from '../../contracts/task.ts';
import type { ToolSchema, ToolUniverse } from '../../eval/calls/tool-universe.ts';
import type { Json } from '../../eval/json/lossless.ts';
import { pythonRepr } from '../../eval/json/python.ts';
import { chooseTools, digest, type ExportedFile, type FarmTasks, questionText } from '../exports.ts';
import { type BfclExportOptions, groundTruth, line, pythonSafe, toFunction } from './export.ts';

/** BFCL chooses what is checked by the parts of these names; ids begin with them. */
const CATEGORY = 'farm_multi_turn';
const KINDS = ['base', 'miss_func', 'miss_param', 'long_context', 'state'] as const;
type Kind = (typeof KINDS)[number];

/** Functions that a dialogue is offered, but for `long_context`, which has all of the domain. */
const FUNCTIONS = 20;

/** A user's message, and the calls that are due; without a message, the missing function comes. */
interface Turn {
  readonly text: string | null;
  readonly calls: readonly Call[];
}

interface Case {
  readonly sample: Sample;
  /** Of its class of functions. */
  readonly name: string;
  readonly turns: readonly Turn[];
  readonly tools: readonly (readonly [string, ToolSchema])[];
  readonly missed?: readonly [turn: number, name: string];
}

/** Whether the changes of a single task are all of its verdict: it asks for nothing, and leaves and refuses nothing. */
export function isStateTask(sample: Sample): boolean {
  const { gold_diff = [], gold_columns, policies, open } = sample;
  const changes =
    gold_diff.length > 0 && gold_columns.length === 0 && policies !== 'recorded' && open === undefined;
  return changes && sample.formulation === 'records' && !isOfDialogue(sample);
}

/**
 * BFCL's multi-turn categories: questions, the calls due in each turn as Python, and classes whose methods are the farm's
 * functions. REST dialogues that leave out a value are `miss_param`, the others are all of the other three; `state` has
 * tasks that change records, in one turn, with the class's state to be compared.
 */
export function exportDialogues(
  samples: readonly Sample[],
  { universe, rulesOf }: Pick<FarmTasks, 'universe' | 'rulesOf'>,
  options: BfclExportOptions,
): ExportedFile[] {
  const byId = new Map(samples.map((sample) => [sample.sample_id, sample]));
  const files = new Map<string, string>();
  const add = (path: string, text: string) => files.set(path, (files.get(path) ?? '') + text);
  const counts = new Map<Kind, number>();
  for (const sample of samples) {
    const cases = isStateTask(sample)
      ? stateCase(sample, universe, rulesOf(sample), options)
      : dialogueCases(sample, universe, byId, options);
    for (const kind of KINDS) {
      const made = cases[kind];
      if (made === undefined) continue;
      const id = `${CATEGORY}_${kind}_${counts.get(kind) ?? 0}`;
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      const file = `BFCL_v4_${CATEGORY}_${kind}.json`;
      add(file, line(questionOf(id, made)));
      add(
        `possible_answer/${file}`,
        line({ id, ground_truth: made.turns.map(({ calls }) => calls.map((call) => python(call, made))) }),
      );
      const docs = made.tools.map((tool) => line(toFunction(tool)));
      files.set(`multi_turn_func_doc/${made.name}.json`, docs.join(''));
    }
  }
  const module = readFileSync(join(packageRoot, 'adapters', 'bfcl', 'rookery_farm.py'), 'utf8');
  files.set('rookery_farm.py', module);
  return [...files].map(([path, content]) => ({ path, content }));
}

type Cases = Readonly<Partial<Record<Kind, Case>>>;

function dialogueCases(
  sample: Sample,
  universe: ToolUniverse,
  byId: ReadonlyMap<string, Sample>,
  { size, seed }: BfclExportOptions,
): Cases {
  if (sample.formulation !== 'rest' || sample.turns === undefined) return {};
  const said = sample.turns.map(
    ({ text, sample_id }): Turn => ({ text, calls: byId.get(sample_id)?.output ?? [] }),
  );
  const output = said.flatMap(({ calls }) => calls);
  const all = [...universe.toolsFor(sample)];
  const tools = chooseTools({ ...sample, output }, universe, { size: size ?? FUNCTIONS, seed });
  const some = { sample, tools, name: nameOf(sample, tools.length === all.length) };
  const asked = withAskedValues(sample, said);
  if (asked.length > said.length) return { miss_param: { ...some, turns: asked } };
  return {
    base: { ...some, turns: said },
    miss_func: { ...some, ...withMissingFunction(said, `${seed} ${sample.sample_id}`) },
    long_context: { sample, turns: said, tools: all, name: nameOf(sample, true) },
  };
}

function stateCase(
  sample: Sample,
  universe: ToolUniverse,
  rules: readonly string[],
  { evidence }: BfclExportOptions,
): Cases {
  const question = questionText(sample, evidence);
  const text = rules.length > 0 ? `${question}\n\n${rulesText(rules)}` : question;
  const name = `${nameOf(sample, true)}_records`;
  const tools = [...universe.toolsFor(sample)];
  return { state: { sample, name, tools, turns: [{ text, calls: sample.output }] } };
}

/** A name that Python takes; a class with some of the domain's functions is the task's own. */
function nameOf({ dataset_name, question_id }: Sample, hasAll: boolean): string {
  return `${dataset_name}${hasAll ? '' : `_${question_id}`}`.replace(/\W/g, '_');
}

function questionOf(id: string, { name, sample, turns, missed }: Case): object {
  return {
    id,
    question: turns.map(({ text }) => (text === null ? [] : [{ role: 'user', content: text }])),
    initial_config: { [name]: { sample_id: sample.sample_id } },
    path: turns.flatMap(({ calls }) => calls.map((call) => `${name}.${call.name}`)),
    involved_classes: [name],
    ...(missed === undefined ? {} : { missed_function: { [missed[0]]: [missed[1]] } }),
  };
}

/** A turn that leaves out a value calls for nothing, and is followed by one in which the user says the value. */
function withAskedValues({ turns = [], user }: Sample, said: readonly Turn[]): Turn[] {
  if (user === undefined) return [...said];
  const waits = user.temperament === 'late' || user.temperament === 'partial';
  const talk = new ScriptedUser(turns, waits ? { ...user, temperament: 'plain' } : user);
  return said.flatMap((turn) => {
    const names = talk.open.map(({ name }) => name);
    const reply = names.length > 0 ? talk.reply(`Which ${names.join(' and ')}?`).text : null;
    talk.answer();
    return reply === null
      ? [turn]
      : [
          { ...turn, calls: [] },
          { ...turn, text: reply },
        ];
  });
}

/** The function of one turn comes a turn late. No earlier turn needs it. */
function withMissingFunction(said: readonly Turn[], scope: string): Pick<Case, 'turns' | 'missed'> {
  const nameOf = ({ calls }: Turn) => calls[0]?.name ?? '';
  const firsts = said.filter((turn, i) => said.findIndex((each) => nameOf(each) === nameOf(turn)) === i);
  const missed = firsts[Number.parseInt(digest(scope).slice(0, 8), 16) % firsts.length] as Turn;
  const at = said.indexOf(missed);
  const [none, found] = [
    { ...missed, calls: [] },
    { ...missed, text: null },
  ];
  return {
    turns: [...said.slice(0, at), none, found, ...said.slice(at + 1)],
    missed: [at + 1, nameOf(missed)],
  };
}

function python(call: Call, { tools }: Case): string {
  const { name } = call;
  const tool = tools.find(([each]) => each === name)?.[1];
  if (tool === undefined) throw new RangeError(`there is no tool ${name}`);
  const values = groundTruth(call, tool)[name] ?? {};
  const given = Object.keys(call.arguments)
    .map(pythonSafe)
    .map((key) => `${key}=${pythonRepr(values[key]?.[0] as Json)}`);
  return `${name}(${given.join(', ')})`;
}
