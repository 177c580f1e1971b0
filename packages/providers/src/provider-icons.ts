import type { ProviderId } from '@healthd/model';

/** Our own mark on a colored tile, not a vendor's logo. */
interface Mark {
  tile: string;
  /** Strokes on a canvas of 48 by 48. */
  strokes: string;
}

const MARKS: Readonly<Record<ProviderId, Mark>> = {
  apple: { tile: '#e11d48', strokes: 'M24 36 L12 24 a7 7 0 0 1 12 -8 a7 7 0 0 1 12 8 Z' },
  samsung: { tile: '#1d4ed8', strokes: 'M15 10 h18 v28 h-18 Z M21 33 h6' },
  garmin: { tile: '#0f766e', strokes: 'M24 11 L37 35 H11 Z' },
  google: { tile: '#4f46e5', strokes: 'M9 25 h8 l4 -11 l6 21 l4 -10 h8' },
  polar: { tile: '#b91c1c', strokes: 'M24 11 v26 M13 17.5 l22 13 M35 17.5 l-22 13' },
  suunto: { tile: '#334155', strokes: 'M24 11 a13 13 0 1 0 0.01 0 M24 17 l3 7 l-3 7 l-3 -7 Z' },
  whoop: { tile: '#171717', strokes: 'M10 16 l7 17 l7 -17 l7 17 l7 -17' },
  strava: { tile: '#c2410c', strokes: 'M10 35 L20 17 L28 29 L32 23 L39 35' },
  oura: { tile: '#57534e', strokes: 'M24 14 a11 11 0 1 0 0.01 0 M20 10 h8' },
  fitbit: {
    tile: '#0e7490',
    strokes: 'M24 11 v0.1 M24 20 v0.1 M24 29 v0.1 M24 38 v0.1 M15 20 v0.1 M15 29 v0.1 M33 20 v0.1 M33 29 v0.1',
  },
  ultrahuman: { tile: '#7c3aed', strokes: 'M14 13 v12 a10 10 0 0 0 20 0 v-12' },
  sensorbio: {
    tile: '#15803d',
    strokes: 'M24 37 V22 M24 24 c-9 0 -11 -6 -11 -11 c7 0 11 4 11 11 c0 -5 4 -8 11 -8 c0 6 -4 9 -11 9',
  },
  workout_files: { tile: '#a16207', strokes: 'M15 10 h12 l6 6 v22 h-18 Z M19 31 l4 -6 l3 3 l4 -6' },
};

/** Returns the icon of a provider as SVG. */
export function providerIcon(id: ProviderId): string {
  const { tile, strokes } = MARKS[id];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48" width="48" height="48"><rect width="48" height="48" rx="11" fill="${tile}"/><path d="${strokes}" fill="none" stroke="#fff" stroke-width="3.5" stroke-linecap="round" stroke-linejoin="round"/></svg>\n`;
}
