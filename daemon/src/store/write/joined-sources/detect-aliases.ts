import type pg from 'pg';
import { addAlias, loadAliases } from '../../facts/sources/alias-rows.js';
import { type AppSource, appOf, isSameApp } from '../../facts/sources/app-source.js';
import { contradicts, openPairs } from '../../facts/sources/source-aliases.js';
import { addExclusiveSamples, compareSamples } from './compare-samples.js';
import { addExclusiveSessions, compareSessions } from './compare-sessions.js';
import { Evidence } from './evidence.js';
import type { SourcePair } from './pair.js';
import { loadSampledDays, type SampledDays } from './sampled-days.js';

interface StoredApp extends AppSource {
  sourceId: number;
}

/**
 * Detects the user's duplicate sources from stored data and saves them as aliases. Ignores pairs that contradict each
 * other. The user's row must be locked.
 * @returns the number of detected aliases
 */
export async function detectAliases(client: pg.ClientBase, userKey: number): Promise<number> {
  const { rows } = await client.query<{
    source_id: number;
    provider: AppSource['provider'];
    writer: string | null;
    device_model: string | null;
    device_id: string | null;
  }>('select source_id, provider, writer, device_model, device_id from data_source where user_key = $1', [userKey]);
  const apps = rows.flatMap((row): StoredApp[] => {
    const { provider, writer, device_model: deviceModel, device_id: deviceId } = row;
    const app = appOf({ provider, writer, deviceModel, deviceId });
    return app ? [{ ...app, sourceId: row.source_id }] : [];
  });
  const idOf = (app: AppSource) => apps.find((one) => isSameApp(one, app))?.sourceId as number;
  const pairs = openPairs(apps, await loadAliases(client, userKey)).map(
    ({ named, bundled }): SourcePair => ({ named, bundled, namedId: idOf(named), bundledId: idOf(bundled) }),
  );
  if (pairs.length === 0) return 0;
  const ids = [...new Set(pairs.flatMap(({ namedId, bundledId }) => [namedId, bundledId]))];
  const sampled = await loadSampledDays(client, userKey, ids);
  const found: SourcePair[] = [];
  for (const pair of pairs) {
    const others = rows
      .filter(
        (row) =>
          row.provider === pair.bundled.provider && row.source_id !== pair.namedId && row.source_id !== pair.bundledId,
      )
      .map((row) => row.source_id);
    if (await areOne(client, userKey, pair, { sampled, otherIds: others })) found.push(pair);
  }
  const sure = found.filter((pair) => !found.some((other) => other !== pair && contradicts(other, pair)));
  for (const pair of sure) await addAlias(client, userKey, pair);
  await markCompared(client, userKey, ids);
  return sure.length;
}

/** Saves the days on which the compared sources have items: see `comparisonAfter`. */
async function markCompared(client: pg.ClientBase, userKey: number, sourceIds: readonly number[]): Promise<void> {
  const days = [
    ['day_value', 'local_date'],
    ['workout', "(start_at at time zone 'UTC')::date"],
    ['sleep_stage', "(start_at at time zone 'UTC')::date"],
  ].map(
    ([table, day]) =>
      `select source_id, ${day} as day from ${table} where user_key = $1 and source_id = any ($2::int[])`,
  );
  await client.query(
    `update data_source d set compared_from = coalesce(had.first, current_date), compared_until = coalesce(had.last, current_date)
       from unnest($2::int[]) as compared (source_id)
       left join (select source_id, min(day) as first, max(day) as last from (${days.join(' union all ')}) items
                   group by source_id) had using (source_id)
      where d.user_key = $1 and d.source_id = compared.source_id`,
    [userKey, sourceIds],
  );
}

async function areOne(
  client: pg.ClientBase,
  userKey: number,
  pair: SourcePair,
  { sampled, otherIds }: { sampled: SampledDays; otherIds: readonly number[] },
): Promise<boolean> {
  const evidence = new Evidence();
  const sessions = await compareSessions(client, userKey, pair, evidence);
  const samples = await compareSamples(client, userKey, pair, sampled, evidence);
  if (!evidence.isPromising) return false;
  await addExclusiveSessions(client, userKey, sessions, otherIds, evidence);
  await addExclusiveSamples(client, userKey, samples, otherIds, evidence);
  return evidence.isEnough;
}
