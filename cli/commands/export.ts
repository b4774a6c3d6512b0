import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { stringify } from 'lossless-json';
import { exportBfcl } from '../../adapters/bfcl/export.ts';
import type { ExportedFile } from '../../adapters/exports.ts';
import { exportHarbor } from '../../adapters/harbor/harbor.ts';
import { exportInspect } from '../../adapters/inspect/inspect.ts';
import { inspectLog } from '../../adapters/inspect/inspect-log.ts';
import { exportLiveApiBench, type NativeKey } from '../../adapters/live-api-bench.ts';
import { exportPromptfoo } from '../../adapters/promptfoo/promptfoo.ts';
import { exportVakra } from '../../adapters/vakra.ts';
import { UserError } from '../../contracts/errors.ts';
import { FORMULATIONS, OF_EVERY_QUESTION } from '../../contracts/formulations.ts';
import type { Formulation, Sample } from '../../contracts/sample.ts';
import { startCalls } from '../../contracts/tool-chain.ts';
import { startTableDefinition } from '../../contracts/tools.ts';
import { counted } from '../../contracts/wording.ts';
import type { ToolUniverse } from '../../eval/calls/tool-universe.ts';
import { readFarm } from '../../eval/farm/read-farm.ts';
import { report as reportSchema } from '../../eval/metrics/report.ts';
import { RunFolder } from '../../runner/files/run-folder.ts';
import { loadFarm, offeredColumns } from '../../services/index.ts';
import { writeOutput } from '../files.ts';
import { list, wholeNumber } from '../options.ts';
import { farmUniverse } from '../score/open-farm.ts';

interface ExportFlags {
  readonly out: string;
  readonly evidence: boolean;
  readonly only?: readonly string[];
}

interface ToolsFlags {
  readonly tools?: number;
  readonly seed: number;
}

/** Adds the options of formats whose tasks offer only part of the tools. */
function drawing(command: Command): Command {
  return command
    .option(
      '--tools <n>',
      'tools a task offers, the gold one among them (default: all of the domain)',
      wholeNumber(1),
    )
    .option('--seed <n>', 'seed by which the tools are drawn', wholeNumber(0), 1);
}

function drawn({ tools, seed, evidence }: ExportFlags & ToolsFlags) {
  return { size: tools ?? null, seed, evidence };
}

/** `rookery export bfcl|promptfoo|inspect|…`: a farm's tasks for other evaluation harnesses. */
export function register(program: Command): void {
  const group = program.command('export').description("write a farm's tasks for another evaluation harness");
  const bfcl = group
    .command('bfcl')
    .description('question and answer files of the Berkeley Function-Calling Leaderboard');
  drawing(common(bfcl)).action((folder: string, flags: ExportFlags & ToolsFlags) =>
    write(folder, flags, (samples, universe) => exportBfcl(samples, universe, drawn(flags))),
  );
  const promptfoo = group.command('promptfoo').description('promptfoo configurations, one per domain');
  drawing(common(promptfoo).option('--provider <id>', 'provider to test (may be repeated)', list)).action(
    (folder: string, flags: ExportFlags & ToolsFlags & { provider?: readonly string[] }) => {
      const providers = flags.provider ?? ['openai:chat:gpt-4o-mini'];
      return write(folder, flags, (samples, universe) =>
        exportPromptfoo(samples, universe, { ...drawn(flags), providers }),
      );
    },
  );
  group
    .command('inspect-log')
    .description('a run of `rookery run` as a log that the viewer of Inspect AI opens')
    .argument('<run>', 'folder that `rookery run` wrote')
    .requiredOption(
      '-o, --out <file>',
      'where to: a .json file, in the folder of logs that the viewer is given',
    )
    .action((run: string, { out }: { out: string }) => exportInspectLog(run, out));
  for (const [name, what, emit] of [
    ['live-api-bench', "records of Live API-Bench's own runner", exportLiveApiBench],
    ['vakra', 'input, ground truth and universes in the formats of VAKRA', exportVakra],
  ] as const) {
    common(group.command(name).description(what))
      .addOption(formulationOption().default('slot'))
      .action((folder: string, flags: ExportFlags & FormulationFlags) => writeNative(folder, flags, emit));
  }
  const inspect = group.command('inspect').description('a Python package with a task for Inspect AI');
  drawing(common(inspect).addOption(formulationOption().default('rest'))).action(
    (folder: string, flags: ExportFlags & ToolsFlags & FormulationFlags) =>
      write(folder, flags, (samples, universe) =>
        exportInspect(samples, universe, { ...drawn(flags), formulation: flags.formulation }),
      ),
  );
  common(
    group
      .command('harbor')
      .description('task folders for Harbor, which brings agents that work in containers'),
  )
    .addOption(formulationOption().default('slot'))
    .option('--farm-at <url>', 'where the farm is, seen from the container of an agent', FARM_FROM_CONTAINERS)
    .action((folder: string, flags: ExportFlags & FormulationFlags & { readonly farmAt: string }) =>
      write(folder, flags, (samples, universe) =>
        exportHarbor(samples, universe, {
          formulation: flags.formulation,
          evidence: flags.evidence,
          farmAt: flags.farmAt.replace(/\/+$/, ''),
        }),
      ),
    );
}

const FARM_FROM_CONTAINERS = 'http://host.docker.internal:8080';

interface FormulationFlags {
  readonly formulation: Formulation;
}

function formulationOption(): Option {
  return new Option('--formulation <name>', 'which tasks').choices([...OF_EVERY_QUESTION]);
}

/** Writes the tasks of one formulation in a format that can represent all of them. */
async function writeNative(
  folder: string,
  { out, only, evidence, formulation: kind }: ExportFlags & FormulationFlags,
  emit: (
    samples: readonly Sample[],
    options: { evidence: boolean; keysOf: (sample: Sample) => readonly NativeKey[] },
  ) => readonly ExportedFile[],
): Promise<void> {
  const { samples } = readFarm(folder);
  const { domains } = await loadFarm(folder, { only });
  const services = new Map(domains.map(({ service }) => [service.db, service]));
  const chosen = samples.filter((sample) => sample.formulation === kind && services.has(sample.dataset_name));
  const keysOf = ({ dataset_name, initialization_step }: Sample): NativeKey[] => {
    const catalog = services.get(dataset_name)?.catalog;
    const tables = startCalls(initialization_step).map((call) => startTableDefinition.parse(call.arguments));
    const columns = catalog ? offeredColumns(tables, catalog) : [];
    return columns.map(({ key, description, type }) => ({
      key_name: key,
      description: description ?? '',
      dtype: type,
    }));
  };
  const files = emit(chosen, { evidence, keysOf });
  for (const { path, content } of files) writeOutput(join(out, path), content);
  process.stdout.write(
    `${counted(chosen.length, `${kind} task`)} written to ${out}: ${counted(files.length, 'file')}\n`,
  );
}

function common(command: Command): Command {
  return command
    .argument('<farm>', 'folder made by `rookery generate`')
    .requiredOption('-o, --out <folder>', 'where the files go')
    .option('--evidence', "add the split's hint to each question", false)
    .option('--only <db>', 'this domain only (may be repeated)', list);
}

async function write(
  folder: string,
  { out, only, formulation: kind = 'rest' }: ExportFlags & Partial<FormulationFlags>,
  emit: (samples: readonly Sample[], universe: ToolUniverse) => readonly ExportedFile[],
): Promise<void> {
  const { samples } = readFarm(folder);
  const { domains } = await loadFarm(folder, { only });
  const universe = farmUniverse(domains.map(({ service }) => service));
  const chosen = samples.filter(({ dataset_name }) =>
    domains.some((domain) => domain.service.db === dataset_name),
  );
  const files = emit(chosen, universe);
  for (const { path, content } of files) writeOutput(join(out, path), content);
  const tasks = chosen.filter(({ formulation }) => formulation === kind).length;
  process.stdout.write(
    `${counted(tasks, `${FORMULATIONS[kind].title} task`)} written to ${out}: ${counted(files.length, 'file')}\n`,
  );
}

/** Writes a run for the Inspect AI log viewer. Throws RUN_INVALID. */
export function exportInspectLog(place: string, out: string): void {
  const folder = new RunFolder(place);
  const header = folder.readHeader();
  if (header === null)
    throw new UserError('RUN_INVALID', place, 'contains no run; give a folder that `rookery run` wrote');
  const file = join(place, 'report.json');
  const read = existsSync(file) ? reportSchema.safeParse(JSON.parse(readFileSync(file, 'utf8'))) : null;
  const log = inspectLog(header, [...folder.readRecords().values()], read?.success ? read.data : null);
  // Numbers in answers keep their source text; the rest is plain JSON.
  writeOutput(out, `${stringify(log, undefined, 2)}\n`);
}
