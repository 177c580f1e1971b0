import type { Zone } from '../zone.js';
import { useDiagnosis } from './use-diagnosis.js';

interface UserTimeZone {
  /** Time zone set for the user; undefined if there is none. */
  zone: Zone | undefined;
  /** True while the time zone is loading. Do not show times while true, because the times could change. */
  isPending: boolean;
}

/** Returns the time zone that the service assumes for records without an offset. */
export function useUserTimeZone(userId: string): UserTimeZone {
  const { data, isPending } = useDiagnosis(userId);
  return { zone: data?.is_time_zone_known ? data.time_zone : undefined, isPending };
}
