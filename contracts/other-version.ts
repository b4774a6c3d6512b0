import { FARM_FORMAT_VERSION } from './farm.ts';

/**
 * What to say of a file of a farm that was made by another version of rookery; null for one of this version, which has
 * some other fault.
 */
export function otherVersion(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !('format_version' in value)) return null;
  const { format_version: version } = value;
  if (version === FARM_FORMAT_VERSION) return null;
  return `was made by another version of rookery: its format is ${JSON.stringify(version)}, this version reads ${FARM_FORMAT_VERSION}`;
}
