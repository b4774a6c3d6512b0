import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { UserError } from '../../contracts/errors.ts';
import { reportHeadline } from '../../eval/report/report-tables.ts';
import { type Prices, prices as priceTable } from '../../runner/control/prices.ts';
import type { RunConfig } from '../../runner/files/run-config.ts';
import { wholeNumber } from '../options.ts';
import { type Execution, executeCell, type Gates } from '../run/execute-cell.ts';
import { openFarmAccess } from '../run/open-farm-access.ts';
import { configsOf, type RunFlags, withRunFlags } from '../run/run-flags.ts';
import { scoreRun } from '../run/score-run.ts';
import { EXIT, interruptSignal } from '../run.ts';
import { openFarm } from '../score/open-farm.ts';

interface ExecutionFlags {
  readonly out?: string;
  readonly gold?: string;
  readonly split?: string;
  readonly apiKeyFrom?: string;
  readonly farmKeyFrom?: string;
  readonly concurrency: number;
  readonly maxConnections: number;
  readonly rpm?: number;
  readonly tpm?: number;
  readonly maxRetries: number;
  readonly requestTimeout: number;
  readonly retryWait: number;
  readonly costLimit?: string;
  readonly prices?: string;
  readonly cache?: string;
}

/** `rookery run <farm>`: a model or baseline on the tasks of a farm, scored. */
export function register(program: Command): void {
  withRunFlags(
    program
      .command('run')
      .description('run a model, or an agent of your own, on the tasks of a farm')
      .argument('<farm>', 'folder made by `rookery generate`, or the address of a served farm'),
  )
    .option(
      '-o, --out <folder>',
      'where the run is kept; begun again, it is resumed (default: runs/<model>-<agent>)',
    )
    .option('--gold <folder>', 'the folder of a farm that is served elsewhere, to score and to draw examples')
    .option('--split <folder>', 'SQL agents: the split of the farm, whose own databases are asked')
    .option('--api-key-from <variable>', 'the environment variable that holds the provider’s key')
    .option('--farm-key-from <variable>', 'the environment variable that holds the farm’s key')
    .option('--concurrency <n>', 'attempts, and requests in the beginning, at once', wholeNumber(1, 1000), 20)
    .option('--max-connections <n>', 'requests to a model at once, at most', wholeNumber(1, 1000), 100)
    .option('--rpm <n>', 'requests a minute', wholeNumber(1))
    .option('--tpm <n>', 'tokens a minute', wholeNumber(1))
    .option('--max-retries <n>', 'of a request whose failure may pass', wholeNumber(0, 100), 8)
    .option(
      '--retry-wait <ms>',
      'before the first repetition; twice as long before each further one',
      wholeNumber(1),
      1000,
    )
    .option('--request-timeout <seconds>', 'of one request', wholeNumber(1), 600)
    .option('--cost-limit <amount>', 'the run stops when it has cost that much')
    .option('--prices <file>', 'JSON: {"<model>": {"input_per_million": 1, "output_per_million": 2}}')
    .option('--cache <file>', 'keep completions there, and do not ask twice')
    .action(run);
}

async function run(place: string, flags: RunFlags & ExecutionFlags): Promise<void> {
  const configs = configsOf(flags);
  const execution = executionOf(flags);
  const farm = await openFarmAccess(place, {
    ...(flags.gold === undefined ? {} : { gold: flags.gold }),
    ...(flags.split === undefined ? {} : { split: flags.split }),
    ...(flags.farmKeyFrom === undefined ? {} : { apiKey: keyIn(flags.farmKeyFrom, '--farm-key-from') }),
  });
  const open = farm.folder === null ? null : await openFarm(farm.folder);
  const gates: Gates = new Map();
  try {
    for (const config of configs) {
      const name = nameOf(config);
      const base = flags.out ?? join('runs', slug(name));
      const out =
        configs.length > 1 ? join(base, slug(`${config.model ?? config.agent} ${config.formulation}`)) : base;
      const { status, reason, header } = await executeCell(config, farm, out, name, execution, gates);
      if (farm.scored !== null && open !== null) {
        const report = await scoreRun(out, header, farm.scored, open);
        process.stdout.write(`${name}, ${config.formulation}: ${reportHeadline(report)}\n`);
      } else {
        process.stdout.write(
          `${name}, ${config.formulation}: ${header.attempts.done} of ${header.attempts.planned} attempted; score ${out} with rookery score <farm> ${join(out, 'predictions.jsonl')}\n`,
        );
      }
      const { errors } = header.attempts;
      if (errors > 0)
        process.stderr.write(
          `${out}: ${errors} attempts ended in errors; the same command tries them again\n`,
        );
      if (status === 'stopped')
        process.stderr.write(`${out}: stopped, because ${reason}; the same command goes on\n`);
      if (status === 'stopped' || errors > 0) process.exitCode = EXIT.stopped;
      if (status === 'stopped') return;
    }
  } finally {
    await open?.close();
    await farm.close();
  }
}

/** Milliseconds that attempts under way are given after Ctrl-C. */
const GRACE_MS = 30_000;

function executionOf(flags: ExecutionFlags): Execution {
  return {
    concurrency: flags.concurrency,
    maxConnections: flags.maxConnections,
    ...(flags.rpm === undefined ? {} : { requestsPerMinute: flags.rpm }),
    ...(flags.tpm === undefined ? {} : { tokensPerMinute: flags.tpm }),
    retries: flags.maxRetries,
    requestTimeoutS: flags.requestTimeout,
    retryBaseMs: flags.retryWait,
    costLimit: flags.costLimit === undefined ? null : amount(flags.costLimit),
    prices: flags.prices === undefined ? null : readPrices(flags.prices),
    cache: flags.cache ?? null,
    ...(flags.apiKeyFrom === undefined ? {} : { apiKeyFrom: flags.apiKeyFrom }),
    stop: interruptSignal(),
    graceMs: GRACE_MS,
  };
}

function nameOf({ model, agent }: RunConfig): string {
  return model === null ? agent : `${model} ${agent}`;
}

function slug(name: string): string {
  return name.replace(/[^A-Za-z0-9._-]+/g, '-').slice(0, 100);
}

function keyIn(variable: string, option: string): string {
  const key = process.env[variable];
  if (key !== undefined && key !== '') return key;
  throw new UserError('OPTION_INVALID', option, `the environment has no ${variable}`);
}

function amount(text: string): number {
  const value = Number(text);
  if (value > 0) return value;
  throw new UserError('OPTION_INVALID', '--cost-limit', `must be a number above 0, not ${text}`);
}

function readPrices(file: string): Prices {
  const fix = 'give {"<model>": {"input_per_million": 1, "output_per_million": 2}}';
  if (!existsSync(file)) throw new UserError('OPTION_INVALID', file, `is not there; ${fix}`);
  try {
    return priceTable.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    throw new UserError('OPTION_INVALID', file, `holds no prices; ${fix}`, { cause });
  }
}
