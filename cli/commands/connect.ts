import { resolve } from 'node:path';
import type { Command } from 'commander';
import { z } from 'zod';
import { OptionError, UserError } from '../../contracts/errors.ts';
import { packageRoot, packageVersion, ROOKERY } from '../../contracts/package-root.ts';
import { readFarm } from '../../services/base/farm.ts';
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
    .action(async (farm: string, { registry, ...flags }: McpFlags & { registry?: string }) => {
      if (!/\/runs\/[^/]+\/?$/.test(farm)) {
        if (registry === undefined && !/^https?:\/\//.test(farm)) readFarm(farm);
        const address = parseListFlags(flags);
        if (/^https?:\/\//.test(farm)) await askFor(farm.replace(/\/+$/, ''), flags);
        else if (registry === undefined) await (await import('../serve-mcp.ts')).checkList(farm, address);
      }
      if (registry !== undefined) {
        process.stdout.write(`${JSON.stringify(registryEntry(registry, farm, flags), null, 2)}\n`);
        return;
      }
      process.stdout.write(
        `${JSON.stringify({ mcpServers: { [nameOf(flags)]: entryOf(farm, flags) } }, null, 2)}\n`,
      );
    });
}

/** Checks that a served farm has what the flags name. Throws OPTION_INVALID; warns if the farm does not respond. */
async function askFor(farm: string, { db, formulation, task }: McpFlags): Promise<void> {
  const [path, flag] =
    task === undefined
      ? [`openapi/${encodeURIComponent(db ?? '')}.${formulation}.json`, '--db']
      : [`tasks/${task.split('/').map(encodeURIComponent).join('/')}`, '--task'];
  try {
    const answer = await fetch(`${farm}/${path}`, { signal: AbortSignal.timeout(ASKING_MS) });
    if (answer.status !== 404) return;
    const problem = z.object({ detail: z.string() }).safeParse(await answer.json().catch(() => null));
    throw new OptionError(flag, problem.data?.detail ?? `${farm} has no ${task ?? db}`);
  } catch (error) {
    if (error instanceof UserError) throw error;
    process.stderr.write(`${farm} does not answer, so nothing of this was checked\n`);
  }
}

const ASKING_MS = 5000;

/** The registry's rules for names and descriptions. */
const REGISTRY_NAME = /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/;
const MAX_DESCRIPTION = 100;

/** The `server.json` of a farm served at an address. Throws OPTION_INVALID. */
function registryEntry(name: string, farm: string, flags: McpFlags): object {
  if (!REGISTRY_NAME.test(name) || name.length > 200)
    throw new OptionError('--registry', `${name} is no name of a server: write <reverse domain>/<name>`);
  if (!/^https?:\/\//.test(farm))
    throw new OptionError(
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
  const [command = '', ...before] = ROOKERY.replace('run ', `--prefix ${packageRoot} run --silent `).split(
    ' ',
  );
  return { command, args: [...before, 'mcp', resolve(farm), ...args] };
}

function argumentsOf(name: string, value: unknown, { task }: McpFlags): string[] {
  const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  if (value === undefined || value === false || (name === 'formulation' && task !== undefined)) return [];
  return value === true ? [flag] : [flag, [value].flat().join(',')];
}

function addressOf(farm: string, { db, formulation, task, startTable, ...options }: McpFlags): string {
  // A run's address identifies the task, its tools and its record.
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
