import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildApp } from '../../domain/app.ts';
import { makeZoo, temporaryFolder, zooService } from '../../testing/zoo.ts';
import { llmsText } from './index-page.ts';

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

test('without tasks it omits them', () => {
  expect(llmsText([domain], false)).not.toContain('/tasks');
});

const folder = temporaryFolder();
let app: FastifyInstance;
beforeAll(async () => {
  mkdirSync(folder.path, { recursive: true });
  writeFileSync(join(folder.path, 'console.js'), 'let a;');
  writeFileSync(join(folder.path, 'console.css'), 'p {}');
  writeFileSync(join(folder.path, 'mark.svg'), '<svg/>');
  writeFileSync(join(folder.path, 'secret.txt'), 'secret');
  const database = join(folder.path, 'zoo.sqlite');
  makeZoo(database);
  app = await buildApp({
    domains: [{ service: zooService([]), database }],
    logger: false,
    console: folder.path,
  });
});
afterAll(async () => {
  await app.close();
  folder.remove();
});
const browser = { accept: 'text/html,*/*;q=0.8' };

test('serves the console with a strict CSP to browsers, and JSON to programs', async () => {
  const page = await app.inject({ url: '/', headers: browser });
  expect(page.statusCode).toBe(200);
  const policy = String(page.headers['content-security-policy']);
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'");
  expect(policy).not.toMatch(/unsafe|\*|http|sha256/);
  const files = [...page.body.matchAll(/(?:src|href)="(\/console\/[^"]+)"/g)].map(([, path]) => path ?? '');
  expect(files.length).toBe(3);
  for (const path of files) expect((await app.inject(path)).statusCode, path).toBe(200);
  // Anything that the CSP would block.
  expect(page.body).not.toMatch(/<style|style=|<script(?![^>]* src=)|https?:/);
  expect((await app.inject('/')).json()).toMatchObject({ name: 'rookery' });
});

test('lists the domains without JavaScript', async () => {
  const page = await app.inject({ url: '/', headers: browser });
  expect(page.body).toMatch(/<noscript>.*\/v1\/test\/zoo.*<\/noscript>/s);
});

test('revalidates files by ETag, and serves nothing else of the folder', async () => {
  const script = await app.inject('/console/console.js');
  expect([script.body, script.headers['content-type']]).toEqual(['let a;', 'text/javascript; charset=utf-8']);
  const headers = { 'if-none-match': script.headers.etag };
  expect((await app.inject({ url: '/console/console.js', headers })).statusCode).toBe(304);
  for (const path of ['secret.txt', '..%2Fpackage.json', 'constructor', '__proto__'])
    expect((await app.inject(`/console/${path}`)).statusCode, path).toBe(404);
});
