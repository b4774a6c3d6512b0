import { pythonRepr } from '../../json/python.ts';
import { OPERATORS } from '../operators.ts';
import type { Expression } from './expression.ts';

/** The text of an expression as Python's `ast.unparse` writes it. */
export function unparse(expression: Expression): string {
  switch (expression.kind) {
    case 'constant': {
      // Infinity has no literal; this is a number that overflows to it.
      const text = pythonRepr(expression.value);
      return text === 'inf' ? '1e309' : text;
    }
    case 'ellipsis':
      return '...';
    case 'name':
      return expression.id;
    case 'attribute':
      return `${attributeOwner(expression.value)}.${expression.name}`;
    case 'call': {
      const keywords = expression.keywords.map(([name, value]) => `${name}=${unparse(value)}`);
      return `${operand(expression.callee, HIGHEST)}(${[...expression.positional.map(unparse), ...keywords].join(', ')})`;
    }
    case 'list':
      return `[${expression.items.map(unparse).join(', ')}]`;
    case 'tuple': {
      const [only, ...others] = expression.items.map(unparse);
      return only !== undefined && others.length === 0
        ? `(${only},)`
        : `(${expression.items.map(unparse).join(', ')})`;
    }
    case 'dict':
      return `{${expression.entries.map(([key, value]) => `${unparse(key)}: ${unparse(value)}`).join(', ')}}`;
    case 'unary':
      return expression.operator === 'not'
        ? `not ${unparse(expression.operand)}`
        : `${expression.operator}${operand(expression.operand, SIGN)}`;
    case 'binary': {
      const level = OPERATORS.get(expression.operator) as number;
      const isPower = expression.operator === '**';
      const left = operand(expression.left, isPower ? HIGHEST : level);
      return `${left} ${expression.operator} ${operand(expression.right, isPower ? level : level + ABOVE)}`;
    }
    case 'subscript':
      return `${operand(expression.value, HIGHEST)}[${unparse(expression.index)}]`;
    case 'slice': {
      const { lower, upper, step } = expression;
      const end = step === null ? '' : `:${unparse(step)}`;
      return `${lower === null ? '' : unparse(lower)}:${upper === null ? '' : unparse(upper)}${end}`;
    }
  }
}

/** Between the operators of arithmetic and powers, and above all of them. */
const SIGN = 2.5;
const HIGHEST = 4;
/** A right operand of the same level needs brackets, a sign does not. */
const ABOVE = 0.25;

/** With brackets around it where it binds less tightly than what it stands in. */
function operand(expression: Expression, level: number): string {
  const text = unparse(expression);
  return binding(expression) < level ? `(${text})` : text;
}

function binding(expression: Expression): number {
  if (expression.kind === 'binary') return OPERATORS.get(expression.operator) as number;
  if (expression.kind === 'unary') return expression.operator === 'not' ? 0 : SIGN;
  return HIGHEST;
}

/** A whole number needs a blank before the dot. */
function attributeOwner(expression: Expression): string {
  const text = operand(expression, HIGHEST);
  return expression.kind === 'constant' && /^\d+$/.test(text) ? `${text} ` : text;
}
