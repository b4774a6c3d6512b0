import { orderText } from '../../english/relations.ts';
import type { Random } from '../../variants/random.ts';
import type { Idea } from '../idea.ts';
import { eachPhrase, filterPhrase, type Spoken, togetherPhrase } from './phrases.ts';

/** Whether a question is one sentence. To several only a condition on all that they ask can be added. */
export function isOneSentence(question: string): boolean {
  return !/[.?!:]\s+\S/.test(question.trim());
}

/** The question with what an idea adds to it. */
export function wordIdea(question: string, idea: Idea, spoken: Spoken, random: Random): string {
  const { composition, augmenter, test, together, direction } = idea;
  const [, text = '', end = ''] = /^(.*?)\s*([.?!]*)\s*$/s.exec(question) ?? [];
  if (augmenter === 'filter') {
    const only = `${filterPhrase(spoken, composition, test)}`;
    const opening = random.pick(openings(text)) ?? 'considering only';
    if (isOneSentence(question)) return `${text}, ${opening} ${only}${end}`;
    return `${opening.charAt(0).toUpperCase()}${opening.slice(1)} ${only}: ${text}${end}`;
  }
  switch (augmenter) {
    case 'projection':
      return `${text}, together with ${eachPhrase(spoken, composition)}${end}`;
    case 'order':
      return `${text}, ordered by ${eachPhrase(spoken, composition)}, ${orderText('number', direction)}${end}`;
    case 'aggregation': {
      const figure = togetherPhrase(spoken, composition, together);
      return end.includes('?') ? `${text}, and what is ${figure}${end}` : `${text}, and ${figure}${end}`;
    }
  }
}

function openings(question: string): readonly string[] {
  const counts = /^(how many|how much|count|number)\b/i.test(question);
  return ['considering only', 'looking only at', ...(counts ? ['counting only'] : [])];
}
