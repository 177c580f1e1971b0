import type pg from 'pg';
import { lockUser } from '../../../platform/database/index.js';
import { loadAliases, moveTombstones } from '../../facts/sources/alias-rows.js';
import { identityOf } from '../../facts/sources/app-source.js';
import { sourceIdOf } from '../../facts/sources/resolved-source.js';
import { loadSources } from '../../facts/sources/source-rows.js';
import { resolveSources } from '../../facts/sources/sources.js';
import { storedKey } from '../../facts/sources/stored-source.js';
import { removeTombstone } from '../../facts/tombstones.js';
import { deleteSessionIn } from '../session-deletion.js';
import type { RecordWriterOptions } from '../write-options.js';
import { joinSamples } from './join-samples.js';
import { joinSessions } from './join-sessions.js';
import { joinStages } from './join-sleep.js';
import { learnAliases } from './learn-aliases.js';
import type { SourcePair } from './pair.js';
import { returnedSessions } from './returned-sessions.js';

/** What a portion did, and whether there may be more to do. */
export interface JoinedPortion {
  /** Sources that are now another one. */
  joined: number;
  isDone: boolean;
}

/**
 * Finds out which of a user's sources are one and moves what is stored of them to one source, a portion in each call, in
 * the caller's transaction. What is left to do is known by what is stored, so it can end between any two calls.
 * @throws UserMissingError
 */
export async function joinSources(
  client: pg.ClientBase,
  userKey: number,
  how: RecordWriterOptions,
): Promise<JoinedPortion> {
  const { sleepEndGapMinutes: gapMinutes } = how;
  await lockUser(client, userKey);
  const pair = await nextPair(client, userKey);
  if (!pair) return { joined: 0, isDone: (await learnAliases(client, userKey)) === 0 };
  const moved =
    (await joinSamples(client, userKey, pair, how)) || (await joinStages(client, userKey, pair, gapMinutes));
  if (moved) return { joined: 0, isDone: false };
  await joinSessions(client, userKey, pair);
  // Includes what was deleted between two portions.
  await moveTombstones(client, userKey, pair);
  await buryReturned(client, userKey, pair, gapMinutes);
  await client.query('delete from day_minutes where user_key = $1 and source_id = $2', [userKey, pair.bundledId]);
  await client.query('delete from data_source where user_key = $1 and source_id = $2', [userKey, pair.bundledId]);
  return { joined: 1, isDone: false };
}

/** A learnt pair of which something is stored under the bundle id. */
async function nextPair(client: pg.ClientBase, userKey: number): Promise<SourcePair | undefined> {
  const aliases = await loadAliases(client, userKey);
  const stored = await loadSources(client, userKey);
  for (const alias of aliases) {
    const bundledId = stored.get(storedKey(identityOf(alias.bundled)))?.source_id;
    if (bundledId === undefined) continue;
    const named = identityOf(alias.named);
    const { sources } = await resolveSources({ client, userKey, sources: stored, aliases, account: undefined }, [
      named,
    ]);
    return { ...alias, bundledId, namedId: sourceIdOf(sources, named) };
  }
  return undefined;
}

/**
 * Deletes a session that was deleted under one of the two sources and came again under the other one. Where the other
 * one was there at the deletion, only one of two was meant: it stays, and its tombstone goes.
 */
async function buryReturned(
  client: pg.ClientBase,
  userKey: number,
  pair: SourcePair,
  gapMinutes: number,
): Promise<void> {
  for (const { table, id, tombstone, cameAfter } of await returnedSessions(client, userKey, pair)) {
    if (cameAfter) await deleteSessionIn(client, userKey, table, id, gapMinutes);
    else await removeTombstone(client, userKey, tombstone.kind, tombstone.id);
  }
}
