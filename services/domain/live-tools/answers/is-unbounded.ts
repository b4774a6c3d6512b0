import type { CalculatePlan, OperationArguments, Plan, Test, TransformPlan } from '../../tools/plan/plan.ts';

/** Operations whose texts can be much longer than their input. */
const GROWING = new Set(['replace', 'format', 'concatenate', 'group_concat']);
/** Conditions whose time depends on the pattern as much as on the text. */
const PATTERNS = new Set(['like', 'not_like', 'glob', 'not_glob']);
const MAX_GROWING = 1;
const MAX_CHARACTERS = 64;

/**
 * Whether a plan's run time is not bounded by the size of its tables: texts may grow far beyond what is stored, or
 * patterns may match in very many ways.
 */
export function isUnbounded(plan: Plan): boolean {
  const seen: Seen = { parts: new Set(), growing: 0, patterns: false };
  visit(plan, seen);
  return seen.patterns || seen.growing > MAX_GROWING;
}

interface Seen {
  readonly parts: Set<object>;
  growing: number;
  patterns: boolean;
}

function visit(part: unknown, seen: Seen): void {
  if (typeof part !== 'object' || part === null || seen.parts.has(part)) return;
  seen.parts.add(part);
  if ('operands' in part) seen.patterns ||= isSlowPattern(part as Test);
  if (isOperation(part) && GROWING.has(part.operation))
    seen.growing += isBounded(part.args) ? 1 : MAX_GROWING + 1;
  if ('separator' in part && 'type' in part && GROWING.has(String(part.type))) seen.growing++;
  for (const [name, value] of Object.entries(part)) {
    if (name !== 'columns' && name !== 'definition') visit(value, seen);
  }
}

function isOperation(part: object): part is TransformPlan | CalculatePlan {
  return 'op' in part && (part.op === 'transform' || part.op === 'calculate');
}

/** More than a few wildcards, or a pattern that is not known beforehand. */
function isSlowPattern({ condition, operands }: Test): boolean {
  if (!PATTERNS.has(condition)) return false;
  const [pattern] = operands;
  if (pattern?.kind !== 'literal') return true;
  return (String(pattern.value).match(/[%*[]/g) ?? []).length > 4;
}

/** Short literals without a large width such as `%9999d`. */
function isBounded(args: OperationArguments): boolean {
  return Object.values(args).every((argument) => {
    if (argument.kind !== 'literal') return argument.kind === 'column' || argument.kind === 'option';
    const text = String(argument.value);
    return text.length <= MAX_CHARACTERS && !/\d{3}|\*/.test(text);
  });
}
