import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { quoteYaml } from './quote-yaml.ts';

/** As Compose does: `$$` is a dollar, and any other dollar begins a variable. */
function interpolate(text: string): string {
  return text.replace(/\$(\$?)/g, (_, second: string) => {
    if (second === '') throw new Error('a variable');
    return '$';
  });
}

test('Compose reads back any text, dollars and quotes included', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[$"'\\{}#:\n -]{0,12}$/));
  fc.assert(
    fc.property(text, (given) => {
      expect(interpolate(parse(quoteYaml(given)) as string)).toBe(given);
    }),
  );
});

test.each(['true', '1.0', 'null', '- a', 'a: b', '# note', '', '${HOME}', '$$'])(
  '%j stays a text',
  (given) => {
    expect(interpolate(parse(quoteYaml(given)) as string)).toBe(given);
  },
);
