import { SAMPLE_KIND_CODE } from '@healthd/model';
import type pg from 'pg';
import { CONDENSED_MS, firstWithin, isSummed, isSumOfParts } from './condensed.js';
import { type Added, condensedCandidates } from './condensed-candidates.js';
import { FATE, type Identified } from './identified.js';
import type { GroupedSamples } from './sample-groups.js';
import { readSamples } from './sample-reader.js';

/** Stored samples are read in windows of this length: bounds memory. */
const WINDOW_MS = 31 * CONDENSED_MS.most;

/**
 * Removes stored condensed samples that new rows of the batch complete the pieces of, see `isSumOfParts`: the pieces count,
 * whichever came first. What that leaves of new condensed rows without a sum of their own is superseded too.
 */
export async function removeCondensed(
  client: pg.ClientBase,
  userKey: number,
  identified: Identified,
  grouped: GroupedSamples,
): Promise<void> {
  for (const added of addedPieces(identified, grouped)) {
    const stored = await readSamples(client, userKey, [
      {
        typeId: added.typeId,
        sourceIds: [added.sourceId],
        kindCode: SAMPLE_KIND_CODE.sample,
        fromMs: added.firstMs - CONDENSED_MS.most,
        toMs: added.lastMs + CONDENSED_MS.most + 1,
      },
    ]);
    const gone = new Set<number>();
    const counts = (other: number) => !gone.has(other) && identified.stays(stored, other);
    for (const { of, at, row } of condensedCandidates(identified.rows, added, stored)) {
      const around = { stored, from: firstWithin(stored, of, at), counts };
      if (!isSumOfParts(identified, of, at, around)) continue;
      if (of === stored) {
        gone.add(at);
        identified.supersede(row, stored, at);
      } else identified.set(row, 'superseded');
    }
  }
}

function addedPieces({ rows, fates }: Identified, { groups, groupOfRow }: GroupedSamples): Iterable<Added> {
  const windows = new Map<string, Added>();
  if (!groups.some(({ mayBePieces }) => mayBePieces)) return [];
  for (let row = 0; row < rows.length; row++) {
    if (fates[row] !== FATE.insert || !isSummed(rows, row)) continue;
    const group = groups[groupOfRow[row] as number];
    if (!group?.mayBePieces) continue;
    const { typeId, sourceId } = group;
    const startMs = rows.startMs[row] as number;
    const key = `${typeId} ${sourceId} ${Math.floor(startMs / WINDOW_MS)}`;
    const added = windows.get(key);
    if (added) {
      added.rows.push(row);
      added.lastMs = startMs;
    } else windows.set(key, { typeId, sourceId, rows: [row], firstMs: startMs, lastMs: startMs });
  }
  return windows.values();
}
