import type { Command } from 'commander';
import { OptionError } from '../../contracts/errors.ts';
import type { FaultProfile } from '../../contracts/faults.ts';
import { shareText } from '../../contracts/hybrid.ts';
import { DEFAULT_FORMULATION, formulation } from '../../contracts/sample.ts';
import { listOptions, yesOrNo } from '../../contracts/toolset-options.ts';
import { wordIssue } from '../../contracts/wording.ts';
import { readFarm } from '../../services/base/farm.ts';
import { list, VIA_HELP } from '../options.ts';
import { serveMcp } from '../serve-mcp.ts';
import { faultOption } from '../serve-options.ts';

export interface McpFlags {
  readonly db?: string;
  readonly formulation: string;
  readonly task?: string;
  readonly startTable?: readonly string[];
  readonly share?: string;
  readonly tools?: string;
  readonly withhold?: string;
  readonly scope?: string;
  readonly distractors?: string;
  readonly via?: string;
  readonly obfuscate?: boolean;
  readonly descriptions?: string;
  readonly variant?: string;
  readonly glossary?: boolean;
  readonly documents?: boolean;
  readonly seed?: string;
}

interface McpServeFlags extends McpFlags {
  readonly faults?: FaultProfile;
}

/** Adds the tool list options, for every command that takes them. */
export function withListOptions(command: Command): Command {
  return command
    .option('--db <db>', 'the domain whose tools are offered')
    .option('--formulation <name>', formulation.options.join(', '), DEFAULT_FORMULATION)
    .option('--task <sample_id>', 'the tools of this task, and the task itself')
    .option('--start-table <handle>', 'SLOT and SEL: name the columns of this start table', list)
    .option(
      '--share <percent>',
      'hybrid: of the tables that are behind APIs (default: the first that the farm has)',
    )
    .option(
      '--tools <share>',
      'offer a share of the tools, a number, or as many as a provider takes: 25%, 10, fit:openai',
    )
    .option('--withhold <what>', 'gold: leave the tools out that the task needs')
    .option('--scope <what>', 'farm: REST tools of every domain')
    .option('--distractors <what>', 'farm: draw the other tools of a shortlist from every domain')
    .option('--via <what>', VIA_HELP)
    .option('--obfuscate', 'call the tools FUNC_n and their arguments ARG_n')
    .option('--descriptions <what>', 'keep, concise, full, drop')
    .option('--variant <how>', 'the query tool: base, rationale, per-collection, dsl')
    .option('--glossary', "offer the domain's glossary as a resource")
    .option('--documents', "offer a tool that searches the domain's glossary, rules and other documents")
    .option('--seed <n>', 'of the draw and of the names');
}

/** `rookery mcp <farm>`: an MCP server on standard input and output. */
export function register(program: Command): void {
  withListOptions(
    program
      .command('mcp')
      .description('serve a domain or a task as MCP tools over standard input and output')
      .argument('<farm>', 'folder made by `rookery generate`'),
  )
    .option('--faults <profile>', 'injected faults in calls: flaky, slow, chaos, …', faultOption)
    .action((farm: string, { faults, ...flags }: McpServeFlags) => {
      readFarm(farm);
      return serveMcp(farm, parseListFlags(flags), faults ? { faults } : {});
    });
}

/** The tool list that the flags select. Throws OPTION_INVALID. */
export function parseListFlags({ db, formulation: kind, task, startTable, share, ...rest }: McpFlags) {
  const options = listOptions.safeParse({ ...rest, obfuscate: yesOrNo.parse(rest.obfuscate ?? false) });
  if (!options.success) {
    const [issue] = options.error.issues;
    throw new OptionError(`--${issue?.path.join('.')}`, wordIssue(issue));
  }
  if (/^0+%?$/.test(options.data.tools))
    throw new OptionError('--tools', 'leaves every tool out; give a share or a number above 0');
  if (task !== undefined && share !== undefined)
    throw new OptionError('--share', 'is for a whole domain: a task has its share in its id');
  if (task !== undefined) return { subject: { task }, options: options.data };
  if (db === undefined) throw new OptionError('--db', 'say which domain, or give a --task');
  const parsed = formulation.safeParse(kind);
  if (!parsed.success)
    throw new OptionError('--formulation', `must be one of ${formulation.options.join(', ')}`);
  const hidden = shareText.optional().safeParse(share);
  if (!hidden.success) throw new OptionError('--share', wordIssue(hidden.error.issues[0]));
  const at = hidden.data === undefined ? {} : { share: hidden.data };
  return {
    subject: { db, formulation: parsed.data, start_tables: [...(startTable ?? [])], ...at },
    options: options.data,
  };
}
