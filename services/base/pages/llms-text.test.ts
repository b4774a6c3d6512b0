import { expect, test } from 'vitest';
import { llmsText } from './llms-text.ts';

const domain = {
  split: 'test',
  db: 'films',
  title: 'Films [old]\nand new',
  endpoints: 3,
  start_tables: 1,
  base: '/v1/test/films',
  openapi: { rest: '/openapi/films.rest.json', slot: '/openapi/films.slot.json' },
  docs: {},
};

test('has a title, a summary, and a link to each document', () => {
  const text = llmsText([domain], true);
  expect(text).toMatch(/^# rookery\n\n> 3 read-only HTTP endpoints in 1 domain/);
  expect(text).toContain(
    '- [Films \\[old\\] and new: rest](/openapi/films.rest.json): OpenAPI of films, 3 endpoints\n',
  );
  expect(text).toContain('](/openapi/films.slot.json)');
  expect(text).toContain('](/tasks)');
});

test('without tasks it names none', () => {
  expect(llmsText([domain], false)).not.toContain('/tasks');
});
