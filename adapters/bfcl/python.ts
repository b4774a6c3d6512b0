import { type Json, toNumber } from '../../eval/json/lossless.ts';
import { pythonRepr } from '../../eval/json/python.ts';
import {
  LiteralReader,
  LONGEST_NUMBER,
  NOT_READABLE,
  NotReadable,
  OPERATORS,
} from '../../eval/parse/literals.ts';

/** Python's keywords, which cannot be names. */
export const PYTHON_KEYWORDS: ReadonlySet<string> = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);

/** The Python expressions that models write as arguments: literals, names, calls, arithmetic, subscripts. */
export type Expression =
  | { readonly kind: 'constant'; readonly value: Json }
  | { readonly kind: 'ellipsis' }
  | { readonly kind: 'name'; readonly id: string }
  | { readonly kind: 'attribute'; readonly value: Expression; readonly name: string }
  | {
      readonly kind: 'call';
      readonly callee: Expression;
      readonly positional: readonly Expression[];
      readonly keywords: readonly (readonly [string, Expression])[];
    }
  | { readonly kind: 'list' | 'tuple'; readonly items: readonly Expression[] }
  | { readonly kind: 'dict'; readonly entries: readonly (readonly [Expression, Expression])[] }
  | { readonly kind: 'unary'; readonly operator: string; readonly operand: Expression }
  | {
      readonly kind: 'binary';
      readonly operator: string;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: 'subscript'; readonly value: Expression; readonly index: Expression }
  | {
      readonly kind: 'slice';
      readonly lower: Expression | null;
      readonly upper: Expression | null;
      readonly step: Expression | null;
    };

export type CallExpression = Extract<Expression, { kind: 'call' }>;

/**
 * Parses one Python expression; null if it is invalid, or has a construct that `Expression` lacks (comparisons,
 * lambdas, sets, f-strings, comprehensions, complex numbers, unpacking).
 */
export function parsePython(text: string): Expression | null {
  const reader = new PythonReader(text);
  try {
    return reader.whole();
  } catch (error) {
    if (error instanceof NotReadable) return null;
    throw error;
  }
}

class PythonReader extends LiteralReader {
  whole(): Expression {
    this.space();
    const value = this.sum(1);
    this.space();
    if (this.position < this.text.length) throw NOT_READABLE;
    return value;
  }

  /** Operands joined by binary operators of at least this precedence. */
  private sum(level: number): Expression {
    return this.nested(() => {
      this.space();
      // Lower precedence than all operators here.
      if (level === 1 && this.match(NOT) !== null)
        return { kind: 'unary', operator: 'not', operand: this.sum(1) };
      let left = this.signed();
      for (let links = 0; ; links++) {
        const operator = this.binaryOperator(level);
        if (operator === null) return left;
        if (links === LONGEST_CHAIN) throw NOT_READABLE;
        left = { kind: 'binary', operator, left, right: this.sum((OPERATORS.get(operator) as number) + 1) };
      }
    });
  }

  /** An operator other than `**`, which binds more tightly than a sign before it, and so belongs to the operand. */
  private binaryOperator(level: number): string | null {
    this.space();
    const before = this.position;
    const operator = this.match(BINARY);
    if (operator !== null && (OPERATORS.get(operator) as number) >= level) return operator;
    this.position = before;
    return null;
  }

  private signed(): Expression {
    this.space();
    const operator = this.match(SIGN);
    if (operator !== null) return { kind: 'unary', operator, operand: this.nested(() => this.signed()) };
    const left = this.primary();
    this.space();
    if (!this.take('**')) return left;
    return { kind: 'binary', operator: '**', left, right: this.nested(() => this.signed()) };
  }

  private primary(): Expression {
    let value = this.atom();
    for (let links = 0; ; links++) {
      if (links > LONGEST_CHAIN) throw NOT_READABLE;
      this.space();
      if (this.take('(')) value = this.call(value);
      else if (this.take('[')) value = { kind: 'subscript', value, index: this.index() };
      else if (this.match(DOT) !== null) {
        this.space();
        value = { kind: 'attribute', value, name: this.identifier() };
      } else return value;
    }
  }

  private atom(): Expression {
    this.space();
    if (this.take('...')) return { kind: 'ellipsis' };
    const quoted = this.adjacentStrings();
    if (quoted !== null) return { kind: 'constant', value: quoted };
    const number = this.match(NUMBER);
    if (number !== null) return { kind: 'constant', value: this.numeric(number) };
    if (this.take('[')) return { kind: 'list', items: this.items(']').items };
    if (this.take('(')) return this.group();
    if (this.take('{')) return this.dict();
    const word = this.match(IDENTIFIER);
    if (word === null) throw NOT_READABLE;
    const constant = CONSTANTS.get(word);
    if (constant !== undefined) return { kind: 'constant', value: constant };
    if (PYTHON_KEYWORDS.has(word)) throw NOT_READABLE;
    return { kind: 'name', id: word };
  }

  private numeric(text: string): Json {
    const digits = text.replaceAll('_', '');
    if (this.match(IDENTIFIER) !== null || digits.length > LONGEST_NUMBER) throw NOT_READABLE;
    if (/^0[xXoObB]/.test(digits)) return toNumber(String(BigInt(digits.toLowerCase())));
    if (/^\d+$/.test(digits)) {
      if (/^0\d*[1-9]/.test(digits)) throw NOT_READABLE;
      return toNumber(digits.replace(/^0+(?=\d)/, ''));
    }
    const [, int = '', fraction, exponent = ''] = /^(\d*)(?:\.(\d*))?((?:[eE][+-]?\d+)?)$/.exec(digits) ?? [];
    const whole = int.replace(/^0+(?=\d)/, '') || '0';
    return toNumber(`${whole}${fraction === undefined ? '' : `.${fraction || '0'}`}${exponent}`);
  }

  /** Concatenates adjacent strings. A backslash before a character without special meaning stays. */
  private adjacentStrings(): string | null {
    let out: string | null = null;
    for (;;) {
      this.space();
      const prefix = this.match(PREFIX);
      if (prefix === null) return out;
      out = (out ?? '') + this.string(/r/i.test(prefix));
    }
  }

  protected override slash(): string {
    return '\\/';
  }

  private identifier(): string {
    const word = this.match(IDENTIFIER);
    if (word === null || PYTHON_KEYWORDS.has(word)) throw NOT_READABLE;
    return word;
  }

  private call(callee: Expression): Expression {
    const positional: Expression[] = [];
    const keywords: [string, Expression][] = [];
    for (;;) {
      this.space();
      if (this.take(')')) return { kind: 'call', callee, positional, keywords };
      const key = this.match(KEYWORD);
      if (key === null) {
        if (keywords.length > 0) throw NOT_READABLE;
        positional.push(this.sum(1));
      } else {
        const name = key.replace(/\s*=$/, '');
        if (PYTHON_KEYWORDS.has(name)) throw NOT_READABLE;
        keywords.push([name, this.sum(1)]);
      }
      this.comma(')');
    }
  }

  private index(): Expression {
    const parts: (Expression | null)[] = [null];
    let isSlice = false;
    for (;;) {
      this.space();
      if (this.take(']')) break;
      if (this.take(':')) {
        isSlice = true;
        parts.push(null);
      } else parts[parts.length - 1] = this.sum(1);
    }
    const [lower = null, upper = null, step = null] = parts;
    if (parts.length > 3 || (!isSlice && lower === null)) throw NOT_READABLE;
    return isSlice || lower === null ? { kind: 'slice', lower, upper, step } : lower;
  }

  private group(): Expression {
    const { items, comma } = this.items(')');
    const [item] = items;
    return items.length === 1 && item !== undefined && !comma ? item : { kind: 'tuple', items };
  }

  private items(closing: string): { items: Expression[]; comma: boolean } {
    const items: Expression[] = [];
    for (let comma = false; ; ) {
      this.space();
      if (this.take(closing)) return { items, comma };
      items.push(this.sum(1));
      comma = this.comma(closing);
    }
  }

  private dict(): Expression {
    const entries: [Expression, Expression][] = [];
    for (;;) {
      this.space();
      if (this.take('}')) return { kind: 'dict', entries };
      const key = this.sum(1);
      this.space();
      if (!this.take(':')) throw NOT_READABLE;
      entries.push([key, this.sum(1)]);
      this.comma('}');
    }
  }

  /** Whether there is a comma; otherwise the closing bracket must follow. */
  private comma(closing: string): boolean {
    this.space();
    if (this.take(',')) return true;
    if (this.peek() !== closing) throw NOT_READABLE;
    return false;
  }

  /** Whitespace, line ends and comments, which may occur anywhere between brackets. */
  private space(): void {
    this.match(SPACE);
  }
}

/** Maximum links of `1 + 1 + …` or `a.b.c…`, each of which nests one level deeper. */
const LONGEST_CHAIN = 1000;
const CONSTANTS = new Map<string, Json>([
  ['True', true],
  ['False', false],
  ['None', null],
]);
const SPACE = /(?:\s|#[^\n]*|\\\n)*/y;
const BINARY = /\/\/|\*(?!\*)|[-+/%]/y;
const NOT = /not(?=[\s(])/y;
const SIGN = /[-+~]/y;
const DOT = /\.(?!\d)/y;
const PREFIX = /(?:[rRuUbB]|[rR][bB]|[bB][rR])?(?=["'])/y;
const NUMBER =
  /0[xX](?:_?[\da-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+|(?:\d(?:_?\d)*\.?(?:\d(?:_?\d)*)?|\.\d(?:_?\d)*)(?:[eE][+-]?\d(?:_?\d)*)?/y;
const IDENTIFIER = /[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{M}\p{N}_]*/uy;
const KEYWORD = /[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{M}\p{N}_]*\s*=(?!=)/uy;

/** The text of an expression in the form of Python's `ast.unparse`. */
export function unparse(expression: Expression): string {
  switch (expression.kind) {
    case 'constant': {
      // Infinity has no literal; this number overflows to it.
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
        : `${expression.operator}${operand(expression.operand, UNPARSE_SIGN)}`;
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

/** Between the precedence of arithmetic and of powers. */
const UNPARSE_SIGN = 2.5;
const HIGHEST = 4;
/** A right operand of equal precedence needs brackets, a sign does not. */
const ABOVE = 0.25;

/** Adds brackets if it binds less tightly than its context. */
function operand(expression: Expression, level: number): string {
  const text = unparse(expression);
  return binding(expression) < level ? `(${text})` : text;
}

function binding(expression: Expression): number {
  if (expression.kind === 'binary') return OPERATORS.get(expression.operator) as number;
  if (expression.kind === 'unary') return expression.operator === 'not' ? 0 : UNPARSE_SIGN;
  return HIGHEST;
}

/** An integer needs a space before the dot. */
function attributeOwner(expression: Expression): string {
  const text = operand(expression, HIGHEST);
  return expression.kind === 'constant' && /^\d+$/.test(text) ? `${text} ` : text;
}
