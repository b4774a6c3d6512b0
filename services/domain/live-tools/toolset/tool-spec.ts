import type { ObjectSchema } from './json-schema.ts';

/** A tool as agents see it, independent of any provider's format. */
export interface ToolSpec {
  /** `^[a-zA-Z0-9_-]{1,64}$`, unique in its toolset. */
  readonly name: string;
  /** At most 1,024 characters. */
  readonly description: string;
  /** JSON Schema of the arguments: an object, without references. */
  readonly parameters: ObjectSchema;
}
