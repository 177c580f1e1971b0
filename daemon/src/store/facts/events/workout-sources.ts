import type { StoredSource, StoredSources } from '../sources/stored-source.js';
import { storableText } from '../storable-text.js';
import type { WriteContext } from '../write-context.js';
import type { WorkoutRow } from './workouts.js';

/**
 * Gives each workout whose id its writer uses for no other one source: the device that was named last, be it by an item
 * that is stored or by one that arrives. What is stored under another source moves there.
 */
export async function withKnownSources(
  { client, userKey, sources }: WriteContext & { sources: StoredSources },
  rows: readonly WorkoutRow[],
): Promise<WorkoutRow[]> {
  const shared = rows.filter(isShared);
  if (shared.length === 0) return [...rows];
  const byId = new Map([...sources.values()].map((source) => [source.source_id, source]));
  const nameOf = ({ sourceId, externalId = '' }: Pick<WorkoutRow, 'sourceId' | 'externalId'>) =>
    JSON.stringify([writerOf(byId.get(sourceId)), storableText(externalId)]);
  const { rows: stored } = await client.query<{ sourceId: number; externalId: string }>(
    `select source_id as "sourceId", external_id as "externalId" from workout
      where user_key = $1 and external_id = any ($2::text[]) and source_id = any ($3::int[]) order by created_at, id`,
    [userKey, shared.map(({ externalId = '' }) => storableText(externalId)), [...byId.keys()]],
  );
  const chosen = new Map<string, number>();
  for (const item of [...stored, ...shared]) {
    const name = nameOf(item);
    const known = chosen.get(name);
    if (known === undefined || byId.get(item.sourceId)?.device_model !== null) chosen.set(name, item.sourceId);
  }
  const isThere = new Set(stored.map((item) => `${item.sourceId} ${item.externalId}`));
  for (const item of stored) {
    const sourceId = chosen.get(nameOf(item));
    if (sourceId === undefined || isThere.has(`${sourceId} ${item.externalId}`)) continue;
    isThere.add(`${sourceId} ${item.externalId}`);
    await client.query(
      'update workout set source_id = $3 where user_key = $1 and source_id = $2 and external_id = $4',
      [userKey, item.sourceId, sourceId, item.externalId],
    );
  }
  return rows.map((row) => (isShared(row) ? { ...row, sourceId: chosen.get(nameOf(row)) ?? row.sourceId } : row));
}

/** Whether the id of a workout is that of one among all sources of its writer. */
export function isShared({ idScope, externalId }: WorkoutRow): boolean {
  return idScope === 'writer' && externalId !== undefined;
}

function writerOf(source: StoredSource | undefined) {
  return [source?.provider, source?.writer];
}
