import { BUCKET_SECONDS, RESOLUTIONS, type Resolution } from '@healthd/model';

/** Maximum length of a range that is read at the recorded resolution. */
const RAW_SECONDS = 6 * 3600;

/**
 * Returns the recorded resolution for up to six hours. For longer ranges and amounts, returns the finest buckets with
 * at most one point per two pixels (four for amounts), so that charts stay readable. Returns hours if no buckets fit.
 * @param isSum true for amounts, which are only comparable in equal buckets and never read as recorded
 */
export function resolutionFor(spanMs: number, width: number, isSum: boolean): Resolution {
  const seconds = spanMs / 1000;
  if (!isSum && seconds <= RAW_SECONDS) return 'raw';
  const fits = (one: Resolution) => one !== 'raw' && seconds / BUCKET_SECONDS[one] <= width * (isSum ? 0.25 : 0.5);
  return RESOLUTIONS.find(fits) ?? '1hour';
}
