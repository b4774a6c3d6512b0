import { type Json, toNumber } from '../../json/lossless.ts';
import { LiteralReader, NOT_READABLE, NotReadable } from '../literal-reader.ts';
import { LONGEST_NUMBER, OPERATORS } from '../operators.ts';
import type { Expression } from './expression.ts';
import { PYTHON_KEYWORDS } from './keywords.ts';

/**
 * The text as one Python expression, or null if it is none, or one with a construct that `Expression` lacks
 * (comparisons, lambdas, sets, f-strings, comprehensions, complex numbers, unpacking).
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

  /** Operands joined by binary operators that bind at least as tightly as the level. */
  private sum(level: number): Expression {
    return this.nested(() => {
      this.space();
      // It binds less tightly than all operators here.
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

  /** An operator below `**`, which binds more tightly than a sign before it, and so belongs to the operand. */
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

  /** Strings side by side are one. A backslash before another character than Python's stays. */
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

  /** Whether there is a comma; there must be one, or the closing bracket. */
  private comma(closing: string): boolean {
    this.space();
    if (this.take(',')) return true;
    if (this.peek() !== closing) throw NOT_READABLE;
    return false;
  }

  /** Blanks, line ends and comments, which may stand anywhere between brackets. */
  private space(): void {
    this.match(SPACE);
  }
}

/** Links of `1 + 1 + …` or `a.b.c…`, each of which stands one level deeper. */
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
