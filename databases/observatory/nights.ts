import { addDays, addMinutes, daysBetween } from '../dates.ts';
import { createRandom } from '../random.ts';
import type { Cell } from '../write-database.ts';

export interface Night {
  night: string;
  jd: number;
  moon: number;
  dome: string;
  reason: string | null;
  seeing: number | null;
  duty: number | null;
}

const first = '2022-08-01';
const nightCount = 884;

/** Every night of two and a half years; the winters are cloudy, and in June 2023 the mirror was away. */
export function growNights(observers: number): Night[] {
  const random = createRandom('observatory/night');
  return Array.from({ length: nightCount }, (_, i) => {
    const night = addDays(first, i);
    const month = Number(night.slice(5, 7));
    const away = night >= '2023-06-05' && night <= '2023-06-29';
    const winter = month <= 2 || month >= 11;
    const dome = away
      ? 'closed'
      : random.weighted({ open: winter ? 4 : 6, closed: winter ? 5 : 3, part: 2.5 });
    const weather = random.weighted({
      clouds: 9,
      rain: 4,
      wind: winter ? 3 : 1,
      ice: winter ? 3 : 0,
      humidity: 2,
      fault: 0.8,
    });
    return {
      night,
      jd: 2_440_588 + daysBetween('1970-01-01', night),
      moon: Math.round((0.5 - Math.cos((2 * Math.PI * (i + 17)) / 29.53) / 2) * 100) / 100,
      dome,
      reason: away ? 'mirror being coated' : dome === 'open' || random.chance(0.04) ? null : weather,
      seeing: dome === 'closed' ? null : random.chance(0.02) ? 9.9 : random.near(winter ? 2.4 : 1.7, 0.9, 1),
      duty: away ? null : random.int(1, random.chance(0.7) ? 4 : observers),
    };
  });
}

/** Three readings a night; the new mast of March 2024 gives the wind in km/h, the old one repeats itself at times. */
export function growWeather(nights: readonly Night[]): Cell[][] {
  const random = createRandom('observatory/weather');
  return nights.flatMap(({ night, reason }) => {
    const day = (Date.parse(night) / 86_400_000) % 365;
    const season = -Math.cos((2 * Math.PI * (day - 25)) / 365);
    const modern = night >= '2024-03-11';
    return [-300, 0, 300].flatMap((minutes) => {
      const metres = random.near(reason === 'wind' ? 19 : 6, 5, 1);
      const row: Cell[] = [
        addMinutes(`${addDays(night, 1)} 00:00:00`, minutes).slice(0, 16),
        random.near(4 + 9 * season, 6, 1),
        random.chance(reason === 'ice' ? 0.5 : 0.01) ? null : random.int(reason === null ? 30 : 62, 100),
        modern ? Math.round(metres * 36) / 10 : metres,
        modern ? 'km/h' : 'm/s',
      ];
      return !modern && random.chance(0.012) ? [row, [...row]] : [row];
    });
  });
}
