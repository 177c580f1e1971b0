import type { DeviceTypePriority, ProviderPriority } from '@healthd/schemas';
import type pg from 'pg';
import type { DatabaseChannels } from '../platform/database/index.js';
import { PRIORITY_CHANNEL, PriorityList, type PriorityRow } from './priority-list.js';
import { Priorities } from './ranking.js';

const MAX_AGE_MS = 5_000;

const STORE_PROVIDERS = `
insert into provider_priority (provider, priority) select * from unnest($1::text[], $2::int[])
on conflict (provider) do update set priority = excluded.priority, updated_at = now()`;

const STORE_DEVICE_TYPES = `
insert into device_type_priority (device_type, priority) select * from unnest($1::text[], $2::int[])
on conflict (device_type) do update set priority = excluded.priority, updated_at = now()`;

/** The lists of provider and device-type priorities, and the order of sources that summaries derive from both. */
export class PriorityStore {
  readonly providers: PriorityList<ProviderPriority>;
  readonly deviceTypes: PriorityList<DeviceTypePriority>;
  private cached: { readAt: number; priorities: Promise<Priorities> } | undefined;

  /** @param onStored called in the transaction of each change */
  constructor(pool: pg.Pool, onStored?: (client: pg.ClientBase) => Promise<void>) {
    const onChanged = () => this.forget();
    this.providers = new PriorityList({
      pool,
      select: 'select provider as name, id, priority, created_at, updated_at from provider_priority',
      store: STORE_PROVIDERS,
      item: (row) => ({ provider: row.name, ...common(row) }),
      onStored,
      onChanged,
    });
    this.deviceTypes = new PriorityList({
      pool,
      select: 'select device_type as name, id, priority, created_at, updated_at from device_type_priority',
      store: STORE_DEVICE_TYPES,
      item: (row) => ({ device_type: row.name, ...common(row) }),
      onStored,
      onChanged,
    });
  }

  /**
   * Returns the current priorities. Caches them until {@link forget}, which every process calls after a change, and for
   * at most five seconds, because a process can miss a notification.
   */
  current(): Promise<Priorities> {
    if (this.cached && performance.now() - this.cached.readAt < MAX_AGE_MS) return this.cached.priorities;
    const read = { readAt: performance.now(), priorities: this.read() };
    this.cached = read;
    // Removes a failed read from the cache.
    read.priorities.catch(() => {
      if (this.cached === read) this.forget();
    });
    return read.priorities;
  }

  /** Clears the cache, so that the next summary of this process reads the priorities again. */
  forget(): void {
    this.cached = undefined;
  }

  private async read(): Promise<Priorities> {
    const [providers, deviceTypes] = await Promise.all([this.providers.ranks(), this.deviceTypes.ranks()]);
    return new Priorities(providers, deviceTypes);
  }
}

function common({ id, priority, created_at, updated_at }: PriorityRow) {
  return { id, priority, created_at: created_at.toISOString(), updated_at: updated_at.toISOString() };
}

/**
 * Clears the cached priorities when any process changes them. While the channels' connection is lost, the cache is at
 * most five seconds old.
 */
export async function followPriorities({
  priorities,
  channels,
}: {
  priorities: PriorityStore;
  channels: DatabaseChannels;
}): Promise<void> {
  const forget = () => priorities.forget();
  await channels.listen(PRIORITY_CHANNEL, { onMessage: forget, onListening: forget }).attempted;
}
