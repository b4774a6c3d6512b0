import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openapiFile } from '../contracts/openapi.ts';
import type { Call, Formulation, Sample } from '../contracts/sample.ts';
import { startCalls } from '../contracts/tool-chain.ts';
import { readFarm } from '../eval/farm/read-farm.ts';
import { SERVED_FORMULATIONS } from '../services/domain/formulations.ts';
import { strictSchema } from '../services/domain/tools/provider-formats.ts';
import type { ToolSpec } from '../services/domain/tools/tool-spec.ts';
import { loadFarm } from '../services/index.ts';
import { FARM_FORMULATIONS, farmOf, hasSplit, TESTED_FARMS, withSplit } from './support/farms.ts';

const GENERATE_MS = 15 * 60_000;

const reference = z.object({ $ref: z.string() });
const body = z.object({ content: z.object({ 'application/json': z.object({ schema: z.looseObject({}) }) }) });
const operation = z.object({
  operationId: z.string(),
  parameters: z
    .array(z.union([reference, z.looseObject({ name: z.string(), required: z.boolean() })]))
    .default([]),
  requestBody: z.union([reference, body]).optional(),
});
const specification = z.object({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.looseObject({ requestBodies: z.record(z.string(), body).optional() }),
});
type Specification = z.infer<typeof specification>;

/** Accepts what a client that checks its calls by the document would send. */
function validators(document: Specification): Map<string, ValidateFunction> {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  const { components } = document;
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  return new Map(
    operations.map((each) => [each.operationId, ajv.compile({ ...argumentsOf(each, document), components })]),
  );
}

/** The schema of the arguments: of the body, or of the query string where there is none. */
function argumentsOf({ parameters, requestBody }: z.infer<typeof operation>, { components }: Specification) {
  if (requestBody !== undefined) {
    const whole =
      '$ref' in requestBody
        ? components.requestBodies?.[requestBody.$ref.split('/').at(-1) ?? '']
        : requestBody;
    return body.parse(whole).content['application/json'].schema;
  }
  const own = parameters.flatMap((each) => ('$ref' in each ? [] : [each]));
  return {
    type: 'object',
    properties: Object.fromEntries(own.map(({ name, schema }) => [name, schema])),
    required: own.flatMap(({ name, required }) => (required ? [name] : [])),
    additionalProperties: false,
  };
}

/** All calls of a sample, the preparation of its start tables among them. */
function callsOf({ initialization_step, output }: Sample): readonly Call[] {
  return [...startCalls(initialization_step), ...output];
}

/** As it is written in JSON, which has no bigints. */
const asSent = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_key, part) => (typeof part === 'bigint' ? Number(part) : part)));

describe.each(TESTED_FARMS)('every gold call of %s', (name) => {
  describe.skipIf(!hasSplit(name))(withSplit(name, 'when the split is here'), () => {
    test.each(FARM_FORMULATIONS)(
      'is valid by the specification of its domain: %s',
      { timeout: GENERATE_MS },
      async (kind) => {
        const farm = await farmOf(name);
        const { samples, farm: description } = readFarm(farm);
        for (const { db } of description.domains) {
          const file = join(farm, 'openapi', openapiFile(db, kind));
          const document = specification.parse(JSON.parse(readFileSync(file, 'utf8')));
          const accepts = validators(document);
          for (const sample of ofDomain(samples, db, kind)) {
            for (const call of callsOf(sample)) {
              if (call.path !== undefined)
                expect(document.paths, sample.sample_id).toHaveProperty([call.path]);
              expectValid(accepts.get(call.name), call, sample);
            }
          }
        }
      },
    );

    test.each(FARM_FORMULATIONS)(
      'is valid by the tools that its task offers, in strict mode too: %s',
      { timeout: GENERATE_MS },
      async (kind) => {
        const farm = await farmOf(name);
        const { samples } = readFarm(farm);
        const { domains } = await loadFarm(farm);
        for (const { service } of domains) {
          const known = new Map<string, (name: string) => readonly ValidateFunction[]>();
          for (const sample of ofDomain(samples, service.db, kind)) {
            const tables = startCalls(sample.initialization_step).map((call) =>
              JSON.stringify(call.arguments),
            );
            const offered = service.start_tables.filter(({ handle: _, ...definition }) =>
              tables.includes(JSON.stringify(definition)),
            );
            const key = offered.map(({ handle }) => handle).join();
            const validatorsOf =
              known.get(key) ?? toolValidators(SERVED_FORMULATIONS[kind].tools(service, offered));
            known.set(key, validatorsOf);
            for (const call of sample.output) {
              const accepting = validatorsOf(call.name);
              expect(accepting.length, `${sample.sample_id}: ${call.name} is offered`).toBeGreaterThan(0);
              for (const accept of accepting) expectValid(accept, call, sample);
            }
          }
        }
      },
    );
  });
});

/** For a tool by its name, what accepts its arguments: as it is offered, and in strict mode. None for other names. */
function toolValidators(tools: readonly ToolSpec[]): (name: string) => readonly ValidateFunction[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  const known = new Map<string, readonly ValidateFunction[]>();
  return (name) => {
    const before = known.get(name);
    if (before) return before;
    const { parameters } = tools.find((tool) => tool.name === name) ?? {};
    const strict = parameters && strictSchema(parameters);
    const schemas = [parameters ?? [], strict ? withoutRequired(strict) : []].flat();
    const validators = schemas.map((schema) => ajv.compile(schema));
    known.set(name, validators);
    return validators;
  };
}

function ofDomain(samples: readonly Sample[], db: string, kind: Formulation): Sample[] {
  return samples.filter((sample) => sample.dataset_name === db && sample.formulation === kind);
}

/** Strict mode sends null for what is left out, which gold calls do not. */
function withoutRequired<Schema extends object>(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema, (key, value) => (key === 'required' ? undefined : value)));
}

function expectValid(accept: ValidateFunction | undefined, call: Call, { sample_id }: Sample): void {
  const valid = accept?.(asSent(call.arguments));
  expect(valid, `${sample_id}: ${JSON.stringify(asSent(call))}: ${JSON.stringify(accept?.errors)}`).toBe(
    true,
  );
}
