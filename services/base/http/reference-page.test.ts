import { expect, test } from 'vitest';
import { emitReference } from './reference-page.ts';

const document = {
  info: { title: 'Films', description: 'Two endpoints' },
  tags: [
    { name: 'film', description: 'Films <shown>' },
    { name: 'unused', description: 'Nothing' },
  ],
  paths: {
    '/v1/films/{id}': {
      get: {
        operationId: 'get_film',
        tags: ['film'],
        summary: 'A film by "id"',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
          { name: 'tags', in: 'query', schema: { type: 'array' }, description: 'Its tags' },
          { $ref: '#/components/parameters/limit' },
        ],
        responses: {
          200: { description: 'The film.', content: { 'application/json': { schema: { type: 'object' } } } },
          default: { $ref: '#/components/responses/Problem' },
        },
      },
    },
    '/v1/films': {
      post: {
        operationId: 'find_films',
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Search' } } } },
      },
    },
  },
  components: {
    parameters: {
      limit: {
        name: 'limit',
        in: 'query',
        schema: { type: 'integer', default: 100 },
        description: 'At most',
      },
    },
    responses: { Problem: { description: 'What went wrong' } },
    schemas: {
      Search: {
        type: 'object',
        required: ['words', 'kinds', 'page'],
        properties: {
          words: { type: 'string' },
          kinds: { type: 'array', items: { type: 'string' } },
          page: { anyOf: [{ $ref: '#/components/schemas/Page' }, { type: 'null' }] },
          rare: { type: 'string' },
        },
      },
      Page: { type: 'object', required: ['size'], properties: { size: { type: 'integer', default: 20 } } },
    },
  },
};

test('groups operations by tag, resolves references and escapes HTML', () => {
  const page = emitReference('Films', '/openapi/films.rest.json', document as never);
  expect(page).toContain('<p class="quiet">Films &lt;shown&gt;</p>');
  expect(page).not.toContain('unused');
  expect(page).toContain('<code>/v1/films/{id}</code> A film by &quot;id&quot;</summary>');
  expect(page).toContain('<code>id</code> <span>integer, required. </span><input name="id" data-in="path"');
  expect(page).toContain('<textarea name="tags" data-in="query" data-list');
  expect(page).toContain('<code>limit</code> <span>integer. At most</span>');
  expect(page).toContain('<code>default</code> What went wrong</p>');
  expect(page.indexOf('<h2>film</h2>')).toBeLessThan(page.indexOf('<h2>Operations</h2>'));
});

test('prefills a body with its required properties', () => {
  const page = emitReference('Films', '/openapi/films.rest.json', document as never);
  const [, body = ''] = /<textarea name="body"[^>]*>([^<]*)/.exec(page) ?? [];
  expect(JSON.parse(body.replaceAll('&quot;', '"'))).toEqual({ words: '', kinds: [], page: { size: 20 } });
});

test('renders a document without operations', () => {
  expect(emitReference('Films', '/openapi/films.rest.json', {})).toContain('<h1>Films</h1>');
});
