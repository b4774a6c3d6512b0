import { nameSeenFrom } from '../../contracts/dialogue.ts';
import type { Sample } from '../../contracts/sample.ts';
import { Seeded } from '../seeded.ts';
import type { ComposedTurn, Composer } from './composition.ts';

/** The categories whose tasks are dialogues of the farm. */
type DialogueCategory = 'dialogue' | 'multi_turn' | 'miss_func' | 'miss_param';

/** The dialogues that a category takes, each as one task, in an order drawn by the seed. */
export function composeDialogues(category: DialogueCategory): Composer {
  return async function* (candidates, { goldOf }, seed) {
    for (const { task, sample } of new Seeded(seed, 'dialogue').shuffle(candidates)) {
      const { turns, user } = sample;
      if (!turns || !user) continue;
      const leavesOut = user.slots.some(({ withheld }) => withheld);
      if (category !== 'dialogue' && leavesOut !== (category === 'miss_param')) continue;
      const parts = turns.map(({ sample_id }) => ({ sample_id, tools: toolsOf(goldOf(sample_id), task.db) }));
      const said = turns.map(
        ({ text, sample_id }, at): ComposedTurn => ({ text, sample_id, expects: 'answer', at }),
      );
      // A tool that an earlier turn needs cannot be withheld until a later one.
      const firsts = said.filter(({ at }) => {
        const earlier = parts.slice(0, at).flatMap(({ tools }) => tools);
        return !parts[at]?.tools.some((name) => earlier.includes(name));
      });
      const missed = category === 'miss_func' ? new Seeded(seed, task.sample_id).pick(firsts) : undefined;
      if (missed !== undefined) {
        said.splice(missed.at, 1, { ...missed, expects: 'no_call' }, { ...missed, text: MORE_TOOLS });
      }
      const missing = missed === undefined ? null : (parts[missed.at]?.tools[0] ?? null);
      yield { ...task, composition: { parts, dialogue: { said, missing, turns, user } } };
    }
  };
}

const MORE_TOOLS = 'Further tools are available now. Please try again.';

/** The tools of a turn's gold calls, as a run of the dialogue's domain names them. */
function toolsOf({ dataset_name, output }: Sample, own: string): string[] {
  return [...new Set(output.map(({ name }) => nameSeenFrom(own, dataset_name, name)))];
}
