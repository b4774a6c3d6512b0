import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { printExactJson } from '../../contracts/exact-json.ts';
import { packageRoot } from '../../contracts/package-root.ts';
import { samplePath } from '../../contracts/paths.ts';
import { answerFormat } from '../../contracts/prediction.ts';
import type { Formulation, Sample } from '../../contracts/sample.ts';
import { isOfChanges } from '../../contracts/vocabulary.ts';
import {
  type ExportedFile,
  type ExportFlags,
  exportCommand,
  type FarmTasks,
  questionText,
} from '../exports.ts';

export interface HarborExportOptions {
  readonly evidence: boolean;
  readonly formulation: Formulation;
  /** URL of the farm as seen from an agent's container: `http://host.docker.internal:8080`. */
  readonly farmAt: string;
}

/** Where an agent that changes records finds its run, which a service beside it begins and answers for. */
export const RUN_AT = 'http://farm:8000';

/**
 * Harbor tasks of one formulation, one folder each. The agent calls the farm, which must be running, over MCP or plain
 * HTTP, and writes its answer to a file. The tests have the gold rows, which Harbor adds when the agent is done. A task
 * that changes records is a run of the farm, which judges it.
 */
export function exportHarbor(
  samples: readonly Sample[],
  { universe, rulesOf }: Pick<FarmTasks, 'universe' | 'rulesOf'>,
  options: HarborExportOptions,
): ExportedFile[] {
  const own = (name: string) => readFileSync(join(packageRoot, 'adapters', 'harbor', name), 'utf8');
  const [verify, run] = [own('verify.py'), own('run.py')];
  const rows = readFileSync(join(packageRoot, 'adapters', 'rows.py'), 'utf8');
  return samples
    .filter(({ formulation }) => formulation === options.formulation)
    .flatMap((sample) => {
      const folder = folderOf(sample);
      const handles = [...(universe.startHandles?.(sample) ?? new Map<string, string>()).values()];
      const inRun = isOfChanges(sample.formulation);
      const question = questionText(sample, options.evidence, inRun ? rulesOf(sample) : []);
      const at = addressesOf(sample, options);
      const file = (path: string, content: string) => ({ path: `${folder}/${path}`, content });
      return [
        file('task.toml', taskFile(sample, at)),
        file('instruction.md', instruction(sample, question, handles, at)),
        file('environment/Dockerfile', DOCKERFILE),
        ...(inRun
          ? [
              file('environment/docker-compose.yaml', composeFile(sample, options)),
              file('environment/farm/Dockerfile', RUN_DOCKERFILE),
              file('environment/farm/run.py', run),
            ]
          : []),
        file('tests/test.sh', TEST),
        file('tests/verify.py', verify),
        file('tests/rows.py', rows),
        file('tests/gold.json', `${printExactJson(goldOf(sample, options))}\n`),
        file('solution/solve.sh', solution(sample)),
      ];
    });
}

interface Addresses {
  readonly mcp: string;
  readonly tools: string;
  /** What comes before the path under which a tool is called. */
  readonly farm: string;
}

function addressesOf({ formulation, sample_id }: Sample, { farmAt: farm }: HarborExportOptions): Addresses {
  if (isOfChanges(formulation)) return { farm: RUN_AT, mcp: `${RUN_AT}/mcp`, tools: `${RUN_AT}/tools` };
  const path = samplePath(sample_id);
  return { farm, mcp: `${farm}/mcp/tasks/${path}`, tools: `${farm}/tasks/${path}/tools` };
}

const PYTHON_IMAGE =
  'python:3.11-slim@sha256:9c900dea9e8fb7e16277c179b555cc72d29a352dbc33cff48ad5a0412fd5bfc7';
const DOCKERFILE = `FROM ${PYTHON_IMAGE}
RUN apt-get update && apt-get install -y --no-install-recommends curl && rm -rf /var/lib/apt/lists/*
WORKDIR /app
`;
const RUN_DOCKERFILE = `FROM ${PYTHON_IMAGE}
COPY run.py /run.py
CMD ["python3", "/run.py"]
`;

/** Harbor merges it with its own, in which the agent is `main`. */
function composeFile({ sample_id }: Sample, { farmAt }: HarborExportOptions): string {
  const text = (value: string) => JSON.stringify(value.replaceAll('$', '$$$$'));
  return `services:
  main:
    depends_on:
      farm:
        condition: service_healthy
  farm:
    build: ./farm
    environment:
      FARM: ${text(farmAt)}
      SAMPLE_ID: ${text(sample_id)}
      ROOKERY_HARNESS_KEY: "\${ROOKERY_HARNESS_KEY:-}"
    extra_hosts:
      - host.docker.internal:host-gateway
    healthcheck:
      test: ["CMD", "python3", "-c", "from urllib.request import urlopen; urlopen('http://localhost:8000/tools')"]
      interval: 1s
      timeout: 30s
      retries: 30
`;
}
const TEST = `#!/bin/sh
python3 "$(dirname "$0")/verify.py"
`;

/** Only letters that every file system and registry accepts. */
function folderOf({ sample_id }: Sample): string {
  return sample_id.replace(/[^A-Za-z0-9]+/g, '-').toLowerCase();
}

function goldOf(
  { formulation, sample_id, gold_answer, order_groups }: Sample,
  { farmAt }: HarborExportOptions,
) {
  if (isOfChanges(formulation)) return { run: RUN_AT };
  const judgement = `${farmAt}/tasks/${samplePath(sample_id)}/judgement`;
  return { rows: gold_answer, order_groups, judgement };
}

function taskFile({ formulation, sample_id, dataset_name, difficulty, canary }: Sample, { mcp }: Addresses) {
  const text = (value: string) => JSON.stringify(value);
  return `version = "1.0"

[metadata]
category = "tool-use"
tags = ["rookery", ${text(dataset_name)}]
sample_id = ${text(sample_id)}
difficulty = ${text(difficulty ?? 'unknown')}
${canary === undefined ? '' : `canary = ${text(canary)}\n`}
[verifier]
timeout_sec = 60.0
${isOfChanges(formulation) ? KEY_FOR_VERIFIER : ''}
[agent]
timeout_sec = 600.0

[environment]
build_timeout_sec = 600.0
cpus = 1
memory_mb = 1024
storage_mb = 4096
allow_internet = true

[[environment.mcp_servers]]
name = "farm"
transport = "streamable-http"
url = ${text(mcp)}
`;
}

/** Harbor takes the value from its own environment. */
const KEY_FOR_VERIFIER = `
[verifier.env]
ROOKERY_HARNESS_KEY = "\${ROOKERY_HARNESS_KEY}"
`;

function instruction(
  { formulation }: Sample,
  question: string,
  handles: readonly string[],
  { farm, mcp, tools }: Addresses,
): string {
  const names = handles.map((handle) => `\`${handle}\``);
  return `${question}

The data are behind tools. They are offered over MCP at ${mcp}. Without an MCP client,
\`curl ${tools}\` lists them, each with the JSON Schema of its arguments; its \`call\` is the path under which a tool is called,
with a POST of its arguments as JSON to ${farm}.
${names.length === 0 ? '' : `\nBegin from the table ${names.join(' and ')}. Each answer has a handle; give it to the next call.\n`}
Write the answer to \`/app/answer.json\`, which has to be JSON. ${answerFormat(formulation)}
`;
}

/** Script for Harbor's oracle, by which tasks are validated. */
function solution({ formulation, output, gold_answer, gold_columns }: Sample): string {
  const calls = isOfChanges(formulation) ? output : [];
  const answer = isOfChanges(formulation) && gold_columns.length === 0 ? 'done' : gold_answer;
  return `#!/bin/sh
${calls.map(({ name, arguments: args }) => heredoc(`curl -sf ${RUN_AT}/call/${name} -d @-`, 'CALL', args)).join('')}${heredoc('cat >/app/answer.json', 'ANSWER', answer)}`;
}

function heredoc(command: string, end: string, value: unknown): string {
  return `${command} <<'${end}'\n${printExactJson(value)}\n${end}\n`;
}

export const commands = [
  exportCommand({
    name: 'harbor',
    description: 'task folders for Harbor, which brings agents that work in containers',
    formulation: 'slot',
    takesRecords: true,
    options: [
      {
        flags: '--farm-at <url>',
        description: 'where the farm is, seen from the container of an agent',
        default: 'http://host.docker.internal:8080',
      },
    ],
    emit: (tasks, { farmAt, ...flags }: ExportFlags & { readonly farmAt: string }) =>
      exportHarbor(tasks.samples, tasks, { ...flags, farmAt: farmAt.replace(/\/+$/, '') }),
  }),
];
