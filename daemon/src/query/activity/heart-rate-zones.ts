/** Zone bounds in whole bpm. Vigorous is everything above `moderateTo`. */
interface HeartRateZones {
  lightFrom: number;
  lightTo: number;
  moderateTo: number;
}

const MAX_WITHOUT_BIRTH_DATE = 190;
const LOWEST_MAX = 100;

/** Returns the expected maximum heart rate: 220 − age, at least 100; 190 if the birth date is unknown. */
export function maximumHeartRate(birthDate: string | null, date: string): number {
  return birthDate === null ? MAX_WITHOUT_BIRTH_DATE : Math.max(LOWEST_MAX, 220 - ageOn(birthDate, date));
}

/**
 * Returns zone bounds in whole bpm, truncated: light from 50 % to 63 %, moderate to 76 %, vigorous without an upper bound.
 */
export function heartRateZones(maximumBpm: number): HeartRateZones {
  const percent = (share: number) => Math.trunc((maximumBpm * share) / 100);
  return { lightFrom: percent(50), lightTo: percent(63), moderateTo: percent(76) };
}

/** Returns the full years of age on a date. */
export function ageOn(birthDate: string, date: string): number {
  const years = Number(date.slice(0, 4)) - Number(birthDate.slice(0, 4));
  return date.slice(5) < birthDate.slice(5) ? years - 1 : years;
}
