import type { Callable, CallableParameter } from './try-it.tsx';

/** The parts of an OpenAPI document that a reference shows. */
export interface ApiDocument {
  readonly info: { readonly title: string; readonly description?: string };
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly (DocumentedParameter | Reference)[];
  readonly requestBody?: Content | Reference;
  readonly responses?: Readonly<Record<string, Content | Reference>>;
}

interface DocumentedParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}

interface Content {
  readonly description?: string;
  readonly content?: Readonly<Record<string, { readonly schema?: Schema | Reference }>>;
}

/** A JSON Schema, as far as examples are made of it. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema | Reference>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly (Schema | Reference)[];
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
}

interface Reference {
  readonly $ref: string;
}

/** An operation as a form calls it, with what a reference says about it. */
export interface Operation extends Omit<Callable, 'body'> {
  readonly id: string;
  readonly method: string;
  readonly summary: string;
  readonly description: string;
  /** The JSON Schema of its body, if it has one. */
  readonly body: Schema | undefined;
  readonly responses: readonly Response[];
  /** What a search looks through, in lower case. */
  readonly text: string;
}

interface Response {
  readonly status: string;
  readonly description: string;
  /** Of a success. */
  readonly schema: Schema | Reference | undefined;
}

/** The operations of a document by their first tag, in the order of its tags. */
export function operationsOf(document: ApiDocument) {
  const about = new Map((document.tags ?? []).map(({ name, description = '' }) => [name, description]));
  const groups = new Map([...about.keys()].map((tag) => [tag, [] as Operation[]]));
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, documented] of Object.entries(methods)) {
      const tag = documented.tags?.[0] ?? 'Operations';
      const members = groups.get(tag) ?? [];
      members.push(readOperation(path, method, documented, document));
      groups.set(tag, members);
    }
  }
  return [...groups]
    .filter(([, operations]) => operations.length > 0)
    .map(([tag, operations]) => ({ tag, about: about.get(tag) ?? '', operations }));
}

function readOperation(
  path: string,
  method: string,
  documented: DocumentedOperation,
  document: ApiDocument,
): Operation {
  const { operationId, summary = operationId, description = '' } = documented;
  const parameters = (documented.parameters ?? []).map((each) => readParameter(resolve(each, document)));
  const body = resolve(documented.requestBody ?? {}, document).content?.['application/json']?.schema;
  const responses = Object.entries(documented.responses ?? {}).map(([status, response]) => {
    const { description: about = '', content = {} } = resolve(response, document);
    const schema = status.startsWith('2') ? content['application/json']?.schema : undefined;
    return { status, description: about, schema };
  });
  const searched = [operationId, path, summary, description, ...parameters.map((each) => each.description)];
  return {
    id: operationId,
    method: method.toUpperCase(),
    path,
    summary,
    description,
    parameters,
    body: body && resolve(body, document),
    responses,
    text: searched.join('\n').toLowerCase(),
  };
}

function readParameter({
  name,
  in: place,
  required = false,
  description = '',
  schema = {},
}: DocumentedParameter): CallableParameter {
  const type = [schema.type ?? 'any'].flat().join(' or ');
  const about = schema.default === undefined ? description : `${description} (default: ${schema.default})`;
  return { name, in: place, required, type, array: schema.type === 'array', description: about };
}

/** The target of a local reference. */
function resolve<Value extends object>(value: Value | Reference, document: ApiDocument): Value {
  if (!('$ref' in value)) return value;
  const [, , kind = '', name = ''] = value.$ref.split('/');
  return (document.components?.[kind]?.[name] ?? {}) as Value;
}

const DEEPEST = 5;

/** An example of a schema: its required properties, with defaults and first choices, else empty values. */
export function exampleOf(given: Schema | Reference, document: ApiDocument, depth = 0): unknown {
  const schema = resolve(given, document);
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  const [alternative] = schema.anyOf ?? [];
  if (alternative && depth < DEEPEST) return exampleOf(alternative, document, depth + 1);
  switch ([schema.type].flat()[0]) {
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((name) => {
          const property = schema.properties?.[name];
          return [name, property && depth < DEEPEST ? exampleOf(property, document, depth + 1) : null];
        }),
      );
    case 'array':
      return [];
    case 'integer':
    case 'number':
      return 0;
    case 'boolean':
      return false;
    case 'string':
      return '';
    default:
      return null;
  }
}
