import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../contracts/package-root.ts';
import type { Call, Sample } from '../../contracts/sample.ts';
import { ScriptedUser } from '../../contracts/scripted-user.ts';
import type { ToolSchema, ToolUniverse } from '../../eval/calls/tool-universe.ts';
import type { Json } from '../../eval/json/lossless.ts';
import { pythonRepr } from '../../eval/json/python.ts';
import { chooseTools, digest, type ExportedFile } from '../exports.ts';
import { type BfclExportOptions, groundTruth, line, toFunction } from './export.ts';

/** BFCL chooses what is checked by the parts of these names; ids begin with them. */
const CATEGORY = 'farm_multi_turn';
const KINDS = ['base', 'miss_func', 'miss_param', 'long_context'] as const;

/** Functions that a dialogue is offered, but for `long_context`, which has all of the domain. */
const FUNCTIONS = 20;

/** A user's message, and the calls that are due; without a message, the missing function comes. */
interface Turn {
  readonly text: string | null;
  readonly calls: readonly Call[];
}

interface Case {
  readonly sample: Sample;
  readonly turns: readonly Turn[];
  readonly tools: readonly (readonly [string, ToolSchema])[];
  readonly missed?: readonly [turn: number, name: string];
}

/**
 * REST dialogues as BFCL's multi-turn categories: questions, the calls due in each turn as Python, and classes whose
 * methods are endpoints. Those that leave out a value are `miss_param`, the others are all of the other three.
 */
export function exportDialogues(
  samples: readonly Sample[],
  universe: ToolUniverse,
  { size, seed }: BfclExportOptions,
): ExportedFile[] {
  const byId = new Map(samples.map((sample) => [sample.sample_id, sample]));
  const files = new Map<string, string>();
  const add = (path: string, text: string) => files.set(path, (files.get(path) ?? '') + text);
  const counts = new Map<string, number>();
  for (const sample of samples) {
    if (sample.formulation !== 'rest' || sample.turns === undefined) continue;
    const said = sample.turns.map(
      ({ text, sample_id }): Turn => ({ text, calls: byId.get(sample_id)?.output ?? [] }),
    );
    const output = said.flatMap(({ calls }) => calls);
    const all = [...universe.toolsFor(sample)];
    const tools = chooseTools({ ...sample, output }, universe, { size: size ?? FUNCTIONS, seed });
    const asked = withAskedValues(sample, said);
    const cases: Partial<Record<(typeof KINDS)[number], Case>> =
      asked.length > said.length
        ? { miss_param: { sample, turns: asked, tools } }
        : {
            base: { sample, turns: said, tools },
            miss_func: { sample, tools, ...withMissingFunction(said, `${seed} ${sample.sample_id}`) },
            long_context: { sample, turns: said, tools: all },
          };
    for (const kind of KINDS) {
      const made = cases[kind];
      if (made === undefined) continue;
      const id = `${CATEGORY}_${kind}_${counts.get(kind) ?? 0}`;
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      const file = `BFCL_v4_${CATEGORY}_${kind}.json`;
      const own = made.tools.length === all.length ? '' : `_${sample.question_id}`;
      const name = `${sample.dataset_name}${own}`.replace(/\W/g, '_');
      add(file, line(questionOf(id, name, made)));
      add(
        `possible_answer/${file}`,
        line({ id, ground_truth: made.turns.map(({ calls }) => calls.map((call) => python(call, made))) }),
      );
      const docs = made.tools.map((tool) => line(toFunction(tool)));
      files.set(`multi_turn_func_doc/${name}.json`, docs.join(''));
    }
  }
  const module = readFileSync(join(packageRoot, 'adapters', 'bfcl', 'rookery_farm.py'), 'utf8');
  files.set('rookery_farm.py', module);
  return [...files].map(([path, content]) => ({ path, content }));
}

function questionOf(id: string, name: string, { sample, turns, missed }: Case): object {
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
  const given = Object.entries(values).filter(([, accepted]) => accepted[0] !== '');
  return `${name}(${given.map(([key, [value]]) => `${key}=${pythonRepr(value as Json)}`).join(', ')})`;
}
