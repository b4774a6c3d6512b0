import type { Command } from 'commander';
import { registerFormats } from '../format-commands.ts';

/** `rookery import <format>`: results of other runners, and published questions. */
export async function register(program: Command, args: readonly string[]): Promise<void> {
  const group = program.command('import').description("turn another runner's results into a prediction file");
  await registerFormats(group, args);
}
