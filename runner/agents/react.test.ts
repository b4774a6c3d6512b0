import { expect, test } from 'vitest';
import { readTurn } from './react.ts';

test.each<[string, string, object]>([
  [
    'an action',
    'Thought: x\nAction: get_a\nAction Input: {"a": 1}',
    { kind: 'action', name: 'get_a', input: '{"a": 1}' },
  ],
  [
    'an input over several lines, up to its last bracket',
    'Action: f\nAction Input: {\n "a": "}",\n "b": {}\n}\nObservation: mine',
    { kind: 'action', name: 'f', input: '{\n "a": "}",\n "b": {}\n}' },
  ],
  [
    'a fenced input',
    'Action: f\nAction Input: ```json\n{"a": 1}\n```',
    { kind: 'action', input: '{"a": 1}' },
  ],
  ['the first of several actions', 'Action: f\nAction Input: {}\nAction: g\nAction Input: {}', { name: 'f' }],
  ['an answer', ' I know.\nFinal Answer: [[1, 2]]', { kind: 'answer', text: '[[1, 2]]' }],
  ['an answer before an action', 'Final Answer: 3\nAction: f\nAction Input: {}', { kind: 'answer' }],
  [
    'an action before an answer that it made up',
    'Action: f\nAction Input: {}\nObservation: 3\nFinal Answer: 3',
    { kind: 'action' },
  ],
  ['a name in quotes and stars', '**Action:** `f`\nAction Input: {}', { kind: 'action', name: 'f' }],
  [
    'an input that is not an object, to be reported',
    'Action: f\nAction Input: 5 apples',
    { input: '5 apples' },
  ],
  ['an action without an input', 'Action: f', { kind: 'nothing' }],
  ['neither', 'Let me think.', { kind: 'nothing' }],
])('reads %s', (_, text, expected) => {
  expect(readTurn(text)).toMatchObject(expected);
});
