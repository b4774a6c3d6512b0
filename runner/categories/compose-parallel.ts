import { printExactJson } from '../../contracts/exact-json.ts';
import { groupBy } from '../../eval/metrics/figures.ts';
import { parametersOf } from '../models/model.ts';
import { Seeded } from '../seeded.ts';
import {
  type Candidate,
  type Composer,
  type ComposerFarm,
  differ,
  drawGroups,
  findMentions,
  fitTogether,
  type Mention,
  numberedRequest,
  type RunTask,
  takeCompatible,
  toRunTask,
} from './composition.ts';

/**
 * Several calls of one endpoint: questions that share an endpoint or, for a question whose endpoint is its
 * own, the question repeated with other values of the column it mentions.
 */
export const composeParallel: Composer = async function* (candidates, farm, seed) {
  const chance = new Seeded(seed, 'parallel');
  const byEndpoint = groupBy(chance.shuffle(candidates), ({ task, tool }) => `${task.db} ${tool}`);
  for (const [key, members] of chance.shuffle([...byEndpoint])) {
    const own = new Seeded(seed, `parallel ${key}`);
    for (let left: (typeof members)[number][] = members; left.length > 0; ) {
      const size = 2 + own.integer(2);
      const { taken, others } = takeCompatible(left, size, differ);
      left = others;
      const [first, ...more] = taken;
      if (first === undefined) break;
      if (more.length > 0) yield ofSeveral([first, ...more]);
      else {
        const varied = await varyOne(first, size, farm, own);
        if (varied !== null) yield varied;
      }
    }
  }
};

function ofSeveral(members: readonly [Candidate, ...Candidate[]]): RunTask {
  return toRunTask('parallel', members, numberedRequest(members.map(({ task }) => task.question)), {
    parts: members.map(({ task, tools }) => ({ sample_id: task.sample_id, tools })),
  });
}

/** Number of values tried before a question is skipped. */
const MOST_TRIED = 12;

async function varyOne(
  candidate: Candidate,
  size: number,
  farm: ComposerFarm,
  chance: Seeded,
): Promise<RunTask | null> {
  const { task, sample, tools, args } = candidate;
  const offered = await farm.toolOf(candidate);
  if (offered === null) return null;
  const texts = { question: task.question, evidence: sample.evidence };
  const mention = chance.pick(findMentions(texts, args, parametersOf(offered)));
  if (mention === undefined) return null;
  const known = [printExactJson(sample.gold_answer)];
  const found: { readonly question: string; readonly args: Readonly<Record<string, unknown>> }[] = [];
  for (const value of chance.shuffle(await otherValues(mention, candidate, farm)).slice(0, MOST_TRIED)) {
    if (found.length === size - 1) break;
    const given = { ...args, [mention.parameter.name]: value };
    const rows = await farm.rows(candidate, given);
    const text = printExactJson(rows);
    // Parts with the same rows would be indistinguishable, and many wrong calls return no rows.
    if (rows === null || rows.length === 0 || known.includes(text)) continue;
    if (rows.every((row) => row.every((cell) => cell === null || cell === 0))) continue;
    known.push(text);
    found.push({ question: `${mention.before}${value}${mention.after}`, args: given });
  }
  if (found.length === 0) return null;
  const questions = [task.question, ...found.map(({ question }) => question)];
  return toRunTask(
    'parallel',
    [candidate],
    numberedRequest(questions),
    {
      parts: [
        { sample_id: task.sample_id, tools },
        ...found.map((other) => ({ sample_id: task.sample_id, tools, arguments: { ...other.args } })),
      ],
    },
    `x${questions.length}`,
  );
}

/** Values of the same kind that the question could ask for instead. */
async function otherValues(
  { parameter, text }: Mention,
  { task, args }: Candidate,
  farm: ComposerFarm,
): Promise<(string | number)[]> {
  const current = args[parameter.name];
  const [, table, column] = /\(([^().]+)\.([^()]+?)\)/.exec(parameter.description) ?? [];
  const listed =
    parameter.values.length > 0
      ? parameter.values
      : table === undefined || column === undefined
        ? []
        : await farm.values(task.db, table, column);
  return listed.flatMap((value): (string | number)[] => {
    if (typeof value === 'number' && typeof current === 'number') {
      const isOther = Number.isFinite(value) && value !== current;
      return isOther && Number.isInteger(value) === Number.isInteger(current) ? [value] : [];
    }
    if (typeof value !== 'string' || typeof current !== 'string') return [];
    const plain = value.trim() === value && /^[^\n"]{1,60}$/.test(value);
    return plain && value.toLowerCase() !== text.toLowerCase() ? [value] : [];
  });
}

/** Two or three questions in one request: with different endpoints of a domain, or the same start table. */
export const composeSeveral: Composer = async function* (candidates, _, seed) {
  const options = { seed, scope: 'parallel_multiple', sizes: [2, 3], fits: fitTogether } as const;
  for (const members of drawGroups(candidates, options)) {
    const questions = members.map(({ task }) => task.question);
    yield toRunTask('parallel_multiple', members, numberedRequest(questions), {
      parts: members.map(({ task, tools }) => ({ sample_id: task.sample_id, tools })),
    });
  }
};
