import type { Literal } from '../../../sql/index.ts';
import type { Choice } from '../choices/choice.ts';
import type { NamedChoice } from '../names/name-parameters.ts';
import type { Wording } from '../outline/condition-text.ts';
import type { Outline } from '../outline/outline.ts';

/** How the conditions of a query are told: with the names of its parameters, or only as given values. */
export function wordingOf(
  { speaker, query }: Pick<Outline, 'speaker' | 'query'>,
  named: readonly NamedChoice[],
  how: 'names' | 'given',
): Wording {
  const names = new Map(named.map(({ choice, name }) => [choice, name]));
  const choiceOf = new Map<Literal, Choice>(
    named.flatMap(({ choice }) =>
      choice.occurrences.flatMap(({ literals }) => literals.map((literal) => [literal, choice] as const)),
    ),
  );
  const nameOf = how === 'names' ? (choice: Choice) => names.get(choice) ?? '' : null;
  return { speaker, query, qualified: true, choiceOf, nameOf };
}
