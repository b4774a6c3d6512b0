import { describe, expect, test } from 'vitest';
import { parsePython, unparse } from '../../adapters/bfcl/python.ts';
import { fc, runs } from '../../tests/support/random-input.ts';
import { type CallElement, isMalformed } from '../calls/calls.ts';
import type { ToolSchema } from '../calls/tool-universe.ts';
import { isNumber, numberText } from '../json/lossless.ts';
import type { OfferedTools } from './call-syntax.ts';
import { parseLenient, parseStrict } from './lenient.ts';

const show = (call: CallElement): string => {
  if (isMalformed(call)) return 'malformed';
  const args = Object.entries(call.arguments).map(
    ([k, v]) => `${k}=${isNumber(v) ? numberText(v) : JSON.stringify(v)}`,
  );
  return `${call.label === null ? '' : `${call.label}:`}${call.name}(${args.join(',')})`;
};
const lenient = (text: string) => {
  const parsed = parseLenient(text);
  return parsed === null ? null : [parsed.rung, ...parsed.calls.map(show)];
};
const strict = (text: string) => {
  const parsed = parseStrict(text);
  return parsed === null ? null : [parsed.rung, ...parsed.calls.map(show)];
};

const F = '{"name":"f","arguments":{"a":1.0}}';
const G = '{"name":"g","arguments":{"b":"x"},"label":"$G$"}';
const F_TEXT = 'f(a=1.0)';
const G_TEXT = 'G:g(b="x")';

describe('strict', () => {
  test.each([
    [`[${F},${G}]`, ['json', F_TEXT, G_TEXT]],
    [` [${F}]\n`, ['json', F_TEXT]],
    ['[]', ['json']],
    [`[${F},"g"]`, null],
    ['[{"name":"f","parameters":{"a":1.0}}]', null],
    ['[{"f":{"a":1.0}}]', null],
    ['[{"tool_name":"f","parameters":{"a":1.0}}]', null],
    ['[{"name":"f","arguments":"{\\"a\\":1.0}"}]', null],
    ['[{}]', null],
    [
      '[{"type":"reasoning","summary":[]},{"type":"function_call","call_id":"1","name":"f","arguments":"{\\"a\\":1.0}"}]',
      ['native', F_TEXT],
    ],
    [
      `[{"id":"1","type":"function","function":{"name":"f","arguments":"{\\"a\\":1.0}"}}]`,
      ['native', F_TEXT],
    ],
    [
      `{"role":"assistant","content":null,"tool_calls":[{"type":"function","function":{"name":"f","arguments":"{\\"a\\":1.0}"}}]}`,
      ['native', F_TEXT],
    ],
    [
      `{"content":[{"type":"text","text":"ok"},{"type":"tool_use","id":"1","name":"f","input":{"a":1.0}}]}`,
      ['native', F_TEXT],
    ],
    [F, null],
    [`Sure: [${F}]`, null],
    [`\`\`\`json\n[${F}]\n\`\`\``, null],
    [`${F}\n${G}`, null],
    ['f(a=1.0)', null],
    ['', null],
    ['"f"', null],
  ])('%s', (text, expected) => {
    expect(strict(text)).toEqual(expected);
  });
});

describe('the ladder', () => {
  test.each<[string, string, string[] | null]>([
    ['a JSON list', `[${F},${G}]`, ['json', F_TEXT, G_TEXT]],
    ['one JSON call', F, ['json', F_TEXT]],
    ['an empty list', '[]', ['json']],
    ['a list of something else', '[1,2]', ['json', 'malformed', 'malformed']],
    ['a list inside an object', `{"tool_calls":[${F}]}`, ['json', F_TEXT]],
    ['parameters instead of arguments', '[{"name":"f","parameters":{"a":1.0}}]', ['json', F_TEXT]],
    ['arguments as text', '[{"name":"f","arguments":"{\\"a\\":1.0}"}]', ['json', F_TEXT]],
    ['a ReACT action', '{"thought":"…","action":"f","action_input":{"a":1.0}}', ['json', F_TEXT]],
    ["BFCL's own form", '[{"f":{"a":1.0}}]', ['json', F_TEXT]],
    [
      'an OpenAI message',
      '{"tool_calls":[{"function":{"name":"f","arguments":"{\\"a\\":1.0}"}}]}',
      ['native', F_TEXT],
    ],
    ['a clean list of another spelling', '[{"tool_name":"f","parameters":{"a":1.0}}]', ['json', F_TEXT]],
    ['a list of calls as texts', '["f(a=1.0)", "g(b=\'x\')"]', ['json', F_TEXT, 'g(b="x")']],
    ['a list that says why nothing is called', '["No function applies"]', ['json']],
    ['a list of an empty object', '[{}]', ['json']],
    ['an empty list in a fence', 'None fits.\n```json\n[]\n```', ['fenced']],
    [
      'an empty list in a fence, then a call',
      `\`\`\`\n[]\n\`\`\`\n<tool_call>${F}</tool_call>`,
      ['xml', F_TEXT],
    ],
    [
      'names of other scripts',
      '[получить_погоду(город="Осло")]',
      ['call_syntax', 'получить_погоду(город="Осло")'],
    ],
    ['names with marks', 'मौसम(शहर="Oslo")', ['call_syntax', 'मौसम(शहर="Oslo")']],
    [
      'arithmetic',
      'f(a=2*3, b=1/4, c=-7//2, d=2**10, e="a"+"b", g=(1+2)*3)',
      ['call_syntax', 'f(a=6,b=0.25,c=-4,d=1024,e="ab",g=9)'],
    ],
    [
      'raw and joined texts',
      `f(a=r'\\d+', b="x" 'y', c=b'z', d=0x1F)`,
      ['call_syntax', 'f(a="\\\\d+",b="xy",c="z",d=31)'],
    ],
    ['keys without quotes', 'f(a={1: 2, x: 3})', ['call_syntax', 'f(a={"1":2,"x":3})']],
    ['a bracketed value', 'f(a=(1), b=(1,))', ['call_syntax', 'f(a=1,b=[1])']],
    ['a date without quotes', 'f(a=2024-01-05)', ['call_syntax', 'f(a="2024-01-05")']],
    [
      'whole numbers of 64 bits',
      '[{"name":"f","arguments":{"a":9007199254740993,"b":1e400}},]',
      ['python_literal', 'f(a=9007199254740993,b=1e400)'],
    ],
    ['the same in calls', 'f(a=9007199254740993, b=1e400)', ['call_syntax', 'f(a=9007199254740993,b=1e400)']],
    [
      'a thought never closed',
      `<think>Perhaps [${G}], no: ${G}. I will use f.\n[${F}]`,
      ['json_in_text', F_TEXT],
    ],
    ['a thought that breaks off', `<think>Perhaps [${G}] or`, null],
    ['a call before a thought never closed', `[${F}]<think>Was [${G}] better`, ['json', F_TEXT]],
    [
      'a call by its own token in a thought never closed',
      `<think>Now.\n<tool_call>\n${F}\n</tool_call>`,
      ['xml', F_TEXT],
    ],
    ['tokens of a chat template', `<|im_start|>assistant\n[${F}]<|im_end|>\n`, ['json', F_TEXT]],
    ['tokens behind calls', '[f(a=1.0)]<|eot_id|>', ['call_syntax', F_TEXT]],
    ['JSON lines', `${F}\n\n${G}`, ['jsonl', F_TEXT, G_TEXT]],
    ['a fence', `Here:\n\`\`\`json\n[${F},${G}]\n\`\`\`\nDone.`, ['fenced', F_TEXT, G_TEXT]],
    ['a fence that never closes', `\`\`\`\n[${F}]`, ['fenced', F_TEXT]],
    [
      'several fences, one call each',
      `\`\`\`\n${F}\n\`\`\`\nthen\n\`\`\`\n${G}\n\`\`\``,
      ['fenced', F_TEXT, G_TEXT],
    ],
    [
      'a corrected list: the last counts',
      `\`\`\`\n[${G}]\n\`\`\`\nNo:\n\`\`\`\n[${F}]\n\`\`\``,
      ['fenced', F_TEXT],
    ],
    ['a fence of Python', "```python\n[{'name': 'f', 'arguments': {'a': 1.0}}]\n```", ['fenced', F_TEXT]],
    ['a fence of calls', '```python\nx = f(a=1.0)\ng(b="x")\n```', ['fenced', `x:${F_TEXT}`, 'g(b="x")']],
    [
      'tool_call elements',
      `<tool_call>\n${F}\n</tool_call>\n<tool_call>${G}</tool_call>`,
      ['xml', F_TEXT, G_TEXT],
    ],
    ['a tool_call that never closes', `ok <tool_call>${F}`, ['xml', F_TEXT]],
    ['a function element', '<function=f>{"a":1.0}</function>', ['xml', F_TEXT]],
    [
      'a function element that holds a number',
      '<function=f>1e1</function> <function=f>{}',
      ['xml', 'malformed', 'f()'],
    ],
    ['a function element that holds only a number', '<function=f>1e1', null],
    [
      'parameter elements',
      '<tool_call><function=f><parameter=a>\n1.0\n</parameter><parameter=s>a < b</parameter></function></tool_call>',
      ['xml', 'f(a=1.0,s="a < b")'],
    ],
    ['invoke elements', '<invoke name="f"><parameter name="a">1.0</parameter></invoke>', ['xml', F_TEXT]],
    ['JSON in prose', `I will call [${F}] now.`, ['json_in_text', F_TEXT]],
    ['single calls in prose', `First ${F}, then ${G}.`, ['json_in_text', F_TEXT, G_TEXT]],
    ['other brackets in prose', `As [1] says, {"x": {"y": 1}} and [${F}]`, ['json_in_text', F_TEXT]],
    [
      'a Python list',
      "[{'name': 'f', 'arguments': {'a': 1.0, 'ok': True, 'none': None, 't': (1, 2,)}}]",
      ['python_literal', 'f(a=1.0,ok=true,none=null,t=[1,2])'],
    ],
    [
      'Python numbers',
      "[{'name': 'f', 'arguments': {'a': 1_000, 'b': .5, 'c': 1., 'd': +2, 'e': -1e3}}]",
      ['python_literal', 'f(a=1000,b=0.5,c=1.0,d=2,e=-1e3)'],
    ],
    ['a trailing comma', `[${F},]`, ['python_literal', F_TEXT]],
    ['calls in a list', '[f(a=1.0), g(b="x")]', ['call_syntax', F_TEXT, 'g(b="x")']],
    ['calls in a list over lines', '[\n  f(a=1.0),\n  g(b="x"),\n]', ['call_syntax', F_TEXT, 'g(b="x")']],
    ['one call', 'f(a=1.0)', ['call_syntax', F_TEXT]],
    ['a call over lines', 'f(\n  a=1.0,\n  b=[1, 2],\n)', ['call_syntax', 'f(a=1.0,b=[1,2])']],
    ['a call without arguments', 'f()', ['call_syntax', 'f()']],
    ['dotted and dashed names', 'a.b.f(x=1)\nget-it(x=1)', ['call_syntax', 'a.b.f(x=1)', 'get-it(x=1)']],
    [
      'labels and references',
      'x = f(a=1.0)\ny = g(data=x, n=2)',
      ['call_syntax', `x:${F_TEXT}`, 'y:g(data="$x$",n=2)'],
    ],
    [
      'nested calls',
      'g(data=f(a=1.0), n=h(z=2))',
      ['call_syntax', `call_1:${F_TEXT}`, 'call_2:h(z=2)', 'g(data="$call_1$",n="$call_2$")'],
    ],
    [
      'a nested call that stands twice',
      'g(data=f(a=1.0))\nh(data=f(a=1.0))',
      ['call_syntax', `call_1:${F_TEXT}`, 'g(data="$call_1$")', 'h(data="$call_1$")'],
    ],
    ['a list with numbers and dots', '1. `f(a=1.0)`\n2. `g(b="x")`.', ['call_syntax', F_TEXT, 'g(b="x")']],
    ['calls on lines between prose', 'I call\nf(a=1.0)  # first\nand that is it.', ['call_syntax', F_TEXT]],
    ['a word without quotes', 'f(county=Alameda, ok=True)', ['call_syntax', 'f(county="Alameda",ok=true)']],
    ['thoughts before the answer', `<think>maybe [${G}]</think>[${F}]`, ['json', F_TEXT]],
    ['prose', 'I cannot help with that (sorry).', null],
    ['prose that mentions a call', 'You could use f(a=1) for this.', null],
    ['a definition', 'def f(a=1):\n  return a', null],
    ['data in prose', 'The row is {"name": "John", "age": 3} and [1, 2].', null],
    ['nothing', '', null],
    ['positional arguments only', 'print(x)', null],
  ])('%s', (_, text, expected) => {
    expect(lenient(text)).toEqual(expected);
  });

  test('strings and keys survive with escapes and other scripts', () => {
    expect(lenient(`f(a='it\\'s', b="\\u00e9\\n", c='''x"y''', d='日本')`)).toEqual([
      'call_syntax',
      'f(a="it\'s",b="é\\n",c="x\\"y",d="日本")',
    ]);
  });

  test('a strict output reads the same on the ladder', () => {
    const value = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
    );
    const call = fc.record({ name: fc.string(), arguments: fc.dictionary(fc.string(), value) });
    fc.assert(
      fc.property(fc.array(call, { minLength: 1 }), (calls) => {
        const text = JSON.stringify(calls);
        expect(parseLenient(text)?.calls).toEqual(parseStrict(text)?.calls);
      }),
    );
  });
});

describe('with the tools offered', () => {
  const tools: OfferedTools = new Map<string, ToolSchema>([
    ['f', { required: ['a'], properties: { a: { type: 'string' }, n: { type: ['integer', 'null'] } } }],
    ['g.call', { required: [], properties: {} }],
    ['search', { required: ['q'], properties: { q: { type: 'string' } } }],
  ]);
  test.each<[string, string, string[] | null]>([
    ['positional arguments take the names of the parameters', 'f("x", 2)', ['f(a="x",n=2)']],
    ['positional and named arguments', 'f("x", n=2)', ['f(a="x",n=2)']],
    [
      'nested calls with positional arguments',
      'f(search("cat"), 2)',
      ['call_1:search(q="cat")', 'f(a="$call_1$",n=2)'],
    ],
    ['more positions than parameters', 'search(q="x")\nsearch("x", "y")', ['search(q="x")', 'malformed']],
    ['a name in a namespace', '[{"name":"functions.f","arguments":{}}]', ['f()']],
    ['a name that is offered as it is', 'g.call()', ['g.call()']],
    ['a name that is not offered', 'functions.other()', ['functions.other()']],
    [
      'a bare text for a text',
      '<function=f><parameter=a>007</parameter><parameter=n>7</parameter>',
      ['f(a="007",n=7)'],
    ],
    [
      'a single input for the only parameter',
      'Action: search\nAction Input: black cats',
      ['search(q="black cats")'],
    ],
    ['a bracketed input', 'Action: search[black cats]', ['search(q="black cats")']],
  ])('%s', (_, text, expected) => {
    expect(parseLenient(text, tools)?.calls.map(show) ?? null).toEqual(expected);
  });
});

describe('any text', () => {
  const piece = fc.constantFrom(
    '[',
    ']',
    '{',
    '}',
    '(',
    ')',
    '"',
    "'",
    "'''",
    '```',
    '```json\n',
    '\n',
    ',',
    ':',
    '=',
    '\\',
    '\\u',
    '\\x4',
    '1',
    '.5',
    '1e',
    '-',
    '_',
    'f(',
    'a=',
    'x = ',
    'name',
    '"name":',
    '"arguments":',
    '<tool_call>',
    '</tool_call>',
    '<function=f>',
    '<invoke name="',
    '<parameter=a>',
    'True',
    'null',
    '5.0',
    '1e1',
    '-0',
    ' ',
    '\t',
    '\r\n',
    '`',
    '- ',
    '1. ',
    '</think>',
    '__proto__',
    '"__proto__":',
    'é',
    '日',
    '\u0000',
    '\ud800',
    F,
    G,
    '$A$',
    '[[[[[[',
    '{{{{',
    '<think>',
    '<|eot_id|>',
    '[TOOL_CALLS]',
    '[ARGS]',
    '<｜tool▁call▁begin｜>',
    '<｜tool▁sep｜>',
    '<｜DSML｜invoke name="f">',
    '<｜DSML｜parameter name="a">',
    '<|tool_call_begin|>',
    '<|tool_call_argument_begin|>',
    '<|start|>assistant to=f',
    '<|message|>',
    '<arg_key>a</arg_key>',
    '<arg_value>',
    '<|tool_call>call:f{',
    '<|"|>',
    '<start_function_call>call:f{',
    '<escape>',
    '\n>>>f\n',
    '✿FUNCTION✿: f',
    '✿ARGS✿: ',
    '<tool_name>',
    '<parameters>',
    '<functions><function name="f">',
    '<param name="a" type="integer"',
    '/>',
    '\nAction: f\n',
    'Action Input: ',
    '*',
    '**',
    '%',
    "r'",
    'print(',
  );
  const soup = fc
    .array(fc.oneof({ weight: 5, arbitrary: piece }, { weight: 1, arbitrary: fc.string() }), {
      maxLength: 80,
    })
    .map((parts) => parts.join(''));

  test('does not crash the parsers, and gives well-formed elements', () => {
    fc.assert(
      fc.property(soup, (text) => {
        for (const parsed of [parseStrict(text), parseLenient(text)]) {
          for (const call of parsed?.calls ?? []) {
            if (isMalformed(call)) continue;
            expect(typeof call.name).toBe('string');
            expect(Object.getPrototypeOf(call.arguments)).toBe(Object.prototype);
          }
        }
      }),
      { numRuns: runs(5000) },
    );
  });

  test('takes twice the work for twice the text, whatever it is', () => {
    const hostile = [
      '[',
      '{',
      '(',
      '"',
      "'",
      '[{',
      '{"a":',
      '[f(',
      'f(',
      'f(a=',
      'f(a=[',
      'f(a="',
      '```',
      '```json\n[',
      '<tool_call>',
      '<tool_call>{',
      '<function=f>',
      '<invoke name="f">',
      '<parameter=a>',
      '\n',
      ' ',
      '\\',
      '"\\',
      'a',
      'a.',
      '1',
      '1_',
      '-',
      ',',
      '[1,',
      '{"a":1,',
      'x = ',
      'x = f(a=x), ',
      '`',
      '</think>',
      '<invoke name="',
      '<invoke ',
      "['",
      '[[]',
      '{}',
      '[{"name":"f","arguments":{}}',
      '$a$',
      '0',
      '.',
      '.0',
      '1.',
      '\u0000',
      'f(a=1)\n',
      '[f(a=1),\n',
      'Action: ',
      'Action: f\n',
      'Action: f\nAction Input: {',
      '[TOOL_CALLS]',
      '[TOOL_CALLS]a',
      '[ARGS]',
      '<｜tool▁call▁begin｜>',
      '<｜DSML｜invoke name="f">',
      '<｜DSML｜parameter name="a">',
      '<|tool_call_begin|>',
      '<|tool_call_begin|>f<|tool_call_argument_begin|>',
      '<|start|>',
      '<|message|>',
      '<|channel|>a<|message|>',
      '<arg_key>',
      '<tool_call>f<arg_key>a</arg_key><arg_value>',
      '<|tool_call>call:f{',
      '<|tool_call>call:f{a:',
      '<start_function_call>call:f{a:<escape>',
      '\n>>>f\n',
      '<|recipient|>f',
      '✿FUNCTION✿: f',
      '✿ARGS✿',
      '<tool_name>f',
      '<parameters><a>',
      '<functions><function name="f"><param name="a">',
      '<param name="a" ',
      '<think>',
      '<think>[',
      '<|eot_id|>',
      ' <|eot_id|>',
      '2*',
      'f(a=2*3, ',
      'f(a=2**',
      "f(a='x' ",
      "r'",
      'await ',
      'print(',
      'print(f(',
      '1:',
      '{a:',
      '{"name":',
      '<function=a>',
      '```x',
      '<param a="" ',
      ']',
      '9**99*',
    ];
    const between: readonly (readonly [string, string, string])[] = [
      ['Action: a', ' ', '!b'],
      ['[TOOL_CALLS]a[CALL_ID]', ' ', '!'],
      ['✿FUNCTION✿: f ✿ARGS✿: {', ' ', 'x'],
      ['[', '[1]+', '[1]]'],
      ['[', '9*', '1]'],
      ['[0x', 'f', ']'],
      ['[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[', '1,', ''],
    ];
    const texts = [...hostile.map((unit) => ['', unit, ''] as const), ...between];
    for (const [before, unit, after] of texts) {
      const textOf = (size: number) => before + unit.repeat(Math.ceil(size / unit.length)) + after;
      // Eight times the text: three doublings, each of which may take 2.5 times the work.
      const [short, long] = [textOf(8000), textOf(64_000)];
      const measure = () => {
        const small = Math.max(
          ...[1, 2, 3]
            .map(() => workOn(short))
            .sort((a, b) => a - b)
            .slice(0, 2),
          2000,
        );
        const large = Math.min(workOn(long), workOn(long));
        return { small, large, growth: large / small };
      };
      let measured = measure();
      // Garbage collection falls on either; what grows faster than its text does so every time.
      for (let n = 0; n < 3 && measured.growth >= 2.5 ** 3; n++) measured = measure();
      const { small, large, growth } = measured;
      const named = `${JSON.stringify(before)} and ${JSON.stringify(unit)} repeated: ${small} and ${large} µs`;
      expect(growth, named).toBeLessThan(2.5 ** 3);
    }
  });

  /** Microseconds of the processor; other processes on the machine do not count. */
  function workOn(text: string): number {
    const started = process.cpuUsage();
    parseStrict(text);
    parseLenient(text);
    const expression = parsePython(text);
    if (expression !== null) unparse(expression);
    const { user, system } = process.cpuUsage(started);
    return user + system;
  }

  test('a few characters never produce a value that is too large to walk', () => {
    const nested = `${'['.repeat(9)}0${']*300'.repeat(9)}`;
    expect(lenient(`[f(a=${nested})]`)).toBeNull();
    expect(lenient('[f(a=((9**999)**999)**999)]')).toBeNull();
    expect(lenient('[f(a=[0]*100)]')).toEqual(['call_syntax', expect.stringContaining('f(a=[0,0,')]);
  });
});
