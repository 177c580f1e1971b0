import { SECONDS_PER_HOUR } from './time/units.js';
/** Resolutions of a time series; `raw` returns the samples unchanged. */
export const RESOLUTIONS = ['raw', '1min', '5min', '15min', '1hour'] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

/** Width of one bucket in seconds. */
export const BUCKET_SECONDS = {
  '1min': 60,
  '5min': 300,
  '15min': 900,
  '1hour': SECONDS_PER_HOUR,
} as const satisfies Record<Exclude<Resolution, 'raw'>, number>;
