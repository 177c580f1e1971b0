import { BUCKET_SECONDS, RESOLUTIONS, type Resolution } from '@healthd/model';

/** Samples as recorded are read for a stretch of this length at most. */
const RAW_SECONDS = 6 * 3600;

/**
 * The finest resolution that gives a chart of that width one point for two pixels at most, so that its lines stay apart.
 * @param isSum amounts over time, which are comparable in equal buckets only: never as recorded
 */
export function resolutionFor(spanMs: number, width: number, isSum: boolean): Resolution {
  const seconds = spanMs / 1000;
  if (!isSum && seconds <= RAW_SECONDS) return 'raw';
  const fits = (one: Resolution) => one !== 'raw' && seconds / BUCKET_SECONDS[one] <= width * (isSum ? 0.25 : 0.5);
  return RESOLUTIONS.find(fits) ?? '1hour';
}
