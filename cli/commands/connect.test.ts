import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Command } from 'commander';
import { afterEach, expect, test, vi } from 'vitest';
import { register } from './connect.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

async function printed(...args: readonly string[]): Promise<unknown> {
  const program = new Command().exitOverride();
  register(program);
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  await program.parseAsync(['node', 'rookery', 'connect', ...args]);
  return JSON.parse(String(write.mock.calls[0]?.[0]));
}

test('a served farm is an entry of mcpServers', async () => {
  expect(await printed('http://127.0.0.1:8080/', '--db', 'shop', '--formulation', 'slot')).toEqual({
    mcpServers: { 'rookery-shop-slot': { type: 'http', url: 'http://127.0.0.1:8080/mcp/shop/slot' } },
  });
});

test.each(['0', '0%', '00'])('a list of no tools is refused: --tools %s', async (tools) => {
  const asked = printed('http://127.0.0.1:9', '--db', 'shop', '--tools', tools);
  await expect(asked).rejects.toMatchObject({ file: '--tools', code: 'OPTION_INVALID' });
});

test('what a served farm does not have is refused by its own words', async () => {
  const server = createServer((_, response) => {
    response.writeHead(404, { 'content-type': 'application/problem+json' });
    response.end(JSON.stringify({ detail: 'There is no task x/y/1/rest; did you mean x/z/1/rest?' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    await expect(printed(`http://127.0.0.1:${port}`, '--task', 'x/y/1/rest')).rejects.toThrow(
      'There is no task x/y/1/rest; did you mean x/z/1/rest?',
    );
  } finally {
    server.close();
  }
});

test('for the MCP registry it is a server.json with a remote', async () => {
  const entry = await printed('https://farm.example.org', '--db', 'shop', '--registry', 'org.example/shop');
  expect(entry).toEqual({
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: 'org.example/shop',
    description: 'shop: rest tools of a rookery farm',
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    remotes: [{ type: 'streamable-http', url: 'https://farm.example.org/mcp/shop/rest' }],
  });
});

test.each([
  [['https://farm.example.org', '--db', 'shop', '--registry', 'shop'], 'is no name of a server'],
  [['my-farm', '--db', 'shop', '--registry', 'org.example/shop'], 'is no address'],
])('%j cannot be registered', async (args, message) => {
  await expect(printed(...args)).rejects.toThrow(message);
});
