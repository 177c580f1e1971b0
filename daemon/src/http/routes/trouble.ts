import { listTrouble, listTroubledUsers } from '@healthd/schemas';
import type { TroubleGroups } from '../../diagnosis/index.js';
import { type Binding, bind } from '../binding.js';

/** Routes for connection problems of all users. */
export function troubleRoutes({ trouble }: { trouble: TroubleGroups }): Binding[] {
  return [
    bind(listTrouble, async () => {
      const { at, working, groups } = await trouble.all();
      return {
        diagnosed_at: at.toISOString(),
        working,
        groups: groups.map(({ provider, cause, severity, remedy, connections, firstSince, lastSince, ...group }) => ({
          provider: provider.id,
          provider_name: provider.displayName,
          cause,
          severity,
          remedy,
          connections,
          first_since: firstSince?.toISOString() ?? null,
          last_since: lastSince?.toISOString() ?? null,
          details: [...group.details],
          trend: group.trend.map((point) => ({ at: point.at.toISOString(), connections: point.connections })),
        })),
      };
    }),
    bind(listTroubledUsers, async ({ query }) => {
      const { total, items, nextCursor } = await trouble.users({
        provider: query.provider,
        cause: query.cause,
        order: query.sort_by,
        limit: query.limit,
        after: query.after,
      });
      return {
        total,
        items: items.map((item) => ({
          user_id: item.user_id,
          first_name: item.first_name,
          last_name: item.last_name,
          email: item.email,
          since: item.since?.toISOString() ?? null,
          last_synced_at: item.lastSyncedAt?.toISOString() ?? null,
        })),
        next_cursor: nextCursor ?? null,
      };
    }),
  ];
}
