import { resolve } from 'node:path';
import type { Command } from 'commander';
import { UserError } from '../../contracts/errors.ts';
import { packageVersion } from '../../contracts/package-root.ts';
import { type McpFlags, parseListFlags, withListOptions } from './mcp.ts';

/** `rookery connect <farm or address>`: prints the configuration of an MCP client. */
export function register(program: Command): void {
  withListOptions(
    program
      .command('connect')
      .description('print the mcpServers entry that points an MCP client at a farm')
      .argument(
        '<farm>',
        'folder of a farm (over standard input and output), or the address of a served one',
      ),
  )
    .option(
      '--registry <name>',
      'print a server.json of the MCP registry under this name, such as io.github.me/my-farm',
    )
    .action((farm: string, { registry, ...flags }: McpFlags & { registry?: string }) => {
      if (!/\/runs\/[^/]+\/?$/.test(farm)) parseListFlags(flags);
      if (registry !== undefined) {
        process.stdout.write(`${JSON.stringify(registryEntry(registry, farm, flags), null, 2)}\n`);
        return;
      }
      process.stdout.write(
        `${JSON.stringify({ mcpServers: { [nameOf(flags)]: entryOf(farm, flags) } }, null, 2)}\n`,
      );
    });
}

/** What the registry takes of a name and of a description. */
const REGISTRY_NAME = /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/;
const MAX_DESCRIPTION = 100;

/** The `server.json` of a farm that is served at an address. Throws OPTION_INVALID. */
function registryEntry(name: string, farm: string, flags: McpFlags): object {
  if (!REGISTRY_NAME.test(name) || name.length > 200)
    throw new UserError(
      'OPTION_INVALID',
      '--registry',
      `${name} is no name of a server: write <reverse domain>/<name>`,
    );
  if (!/^https?:\/\//.test(farm))
    throw new UserError(
      'OPTION_INVALID',
      '--registry',
      `${farm} is no address: the registry lists servers that anybody can reach`,
    );
  const { db, formulation, task } = flags;
  const description =
    task === undefined ? `${db}: ${formulation} tools of a rookery farm` : `Tools of ${task}`;
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name,
    description: description.slice(0, MAX_DESCRIPTION),
    version: packageVersion,
    remotes: [{ type: 'streamable-http', url: addressOf(farm.replace(/\/+$/, ''), flags) }],
  };
}

function nameOf({ db, formulation, task }: McpFlags): string {
  return `rookery-${task ?? `${db}-${formulation}`}`.replace(/[^A-Za-z0-9_-]+/g, '-');
}

function entryOf(farm: string, flags: McpFlags): object {
  if (/^https?:\/\//.test(farm)) return { type: 'http', url: addressOf(farm.replace(/\/+$/, ''), flags) };
  const args = Object.entries(flags).flatMap(([name, value]) => argumentsOf(name, value, flags));
  return { command: 'rookery', args: ['mcp', resolve(farm), ...args] };
}

function argumentsOf(name: string, value: unknown, { task }: McpFlags): string[] {
  const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  if (value === undefined || value === false || (name === 'formulation' && task !== undefined)) return [];
  return value === true ? [flag] : [flag, [value].flat().join(',')];
}

function addressOf(farm: string, { db, formulation, task, startTable, ...options }: McpFlags): string {
  // The address of a run is enough: it identifies the task, its tools and its record.
  if (/\/runs\/[^/]+$/.test(farm)) return `${farm}/mcp`;
  const path =
    task === undefined
      ? `${encodeURIComponent(db ?? '')}/${formulation}`
      : `tasks/${task.split('/').map(encodeURIComponent).join('/')}`;
  const query = new URLSearchParams();
  if (startTable?.length) query.set('start_table', startTable.join(','));
  for (const [name, value] of Object.entries(options))
    if (value !== undefined) query.set(name, String(value));
  return `${farm}/mcp/${path}${query.size > 0 ? `?${query}` : ''}`;
}
