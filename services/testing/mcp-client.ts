import { Client, type ClientOptions } from '@modelcontextprotocol/client';

/** The protocol before 2026, which has sessions, and since, which has none. */
export const MCP_ERAS = ['with sessions', 'stateless'] as const;
export type McpEra = (typeof MCP_ERAS)[number];

/** A client that speaks one of them and nothing else, not connected yet. */
export function mcpClient(era: McpEra, options: ClientOptions = {}): Client {
  const mode = era === 'stateless' ? { pin: '2026-07-28' } : 'legacy';
  return new Client({ name: 'test', version: '1' }, { ...options, versionNegotiation: { mode } });
}
