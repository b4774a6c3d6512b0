import type { FastifyInstance } from 'fastify';
import type { Sample } from '../../../../contracts/sample.ts';
import type { Service } from '../../../../contracts/service.ts';
import type { StartTable } from '../../../../contracts/start-table.ts';
import type { ToolVariant } from '../../../../contracts/tool-variants.ts';
import type { ToolContext } from '../../live-tools/tool-context.ts';
import type { ObjectSchema } from '../../live-tools/toolset/json-schema.ts';
import type { ToolSpec } from '../../live-tools/toolset/tool-spec.ts';

/** How a formulation is served: the other half of its contract in contracts/formulations/. */
export interface ServedFormulation {
  /** Adds the routes that carry out its calls, with the formulation's name as the `kind` of their configuration. */
  routes(app: FastifyInstance, context: ToolContext): void;
  /** The tools of a task that begins from the start tables; without any, those of the whole domain. */
  tools(service: Service, startTables: readonly StartTable[], view?: ToolView): readonly ToolSpec[];
  /** Where a running farm describes the tools of such a task, and how many there are. */
  toolset(service: Service, startTables: readonly StartTable[]): Sample['toolset'];
  /** The answer of the tool of that name. */
  answerSchema(service: Service, tool: string): ObjectSchema;
  /** The table that the tool of that name is mainly about; null where a tool works on any. */
  subjectOf(service: Service, tool: string): string | null;
  /** The OpenAPI 3.1 document of a domain: same service, same document. */
  openapi(service: Service): object;
  /**
   * The call that a request is; null when its address belongs to no call of this formulation. Throws the errors of
   * `readBody`.
   */
  readCall(service: Service | undefined, request: CallAddress): ServedCall | null;
}

/** How a list wants tools to be made, where a formulation has several ways. */
export interface ToolView {
  readonly variant: ToolVariant;
  /** Whether all that is known of properties is told. */
  readonly full: boolean;
}

/** A request to the address of a domain. */
export interface CallAddress {
  /** The segments after the domain's path, decoded. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  /** The arguments in the body. */
  readonly readBody: () => unknown;
}

/** A call as an agent's list of tools has it. */
export interface ServedCall {
  /** The only method that its address takes. */
  readonly method: 'GET' | 'POST';
  /** The tool's name; null for an endpoint that there is not. */
  readonly name: string | null;
  /** Lazily, so that a request of another method is refused for that. */
  readonly arguments: () => unknown;
  /** Query string for `preview`, `offset` and `limit`. */
  readonly view: string;
}
