import { parametersOf, type ToolParameter } from '../models/model.ts';
import { Seeded } from '../seeded.ts';
import {
  type Candidate,
  type ComposedTurn,
  type Composer,
  type ComposerFarm,
  drawGroups,
  findMentions,
  fitTogether,
  type Mention,
  type RunTask,
  toRunTask,
} from './composition.ts';

type Members = readonly [Candidate, ...Candidate[]];
type Category = 'multi_turn' | 'miss_func' | 'miss_param';

/**
 * Several questions of one domain in one conversation. A question that mentions the answer of an earlier one
 * refers to that answer instead: its gold call needs the value.
 */
export const composeTurns: Composer = async function* (candidates, farm, seed) {
  for (const members of await linked(candidates, farm, seed)) {
    yield toConversation('multi_turn', members, await turnsOf(members, farm), null);
  }
};

/** The same, where one turn's tool is offered only after it was missed. */
export const composeMissingTool: Composer = async function* (candidates, _, seed) {
  for (const members of drawGroups(candidates, options(seed, 'miss_func'))) {
    const at = chanceOf(seed, members).integer(members.length);
    const missed = members[at];
    if (missed === undefined) continue;
    const turns = members.map(answered);
    const { text, sample_id } = answered(missed);
    yield toConversation(
      'miss_func',
      members,
      [
        ...turns.slice(0, at),
        { text, sample_id, expects: 'no_call' },
        { text: MORE_TOOLS, sample_id, expects: 'answer' },
        ...turns.slice(at + 1),
      ],
      missed.tool,
    );
  }
};

/** The same, where one turn omits a required value and the next turn supplies it. */
export const composeMissingValue: Composer = async function* (candidates, farm, seed) {
  for (const members of drawGroups(candidates, options(seed, 'miss_param'))) {
    const chance = chanceOf(seed, members);
    for (const member of chance.shuffle(members)) {
      const at = members.indexOf(member);
      const mentions = await mentionsIn(member, farm);
      // A value with only one possibility is not missing.
      const mention = chance.pick(mentions.filter(({ parameter }) => parameter.values.length !== 1));
      if (mention === undefined) continue;
      const { sample_id } = member.task;
      const turns = members.map(answered);
      yield toConversation(
        'miss_param',
        members,
        [
          ...turns.slice(0, at),
          { text: `${mention.before}${BLANK}${mention.after}`, sample_id, expects: 'no_call' },
          { text: `The blank stands for: ${mention.text}`, sample_id, expects: 'answer' },
          ...turns.slice(at + 1),
        ],
        null,
      );
      break;
    }
  }
};

/** The farm's dialogues, each as one task, in an order drawn by the seed. */
export const composeDialogues: Composer = async function* (candidates, _, seed) {
  for (const { task, sample } of new Seeded(seed, 'dialogue').shuffle(candidates)) {
    const { turns, user } = sample;
    if (!turns || !user) continue;
    yield {
      ...task,
      composition: {
        parts: turns.map(({ sample_id }) => ({ sample_id, tools: [] })),
        turns: turns.map(({ text, sample_id }) => ({ text, sample_id, expects: 'answer' as const })),
        missing: null,
        dialogue: { turns, user },
      },
    };
  }
};

const MORE_TOOLS = 'Further tools are available now. Please try again.';
const BLANK = '____';

function options(seed: number, scope: Category) {
  return { seed, scope, sizes: [2, 4], fits: fitTogether } as const;
}

function chanceOf(seed: number, members: Members): Seeded {
  return new Seeded(seed, members.map(({ task }) => task.sample_id).join(' '));
}

function answered({ task }: Candidate): ComposedTurn {
  return { text: task.question, sample_id: task.sample_id, expects: 'answer' };
}

function toConversation(
  category: Category,
  members: Members,
  turns: readonly ComposedTurn[],
  missing: string | null,
): RunTask {
  return toRunTask(category, members, turns[0]?.text ?? '', {
    parts: members.map(({ task, tools }) => ({ sample_id: task.sample_id, tools })),
    turns,
    missing,
  });
}

async function mentionsIn(candidate: Candidate, farm: ComposerFarm): Promise<Mention[]> {
  const { task, sample, args } = candidate;
  const texts = { question: task.question, evidence: sample.evidence };
  return findMentions(texts, args, await parametersFor(candidate, farm));
}

/** The parameters for the question's values: those of its endpoint, or the values compared in its sequence. */
async function parametersFor(candidate: Candidate, farm: ComposerFarm): Promise<ToolParameter[]> {
  if (candidate.task.formulation === 'rest') {
    const tool = await farm.toolOf(candidate);
    return tool === null ? [] : parametersOf(tool);
  }
  const any = { type: 'string', description: '', required: true, values: [] };
  return Object.keys(candidate.args).map((name) => ({ ...any, name }));
}

/** One turn per question; a mention of the previous answer is replaced by a reference to it. */
async function turnsOf(members: Members, farm: ComposerFarm): Promise<ComposedTurn[]> {
  const turns: ComposedTurn[] = [];
  for (const [i, member] of members.entries()) {
    const before = members[i - 1];
    const mention = before === undefined ? null : await linkBetween(before, member, farm);
    const turn = answered(member);
    turns.push(
      mention === null ? turn : { ...turn, text: `${mention.before}${THAT_ANSWER}${mention.after}` },
    );
  }
  return turns;
}

const THAT_ANSWER = 'the answer to my last question';

/** Shorter texts coincide by chance. */
const SHORTEST_LINK = 4;

/** The mention, in a question, of the single text that is another question's answer; null if there is none. */
async function linkBetween(before: Candidate, after: Candidate, farm: ComposerFarm): Promise<Mention | null> {
  const found = onlyText(before);
  if (found === null) return null;
  const mentions = await mentionsIn(after, farm);
  return mentions.find(({ parameter }) => after.args[parameter.name] === found) ?? null;
}

function onlyText({ sample: { gold_answer } }: Candidate): string | null {
  const [row, ...others] = gold_answer;
  const [cell, ...more] = row ?? [];
  if (others.length > 0 || more.length > 0 || typeof cell !== 'string') return null;
  return cell.length >= SHORTEST_LINK ? cell : null;
}

/** Groups as drawn, reordered so that a candidate follows one whose answer it mentions, if there is one. */
async function linked(
  candidates: readonly Candidate[],
  farm: ComposerFarm,
  seed: number,
): Promise<Members[]> {
  const answers = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    const text = onlyText(candidate);
    if (text === null) continue;
    const key = `${candidate.task.db} ${text}`;
    answers.set(key, [...(answers.get(key) ?? []), candidate]);
  }
  const used = new Set<Candidate>();
  const pairs: (readonly [Candidate, Candidate])[] = [];
  for (const after of new Seeded(seed, 'links').shuffle(candidates)) {
    if (used.has(after)) continue;
    for (const value of Object.values(after.args)) {
      const before = (answers.get(`${after.task.db} ${value}`) ?? []).find(
        (each) => !used.has(each) && each !== after && fitTogether(each, after),
      );
      if (before === undefined || (await linkBetween(before, after, farm)) === null) continue;
      used.add(before).add(after);
      pairs.push([before, after]);
      break;
    }
  }
  const groups = [
    ...drawGroups(
      candidates.filter((candidate) => !used.has(candidate)),
      options(seed, 'multi_turn'),
    ),
  ];
  // Both kinds, shuffled so that the order reveals nothing.
  return new Seeded(seed, 'multi_turn order').shuffle<Members>([...pairs, ...groups]);
}
