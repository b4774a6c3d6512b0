import { existsSync, readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { UserError } from '../../contracts/errors.ts';
import { type Prices, prices as priceTable } from '../../runner/control/prices.ts';
import { wholeNumber } from '../options.ts';
import { interruptSignal } from '../run.ts';
import type { Execution } from './execute-cell.ts';
import { RunnerMetrics } from './runner-metrics.ts';

/** Options of `rookery run` for executing runs. */
export interface ExecutionFlags {
  readonly out?: string;
  readonly gold?: string;
  readonly split?: string;
  readonly apiKeyFrom?: string;
  readonly farmKeyFrom?: string;
  readonly harnessKeyFrom?: string;
  readonly concurrency: number;
  readonly maxConnections: number;
  readonly rpm?: number;
  readonly tpm?: number;
  readonly maxRetries: number;
  readonly retryWait: number;
  readonly requestTimeout: number;
  readonly costLimit?: string;
  readonly prices?: string;
  readonly cache?: string;
  readonly allowCode?: boolean;
  readonly metricsPort?: number;
}

/** Adds them. */
export function withExecutionFlags(command: Command): Command {
  return command
    .optionsGroup('Carrying it out:')
    .option(
      '-o, --out <folder>',
      'where the run is kept; begun again, it is resumed (default: runs/<model>-<agent>)',
    )
    .option('--gold <folder>', 'the folder of a farm that is served elsewhere, to score and to draw examples')
    .option('--split <folder>', 'SQL agents: the split of the farm, whose own databases are asked')
    .option('--api-key-from <variable>', 'the environment variable that holds the provider’s key')
    .option('--farm-key-from <variable>', 'the environment variable that holds the farm’s key')
    .option('--harness-key-from <variable>', 'the environment variable that holds the farm’s harness key')
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
    .option('--cost-limit <amount>', 'the run stops before a request that would make it cost more')
    .option(
      '--prices <file>',
      'JSON: {"<model>": {"input_per_million": 1, "output_per_million": 2}}, or machine_per_hour',
    )
    .option('--cache <file>', 'keep completions there, and do not ask twice')
    .option('--metrics-port <port>', 'serve the progress to Prometheus on loopback', wholeNumber(0, 65535))
    .option('--allow-code', 'imperative: run the programs that a model writes, locked down (docs/hybrid.md)');
}

/** Milliseconds that attempts under way are given after Ctrl-C. */
const GRACE_MS = 30_000;

/** Throws OPTION_INVALID. */
export function executionOf(flags: ExecutionFlags): Execution {
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
    allowCode: flags.allowCode === true,
    ...(flags.apiKeyFrom === undefined ? {} : { apiKeyFrom: flags.apiKeyFrom }),
    stop: interruptSignal(),
    graceMs: GRACE_MS,
    metrics: flags.metricsPort === undefined ? null : new RunnerMetrics(),
  };
}

/** A key from the environment. Throws OPTION_INVALID. */
export function keyIn(variable: string, option: string): string {
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
