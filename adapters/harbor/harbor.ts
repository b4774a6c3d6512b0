import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { printExactJson } from '../../contracts/exact-json.ts';
import { packageRoot } from '../../contracts/package-root.ts';
import { samplePath } from '../../contracts/paths.ts';
import { ANSWER_FORMAT } from '../../contracts/prediction.ts';
import type { Formulation, Sample } from '../../contracts/sample.ts';
import type { ToolUniverse } from '../../eval/calls/tool-universe.ts';
import { type ExportedFile, type ExportFlags, exportCommand, questionText } from '../exports.ts';

export interface HarborExportOptions {
  readonly evidence: boolean;
  readonly formulation: Formulation;
  /** URL of the farm as seen from an agent's container: `http://host.docker.internal:8080`. */
  readonly farmAt: string;
}

/**
 * Harbor tasks of one formulation, one folder each. The agent calls the farm, which must be running, over MCP or plain
 * HTTP, and writes its answer to a file. The tests have the gold rows, which Harbor adds when the agent is done.
 */
export function exportHarbor(
  samples: readonly Sample[],
  universe: ToolUniverse,
  options: HarborExportOptions,
): ExportedFile[] {
  const verify = readFileSync(join(packageRoot, 'adapters', 'harbor', 'verify.py'), 'utf8');
  const rows = readFileSync(join(packageRoot, 'adapters', 'rows.py'), 'utf8');
  return samples
    .filter(({ formulation }) => formulation === options.formulation)
    .flatMap((sample) => {
      const folder = folderOf(sample);
      const handles = [...(universe.startHandles?.(sample) ?? new Map<string, string>()).values()];
      const file = (path: string, content: string) => ({ path: `${folder}/${path}`, content });
      return [
        file('task.toml', taskFile(sample, options)),
        file('instruction.md', instruction(sample, handles, options)),
        file('environment/Dockerfile', DOCKERFILE),
        file('tests/test.sh', TEST),
        file('tests/verify.py', verify),
        file('tests/rows.py', rows),
        file('tests/gold.json', `${printExactJson(goldOf(sample, options))}\n`),
        file('solution/solve.sh', solution(sample)),
      ];
    });
}

const DOCKERFILE = `FROM python:3.11-slim@sha256:9c900dea9e8fb7e16277c179b555cc72d29a352dbc33cff48ad5a0412fd5bfc7
RUN apt-get update && apt-get install -y --no-install-recommends curl && rm -rf /var/lib/apt/lists/*
WORKDIR /app
`;

const TEST = `#!/bin/sh
python3 "$(dirname "$0")/verify.py"
`;

/** Only letters that every file system and registry accepts. */
function folderOf({ sample_id }: Sample): string {
  return sample_id.replace(/[^A-Za-z0-9]+/g, '-').toLowerCase();
}

function goldOf({ sample_id, gold_answer, order_groups }: Sample, { farmAt }: HarborExportOptions) {
  const judgement = `${farmAt}/tasks/${samplePath(sample_id)}/judgement`;
  return { rows: gold_answer, order_groups, judgement };
}

function taskFile({ sample_id, dataset_name, difficulty, canary }: Sample, { farmAt }: HarborExportOptions) {
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
url = ${text(mcpOf(sample_id, farmAt))}
`;
}

function mcpOf(sampleId: string, farmAt: string): string {
  return `${farmAt}/mcp/tasks/${samplePath(sampleId)}`;
}

function instruction(sample: Sample, handles: readonly string[], options: HarborExportOptions): string {
  const { sample_id } = sample;
  const { evidence, farmAt } = options;
  const tools = `${farmAt}/tasks/${samplePath(sample_id)}/tools`;
  const names = handles.map((handle) => `\`${handle}\``);
  return `${questionText(sample, evidence)}

The data are behind tools. They are offered over MCP at ${mcpOf(sample_id, farmAt)}. Without an MCP client,
\`curl ${tools}\` lists them, each with the JSON Schema of its arguments; its \`call\` is the path under which a tool is called,
with a POST of its arguments as JSON.
${names.length === 0 ? '' : `\nBegin from the table ${names.join(' and ')}. Each answer has a handle; give it to the next call.\n`}
Write the answer to \`/app/answer.json\`, which has to be JSON. ${ANSWER_FORMAT}
`;
}

/** Script for Harbor's oracle, by which tasks are validated. */
function solution({ gold_answer }: Sample): string {
  return `#!/bin/sh
cat >/app/answer.json <<'ANSWER'
${printExactJson(gold_answer)}
ANSWER
`;
}

export const commands = [
  exportCommand({
    name: 'harbor',
    description: 'task folders for Harbor, which brings agents that work in containers',
    formulation: 'slot',
    options: [
      {
        flags: '--farm-at <url>',
        description: 'where the farm is, seen from the container of an agent',
        default: 'http://host.docker.internal:8080',
      },
    ],
    emit: ({ samples, universe }, { farmAt, ...flags }: ExportFlags & { readonly farmAt: string }) =>
      exportHarbor(samples, universe, { ...flags, farmAt: farmAt.replace(/\/+$/, '') }),
  }),
];
