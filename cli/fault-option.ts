import { readFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import { type FaultProfile, faultProfile } from '../contracts/fault.ts';
import { FAULT_PROFILES, namedProfile } from '../services/agents/faults/profiles.ts';

/** Reads a fault profile: a name such as `flaky`, a name and a seed (`flaky:7`), or a JSON file. */
export function faultOption(text: string): FaultProfile {
  const [name = '', seed = '0'] = text.split(':');
  const named = /^\d+$/.test(seed) ? namedProfile(name, Number(seed)) : undefined;
  if (named) return named;
  try {
    return faultProfile.parse(JSON.parse(readFileSync(text, 'utf8')));
  } catch {
    const names = Object.keys(FAULT_PROFILES).join(', ');
    throw new InvalidArgumentError(
      `Give one of ${names} (with a seed: flaky:7), or a JSON file with a profile.`,
    );
  }
}
