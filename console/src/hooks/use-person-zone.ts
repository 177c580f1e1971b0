import type { Zone } from '../zone.js';
import { useConnections } from './use-connections.js';
import { useUser } from './use-users.js';

interface PersonZone {
  /** The zone set for the person, else that of a connection; undefined where none is known. */
  zone: Zone | undefined;
  /** Whether it is still being read: times that are shown before could jump. */
  isPending: boolean;
}

/** The zone that the service assumes for what a person recorded without an offset. */
export function usePersonZone(userId: string): PersonZone {
  const user = useUser(userId);
  const connections = useConnections(userId, false);
  const known = (connections.data ?? []).filter(({ time_zone }) => time_zone !== null);
  // Of several the first by the provider's id counts, as in the service.
  known.sort((a, b) => (a.provider < b.provider ? -1 : 1));
  return {
    zone: user.data?.time_zone ?? known[0]?.time_zone ?? undefined,
    isPending: user.isPending || (!user.data?.time_zone && connections.isPending),
  };
}
