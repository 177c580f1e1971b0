import type { Zone } from '../zone.js';
import { useDiagnosis } from './use-diagnosis.js';

interface PersonZone {
  /** The zone that the service knows for the person; undefined if it knows none. */
  zone: Zone | undefined;
  /** Whether it is still being read: times that are shown before could jump. */
  isPending: boolean;
}

/** The zone that the service assumes for what a person recorded without an offset. */
export function usePersonZone(userId: string): PersonZone {
  const { data, isPending } = useDiagnosis(userId);
  return { zone: data?.is_time_zone_known ? data.time_zone : undefined, isPending };
}
