import { resolve } from 'node:path';
import type { Command } from 'commander';
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
  ).action((farm: string, flags: McpFlags) => {
    if (!/\/runs\/[^/]+\/?$/.test(farm)) parseListFlags(flags);
    process.stdout.write(
      `${JSON.stringify({ mcpServers: { [nameOf(flags)]: entryOf(farm, flags) } }, null, 2)}\n`,
    );
  });
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
