import { OptionError } from '../../contracts/errors.ts';
import { didYouMean, nearestNames } from '../../contracts/wording.ts';
import type { Agent } from './agent.ts';

/** Agents, loaded on demand. */
const AGENTS: Readonly<Record<string, () => Promise<Agent>>> = {
  direct: async () => (await import('./direct.ts')).directAgent,
  tools: async () => (await import('./tools.ts')).toolsAgent,
  structured: async () => (await import('./structured.ts')).structuredAgent,
  react: async () => (await import('./react.ts')).reactAgent,
  code: async () => (await import('./tools.ts')).codeAgent,
  mcp: async () => (await import('./mcp.ts')).mcpAgent,
  nl2sql: async () => (await import('./sql.ts')).nl2sqlAgent,
  'sql-react': async () => (await import('./sql.ts')).sqlReactAgent,
  declarative: async () => (await import('./hybrid.ts')).declarativeAgent,
  declarative2: async () => (await import('./hybrid.ts')).declarative2Agent,
  agentic: async () => (await import('./hybrid.ts')).agenticAgent,
  'agentic-react': async () => (await import('./hybrid.ts')).agenticReactAgent,
  imperative: async () => (await import('./hybrid.ts')).imperativeAgent,
  oracle: async () => (await import('./oracle.ts')).oracleAgent,
  random: async () => (await import('./random.ts')).randomAgent,
  nothing: async () => (await import('./random.ts')).nothingAgent,
  memoryless: async () => (await import('./dialogue-baselines.ts')).memorylessAgent,
  'asks-everything': async () => (await import('./dialogue-baselines.ts')).asksEverythingAgent,
  lexical: async () => (await import('./lexical.ts')).lexicalAgent,
};

/** The values of `--agent`, besides `exec:<command>`. */
export const AGENT_NAMES = Object.keys(AGENTS);

export async function findAgent(name: string): Promise<Agent> {
  if (name.startsWith('exec:') && name.length > 'exec:'.length) {
    return (await import('./exec.ts')).execAgent(name.slice('exec:'.length));
  }
  const load = Object.hasOwn(AGENTS, name) ? AGENTS[name] : undefined;
  if (load !== undefined) return load();
  throw new OptionError(
    '--agent',
    `must be one of ${AGENT_NAMES.join(', ')}, or exec:<command>${didYouMean(nearestNames(name, AGENT_NAMES))}`,
  );
}
