/** A grammar in GBNF, as a server that holds replies to it reads it. */
export class Grammar {
  readonly #rules: ReadonlyMap<string, Node>;

  /** Throws a RangeError for what is not GBNF, or names a rule that is not there. */
  constructor(text: string) {
    this.#rules = new Map(
      text.split('\n').flatMap((line): [string, Node][] => {
        if (line === '') return [];
        const [, name = '', expression = ''] = /^([A-Za-z0-9-]+) ::= (.+)$/.exec(line) ?? [];
        return [[name, new Reader(expression).whole()]];
      }),
    );
  }

  /** Whether the text is a sentence. */
  fits(text: string): boolean {
    return this.#ends(this.#rule('root'), text, 0, new Map()).has(text.length);
  }

  /** Some sentence; `draw` gives a whole number below the given one. */
  sentence(draw: (below: number) => number): string {
    return this.#write(this.#rule('root'), draw);
  }

  #rule(name: string): Node {
    const rule = this.#rules.get(name);
    if (rule === undefined) throw new RangeError(`there is no rule ${name}`);
    return rule;
  }

  /** Where a part that begins at a place may end. */
  #ends(node: Node, text: string, at: number, known: Map<string, ReadonlySet<number>>): ReadonlySet<number> {
    const each = (from: ReadonlySet<number>, inner: Node) =>
      new Set([...from].flatMap((start) => [...this.#ends(inner, text, start, known)]));
    switch (node.kind) {
      case 'text':
        return text.startsWith(node.text, at) ? new Set([at + node.text.length]) : NOWHERE;
      case 'class': {
        const [char = ''] = text.slice(at, at + 2);
        return node.pattern.test(char) ? new Set([at + char.length]) : NOWHERE;
      }
      case 'rule': {
        const key = `${node.name} ${at}`;
        const found = known.get(key) ?? this.#ends(this.#rule(node.name), text, at, known);
        known.set(key, found);
        return found;
      }
      case 'sequence':
        return node.parts.reduce<ReadonlySet<number>>(each, new Set([at]));
      case 'choice':
        return new Set(node.parts.flatMap((part) => [...this.#ends(part, text, at, known)]));
      case 'repeat': {
        let now: ReadonlySet<number> = new Set([at]);
        const all = new Set<number>(node.least === 0 ? now : []);
        for (let n = 1; n <= node.most && now.size > 0; n++) {
          now = each(now, node.part);
          if (n >= node.least) for (const end of now) all.add(end);
        }
        return all;
      }
    }
  }

  #write(node: Node, draw: (below: number) => number): string {
    switch (node.kind) {
      case 'text':
        return node.text;
      case 'class': {
        const fitting = SAMPLES.filter((char) => node.pattern.test(char));
        return fitting[draw(fitting.length)] ?? '';
      }
      case 'rule':
        return this.#write(this.#rule(node.name), draw);
      case 'sequence':
        return node.parts.map((part) => this.#write(part, draw)).join('');
      case 'choice':
        return this.#write(node.parts[draw(node.parts.length)] as Node, draw);
      case 'repeat': {
        const times = node.least + draw(Math.min(3, node.most - node.least + 1));
        return Array.from({ length: times }, () => this.#write(node.part, draw)).join('');
      }
    }
  }
}

const NOWHERE: ReadonlySet<number> = new Set();
const SAMPLES = [...'0129aBefnu"\\/ -+é😀'];

type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'class'; readonly pattern: RegExp }
  | { readonly kind: 'rule'; readonly name: string }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Node[] }
  | { readonly kind: 'repeat'; readonly part: Node; readonly least: number; readonly most: number };

const TOKEN = /\s*("(?:[^"\\]|\\.)*"|\[(?:[^\]\\]|\\.)*\]|\{\d*,?\d*\}|[A-Za-z0-9-]+|[()|*?+])/y;

class Reader {
  readonly #tokens: string[] = [];

  constructor(expression: string) {
    TOKEN.lastIndex = 0;
    let end = 0;
    for (let match = TOKEN.exec(expression); match; match = TOKEN.exec(expression)) {
      this.#tokens.push(match[1] as string);
      end = TOKEN.lastIndex;
    }
    if (end < expression.length) throw new RangeError(`${expression.slice(end)} is not GBNF`);
  }

  whole(): Node {
    const node = this.#choice();
    if (this.#tokens.length > 0) throw new RangeError(`${this.#tokens[0]} is too much`);
    return node;
  }

  #choice(): Node {
    const parts = [this.#sequence()];
    while (this.#tokens[0] === '|') {
      this.#tokens.shift();
      parts.push(this.#sequence());
    }
    return { kind: 'choice', parts };
  }

  #sequence(): Node {
    const parts: Node[] = [];
    while (this.#tokens.length > 0 && !['|', ')'].includes(this.#tokens[0] as string))
      parts.push(this.#repeated(this.#single(this.#tokens.shift() as string)));
    if (parts.length === 0) throw new RangeError('an alternative is empty');
    return { kind: 'sequence', parts };
  }

  #single(token: string): Node {
    if (token.startsWith('"')) return { kind: 'text', text: token.slice(1, -1).replace(/\\(.)/g, '$1') };
    if (token.startsWith('[')) return { kind: 'class', pattern: new RegExp(`^${token}$`, 'u') };
    if (/^[A-Za-z0-9-]+$/.test(token)) return { kind: 'rule', name: token };
    if (token !== '(') throw new RangeError(`${token} has no place here`);
    const inner = this.#choice();
    if (this.#tokens.shift() !== ')') throw new RangeError('a bracket is not closed');
    return inner;
  }

  #repeated(part: Node): Node {
    const token = this.#tokens[0] ?? '';
    const [, least, comma, most] = /^\{(\d*)(,?)(\d*)\}$/.exec(token) ?? [];
    if (!['*', '?', '+'].includes(token) && least === undefined) return part;
    this.#tokens.shift();
    if (least === undefined)
      return {
        kind: 'repeat',
        part,
        least: token === '+' ? 1 : 0,
        most: token === '?' ? 1 : Number.POSITIVE_INFINITY,
      };
    const from = Number(least);
    return {
      kind: 'repeat',
      part,
      least: from,
      most: comma === '' ? from : most ? Number(most) : Number.POSITIVE_INFINITY,
    };
  }
}
