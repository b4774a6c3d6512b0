import { type Command, Option } from 'commander';
import type { FarmTasks } from '../adapters/exports.ts';
import type { FormatCommand, FormatOption } from '../adapters/format-command.ts';
import { FORMATS } from '../adapters/formats.ts';
import type { ClientTask } from '../client/index.ts';
import { startCalls } from '../contracts/tool-chain.ts';
import { startTableDefinition } from '../contracts/tools.ts';
import { priceTable } from '../eval/metrics/trajectory.ts';
import { readPrices, writeOutput } from './files.ts';
import { list, wholeNumber } from './options.ts';
import { titledTable, withProgress } from './terminal.ts';

/** Adds the commands of foreign formats to a group; if `args` name one of them, only that is loaded. */
export async function registerFormats(group: Command, args: readonly string[]): Promise<void> {
  const [of = '', name = ''] = args;
  const isNamed = ({ commands }: (typeof FORMATS)[number]) =>
    commands.some((each) => each === `${of} ${name}`);
  const isOperand = /^[^-]/.test(name) && group.registeredArguments.length > 0;
  const wanted = isOperand || FORMATS.some(isNamed) ? FORMATS.filter(isNamed) : FORMATS;
  for (const { load } of wanted) {
    for (const command of (await load()).commands) if (command.of === group.name()) register(group, command);
  }
}

function register(group: Command, command: FormatCommand): void {
  const added = group.command(command.name).description(command.description);
  for (const [name, description] of command.arguments) added.argument(name, description);
  for (const option of command.options) added.addOption(toOption(option));
  added.action(async () => {
    const {
      files,
      print = [],
      warnings = [],
    } = await withProgress(async (update) =>
      command.run(added.processedArgs, added.opts(), {
        openTasks,
        onProgress: (done, total) => update(command.of, done, total),
      }),
    );
    for (const { path, content } of files) writeOutput(path, content);
    const texts = print.map((each) => (typeof each === 'string' ? each : titledTable(each)));
    if (texts.length > 0) process.stdout.write(`${texts.join('\n\n')}\n`);
    for (const warning of warnings) process.stderr.write(`${warning}\n`);
  });
}

function toOption({ flags, description, choices, required, takes, ...rest }: FormatOption): Option {
  const option = new Option(flags, description).default(rest.default).makeOptionMandatory(required ?? false);
  if (choices) option.choices(choices);
  if (takes === 'list') option.argParser(list);
  else if (takes === 'prices') option.argParser((file) => readPrices(file, priceTable));
  else if (takes) option.argParser(wholeNumber(takes.min));
  return option;
}

async function openTasks(folder: string, only: readonly string[] | undefined): Promise<FarmTasks> {
  const [{ readFarm }, { loadFarm, offeredColumns }, { farmUniverse }] = await Promise.all([
    import('../eval/farm/read-farm.ts'),
    import('../services/index.ts'),
    import('./score/replay.ts'),
  ]);
  const { samples } = readFarm(folder);
  const { domains } = await loadFarm(folder, { only });
  const services = new Map(domains.map(({ service }) => [service.db, service]));
  return {
    samples: samples.filter(({ dataset_name }) => services.has(dataset_name)),
    universe: farmUniverse([...services.values()]),
    keysOf({ dataset_name, initialization_step }) {
      const catalog = services.get(dataset_name)?.catalog;
      const tables = startCalls(initialization_step).map((call) =>
        startTableDefinition.parse(call.arguments),
      );
      return (catalog ? offeredColumns(tables, catalog) : []).map(({ key, description, type }) => ({
        key_name: key,
        description: description ?? '',
        dtype: type,
      }));
    },
    rulesOf: ({ dataset_name }) =>
      (services.get(dataset_name)?.catalog.policies ?? []).map(({ rule }) => rule),
    async composed({ evidence, ...options }) {
      const [{ openFarmAccess }, { composeAt }, { composeParallel, composeSeveral }] = await Promise.all([
        import('./run/farm-access.ts'),
        import('../runner/harness/prepare-cell.ts'),
        import('../runner/categories/compose-parallel.ts'),
      ]);
      const farm = await openFarmAccess(folder);
      try {
        const tasks: ClientTask[] = [];
        const selected = { formulation: ['rest' as const], evidence, ...(only ? { db: [...only] } : {}) };
        for await (const task of farm.client.tasks(selected)) tasks.push(task);
        return {
          parallel: await composeAt(farm, composeParallel, tasks, options),
          parallel_multiple: await composeAt(farm, composeSeveral, tasks, options),
        };
      } finally {
        await farm.close();
      }
    },
    async statementOf({ dataset_name, query }) {
      const { lowerSqlCall } = await import('../generator/lower/lower-sql-call.ts');
      const service = services.get(dataset_name);
      if (!service) return null;
      const { catalog, reference_time: referenceTime } = service;
      const call = lowerSqlCall(query, { catalog, referenceTime });
      if (typeof call === 'string') return null;
      const tables = catalog.tables.map(
        ({ name, columns }) => `${name} (${columns.map((each) => each.name).join(', ')})`,
      );
      return { ...call, tables };
    },
  };
}
