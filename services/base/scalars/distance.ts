export const DISTANCE_UNITS = ['km', 'miles'] as const;
export type DistanceUnit = (typeof DISTANCE_UNITS)[number];

/** Degrees. */
export interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

const EARTH_RADIUS_KM = 6371.0088;
const KM_PER_MILE = 1.609344;

/** The way along a great circle, to three decimals. */
export function distanceBetween(a: Position, b: Position, unit: DistanceUnit): number {
  const half = (degrees: number) => Math.sin((degrees * Math.PI) / 360) ** 2;
  const cosine = (degrees: number) => Math.cos((degrees * Math.PI) / 180);
  const haversine =
    half(b.latitude - a.latitude) + cosine(a.latitude) * cosine(b.latitude) * half(b.longitude - a.longitude);
  const km = 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(haversine)));
  return rounded(unit === 'km' ? km : km / KM_PER_MILE, 3);
}

/** A number to so many decimals. */
export function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}
