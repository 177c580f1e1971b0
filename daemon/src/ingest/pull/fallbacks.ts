import { hashOfId, hashOfSlot, isAnyNear, keepRows, type ProviderId, type RecordBatch } from '@healthd/model';
import type { Fallbacks } from '@healthd/providers';
import type pg from 'pg';

/** Returns the batch without fallback samples whose preferred samples are already stored; see {@link Fallbacks}. */
export async function dropFallbacks(
  client: pg.ClientBase,
  { userKey, provider, account }: { userKey: number; provider: ProviderId; account: string },
  batch: RecordBatch,
  { typeId, externalIds, insteadOf, nearMs }: Fallbacks,
): Promise<RecordBatch> {
  const { samples } = batch;
  const hashes = new Set(externalIds.map(hashOfId));
  const isFallback = (row: number) => samples.typeId[row] === typeId && hashes.has(samples.idHash[row] as number);
  const times = [...samples.startMs.subarray(0, samples.length)].filter((_, row) => isFallback(row));
  if (times.length === 0) return batch;
  const [fromMs, toMs] = times.reduce(
    ([least, most], ms) => [Math.min(least, ms), Math.max(most, ms)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
  const { rows } = await client.query<{ at: Date; slot: number }>(
    `select m.start_at as at, m.slot from sample m
       join data_source d on d.user_key = m.user_key and d.source_id = m.source_id and d.provider = $2
                          and coalesce(d.account, $6) = $6
      where m.user_key = $1 and m.type_id = $3 and m.start_at > $4 and m.start_at < $5 order by m.start_at`,
    [userKey, provider, typeId, new Date(fromMs - nearMs), new Date(toMs + nearMs), account],
  );
  const sought = new Set(insteadOf.map(hashOfId));
  const stored = rows.filter(({ slot }) => sought.has(hashOfSlot(slot))).map(({ at }) => at.getTime());
  const isNeeded = (row: number) => !isFallback(row) || !isAnyNear(stored, samples.startMs[row] as number, nearMs);
  return { ...batch, samples: keepRows(samples, isNeeded) };
}
