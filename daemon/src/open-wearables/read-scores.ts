import { type HealthScoreRecord, isProviderId, SCORE_CATEGORIES, type SourceIdentity } from '@healthd/model';
import { sourceOfProvider } from './migrated-source.js';
import { msOf, offsetOf } from './read-samples.js';
import type { SourceDatabase } from './source-database.js';

interface ScoreRow {
  id: string;
  data_source_id: string | null;
  provider: string;
  category: string;
  value: number | null;
  qualifier: string | null;
  at_ms: number;
  zone_offset: string | null;
  components: unknown;
}

/** SQL condition: a vendor computed the score. Open Wearables computed the other scores. */
export const VENDORS_SCORE = `provider <> 'internal'`;

/** Reads one user's scores that vendors computed. */
export async function* readScores(
  database: SourceDatabase,
  userId: string,
  sources: ReadonlyMap<string, SourceIdentity>,
): AsyncGenerator<HealthScoreRecord> {
  const rows = database.stream<ScoreRow>(
    `select id, data_source_id, provider, category, value::float8 as value, qualifier, ${msOf('recorded_at')} as at_ms,
            zone_offset, components
       from health_score where user_id = $1 and ${VENDORS_SCORE} order by recorded_at, id`,
    [userId],
  );
  for await (const row of rows) {
    const { provider } = row;
    if (!isProviderId(provider) || !(SCORE_CATEGORIES as readonly string[]).includes(row.category)) continue;
    const named = row.data_source_id === null ? undefined : sources.get(row.data_source_id);
    yield {
      kind: 'health_score',
      source: named?.provider === provider ? named : sourceOfProvider(provider),
      externalId: row.id,
      category: isBedtimeQuality(row) ? 'sleep_timing' : row.category,
      value: row.value ?? undefined,
      qualifier: row.qualifier ?? undefined,
      atMs: row.at_ms,
      offsetMinutes: offsetOf(row.zone_offset),
      components: componentsOf(row.components),
    };
  }
}

/** True for Polar's bedtime quality (1 to 3), which Open Wearables stores together with sleep scores (1 to 100). */
function isBedtimeQuality({ provider, category, components }: ScoreRow): boolean {
  const isSleep = provider === 'polar' && category === 'sleep';
  return isSleep && typeof components === 'object' && components !== null && 'sleep_gate_start' in components;
}

function componentsOf(given: unknown): HealthScoreRecord['components'] {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined;
  const parts = Object.entries(given).flatMap(([name, part]: [string, unknown]) => {
    if (typeof part !== 'object' || part === null) return [];
    const { value, qualifier } = part as Record<string, unknown>;
    const shown = {
      value: typeof value === 'number' ? value : null,
      qualifier: typeof qualifier === 'string' ? qualifier : null,
    };
    return [[name, shown] as const];
  });
  return parts.length > 0 ? Object.fromEntries(parts) : undefined;
}
