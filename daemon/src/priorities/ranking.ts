import { createHash } from 'node:crypto';
import { ABSENT_PRIORITY } from '@healthd/model';
import type pg from 'pg';

/** What ranks one source before another; lower wins. */
export interface Ranked {
  provider: string;
  deviceType: string | null;
  sourceId: number;
}

/** What decides between two sources. */
export type Criterion = 'provider_priority' | 'device_type_priority' | 'coverage' | 'source_id';

const MAX_AGE_MS = 5_000;

/** Priorities of providers and of device types, the same for all users of the service. */
export class Priorities {
  constructor(
    private readonly providers: ReadonlyMap<string, number>,
    private readonly deviceTypes: ReadonlyMap<string, number>,
  ) {}

  /**
   * Orders candidates of one day: provider, then stored device type, then the longer coverage, then the older source.
   * A provider or device type without a priority comes last.
   */
  compare(a: Ranked & { coveredMinutes: number }, b: Ranked & { coveredMinutes: number }): number {
    return (
      this.provider(a) - this.provider(b) ||
      this.deviceType(a) - this.deviceType(b) ||
      b.coveredMinutes - a.coveredMinutes ||
      a.sourceId - b.sourceId
    );
  }

  /** The first criterion of {@link compare} that distinguishes two different sources. */
  criterion(a: Ranked & { coveredMinutes: number }, b: Ranked & { coveredMinutes: number }): Criterion {
    if (this.provider(a) !== this.provider(b)) return 'provider_priority';
    if (this.deviceType(a) !== this.deviceType(b)) return 'device_type_priority';
    return a.coveredMinutes === b.coveredMinutes ? 'source_id' : 'coverage';
  }

  /** A number that stands for the priorities of device types: equal for equal priorities, below 2^48. */
  get deviceOrder(): number {
    const ranks = [...this.deviceTypes].map(([name, priority]) => `${name}=${priority}`).sort();
    return createHash('sha256').update(ranks.join()).digest().readUIntBE(0, 6);
  }

  /** Rank of a provider; lower wins. */
  provider({ provider }: Pick<Ranked, 'provider'>): number {
    return this.providers.get(provider) ?? ABSENT_PRIORITY;
  }

  /** Rank of a kind of device; lower wins. */
  deviceType({ deviceType }: Pick<Ranked, 'deviceType'>): number {
    return this.deviceTypes.get(deviceType ?? 'unknown') ?? ABSENT_PRIORITY;
  }
}

const READ = `
  select 'provider' as kind, provider as name, priority from provider_priority
  union all select 'device_type', device_type, priority from device_type_priority`;

const cache = new WeakMap<pg.Pool, { readAt: number; priorities: Promise<Priorities> }>();

/**
 * The priorities in force. They are cached until {@link forgetPriorities}, which every process calls when they change,
 * and for five seconds at most, in case a process was not notified.
 */
export function prioritiesOf(pool: pg.Pool): Promise<Priorities> {
  const known = cache.get(pool);
  if (known && performance.now() - known.readAt < MAX_AGE_MS) return known.priorities;
  const priorities = readPriorities(pool);
  cache.set(pool, { readAt: performance.now(), priorities });
  // A failed read must not be remembered.
  priorities.catch(() => cache.delete(pool));
  return priorities;
}

/** Makes the next summary of this process read the priorities again. */
export function forgetPriorities(pool: pg.Pool): void {
  cache.delete(pool);
}

async function readPriorities(pool: pg.Pool): Promise<Priorities> {
  const { rows } = await pool.query<{ kind: string; name: string; priority: number }>(READ);
  const of = (kind: string) =>
    new Map(rows.filter((row) => row.kind === kind).map(({ name, priority }) => [name, priority]));
  return new Priorities(of('provider'), of('device_type'));
}
