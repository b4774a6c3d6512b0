import type { Endpoint } from '../../../contracts/service.ts';
import type { Choice } from '../../template/choices/choice.ts';
import type { Member } from '../../template/template.ts';
import type { ParameterBinding, RestCandidate } from '../candidate.ts';

/** The one call that should answer a member's question; `parameterNames` are by canonical position. */
export function candidateOf(
  { question, choices }: Member,
  endpoint: Endpoint,
  parameterNames: readonly string[],
): RestCandidate {
  const named = choices.map((choice, i) => ({ choice, name: parameterNames[i] ?? '' }));
  const byName = new Map(named.map(({ choice, name }) => [name, choice]));
  // Arguments in the order in which the endpoint lists its parameters.
  const listed = endpoint.parameters.flatMap(({ name }) => {
    const choice = byName.get(name);
    return choice === undefined ? [] : [{ choice, name }];
  });
  return {
    question,
    formulation: 'rest',
    initialization_step: null,
    output: [
      {
        name: endpoint.operation_id,
        arguments: Object.fromEntries(listed.map(({ choice, name }) => [name, choice.value])),
        path: endpoint.path,
      },
    ],
    endpoint: endpoint.name,
    bindings: listed.map(({ choice, name }) => bindingOf(choice, name)),
  };
}

function bindingOf({ occurrences, prefix, suffix, column }: Choice, parameter: string): ParameterBinding {
  const places = new Map<number, { start: number; end: number; prefix: string; suffix: string }>();
  for (const { literals } of occurrences) {
    for (const { span } of literals) {
      // An expression that was copied with its alias stands in the gold SQL once.
      if (span !== null) places.set(span.start, { ...span, prefix, suffix });
    }
  }
  return { parameter, literals: [...places.values()], column };
}
