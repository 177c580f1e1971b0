import type pg from 'pg';
import { lockUser } from '../../../platform/database/index.js';
import { Turns } from '../../../platform/turns.js';
import { decideSources, placedSources } from '../../decide/sources.js';
import { refreshNights } from '../../derived/nights/night-value.js';
import { moveDeletedRanges } from '../../facts/pushed/pushed-ranges.js';
import { movePushedSamples } from '../../facts/pushed/pushed-samples.js';
import { movePushedTombstones } from '../../facts/pushed/pushed-tombstones.js';
import { loadAliases, moveTombstones } from '../../facts/sources/alias-rows.js';
import { identityOf } from '../../facts/sources/app-source.js';
import { sourceIdOf } from '../../facts/sources/resolved-source.js';
import { loadSources, upsertSources } from '../../facts/sources/source-rows.js';
import { storedKey } from '../../facts/sources/stored-source.js';
import { removeTombstone } from '../../facts/tombstones.js';
import { deleteSessionIn } from '../session-deletion.js';
import type { RecordWriterOptions } from '../write-options.js';
import { detectAliases } from './detect-aliases.js';
import { joinSamples } from './join-samples.js';
import { joinSessions } from './join-sessions.js';
import { joinStages } from './join-sleep.js';
import type { SourcePair } from './pair.js';
import { findRedeliveredSessions } from './redelivered-sessions.js';

/** Outcome of a chunk, and whether more work may remain. */
export interface JoinOutcome {
  /** Sources that were merged into another source. */
  joined: number;
  isDone: boolean;
}

/**
 * Detects a user's duplicate sources and moves their data to one source. Each call handles one chunk in the caller's
 * transaction. The stored data determines the remaining work, so the join can be interrupted between calls.
 * @throws UserMissingError
 */
export async function joinSources(
  client: pg.ClientBase,
  userKey: number,
  how: RecordWriterOptions,
): Promise<JoinOutcome> {
  const { sleepEndGapMinutes: gapMinutes } = how;
  await lockUser(client, userKey);
  const pair = await nextPair(client, userKey);
  if (!pair) return { joined: 0, isDone: (await detectAliases(client, userKey)) === 0 };
  const moved =
    (await joinSamples(client, userKey, pair, how)) || (await joinStages(client, userKey, pair, gapMinutes));
  if (moved) return { joined: 0, isDone: false };
  await joinSessions(client, userKey, pair);
  // Moves the tombstones again, to include items that were deleted between two chunks.
  await moveTombstones(client, userKey, pair);
  await deleteRedeliveredSessions(client, userKey, pair, gapMinutes);
  await joinNightReadings(client, userKey, pair);
  await movePushedSamples(client, userKey, pair.bundledId, pair.namedId);
  await movePushedTombstones(client, userKey, pair.bundledId, pair.namedId);
  await moveDeletedRanges(client, userKey, pair.bundledId, pair.namedId);
  await client.query('delete from day_minutes where user_key = $1 and source_id = $2', [userKey, pair.bundledId]);
  await client.query('delete from data_source where user_key = $1 and source_id = $2', [userKey, pair.bundledId]);
  return { joined: 1, isDone: false };
}

/** Moves archived nightly readings to the named source and recomputes nights that refer to the bundled source. */
async function joinNightReadings(
  client: pg.ClientBase,
  userKey: number,
  { namedId, bundledId }: SourcePair,
): Promise<void> {
  await client.query(
    `with bundled as (
       delete from night_archive where user_key = $1 and (night_source_id = $3 or source_id = $3) returning *
     )
     insert into night_archive as stored (user_key, wake_date, night_source_id, type_id, source_id, asleep_count,
                                          asleep_sum, window_count, window_sum)
     select user_key, wake_date, case night_source_id when $3 then $2 else night_source_id end as night_id, type_id,
            case source_id when $3 then $2 else source_id end as reading_id, sum(asleep_count), sum(asleep_sum),
            sum(window_count), sum(window_sum)
       from bundled
      group by user_key, wake_date, night_id, type_id, reading_id
     on conflict (user_key, wake_date, night_source_id, type_id, source_id) do update
        set asleep_count = stored.asleep_count + excluded.asleep_count,
            asleep_sum = stored.asleep_sum + excluded.asleep_sum,
            window_count = stored.window_count + excluded.window_count,
            window_sum = stored.window_sum + excluded.window_sum`,
    [userKey, namedId, bundledId],
  );
  await client.query('update night_source set source_id = $2 where user_key = $1 and source_id = $3', [
    userKey,
    namedId,
    bundledId,
  ]);
  const { rows } = await client.query<{ wake_date: string }>(
    `delete from night_value where user_key = $1 and (night_source_id = $2 or source_id = $2)
     returning wake_date::text`,
    [userKey, bundledId],
  );
  await refreshNights(client, userKey, new Set(rows.map(({ wake_date: date }) => date)));
}

/** Returns a detected pair with data stored under the bundle id. */
async function nextPair(client: pg.ClientBase, userKey: number): Promise<SourcePair | undefined> {
  const aliases = await loadAliases(client, userKey);
  const stored = await loadSources(client, userKey);
  for (const alias of aliases) {
    const bundledId = stored.get(storedKey(identityOf(alias.bundled)))?.source_id;
    if (bundledId === undefined) continue;
    const named = identityOf(alias.named);
    const known = { sources: stored, aliases, account: undefined };
    const decided = await new Turns().run(decideSources(known, [named]));
    const { sources } = placedSources(known, decided, await upsertSources(client, userKey, decided.written));
    return { ...alias, bundledId, namedId: sourceIdOf(sources, named) };
  }
  return undefined;
}

/**
 * Deletes a session that was deleted under one source and redelivered under the other source. If both copies existed at
 * the deletion, the deletion applied to one copy only: keeps the other copy and drops its tombstone.
 */
async function deleteRedeliveredSessions(
  client: pg.ClientBase,
  userKey: number,
  pair: SourcePair,
  gapMinutes: number,
): Promise<void> {
  for (const { table, id, tombstone, cameAfter } of await findRedeliveredSessions(client, userKey, pair)) {
    if (cameAfter) await deleteSessionIn(client, userKey, table, id, gapMinutes);
    else await removeTombstone(client, userKey, tombstone.kind, tombstone.id);
  }
}
