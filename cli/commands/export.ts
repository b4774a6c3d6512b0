import type { Command } from 'commander';
import { registerFormats } from '../format-commands.ts';

/** `rookery export <format>`: a farm's tasks for other evaluation harnesses. */
export async function register(program: Command, args: readonly string[]): Promise<void> {
  const group = program.command('export').description("write a farm's tasks for another evaluation harness");
  await registerFormats(group, args);
}
