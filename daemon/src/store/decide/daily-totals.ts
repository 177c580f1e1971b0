import { MS_PER_HOUR, SAMPLE_KIND_CODE, slotOfOrdinal } from '@healthd/model';
import type { OffsetTimeline } from '../facts/offsets/offset-timeline.js';
import { type SampleRange, type SampleRows, localDayOf } from '../facts/samples/sample-rows.js';
import type { Identified } from './identified.js';

/** Maximum time between two totals of one local date in any time zone. */
const REACH_MS = 60 * MS_PER_HOUR;
const KIND = SAMPLE_KIND_CODE.daily_total;

/**
 * Matches the batch's daily totals with stored daily totals. Each series, source and local date has one total. The
 * batch's last total of a date wins and replaces the stored total, even at another time.
 * @param positions position of each row in the batch
 * @param stored daily totals in {@link rangesOfTotals}
 */
export function identifyTotals(
  identified: Identified,
  positions: Uint32Array,
  stored: SampleRows,
  timeline: OffsetTimeline,
): void {
  const { rows } = identified;
  const dateOf = (of: SampleRows, at: number) => `${of.typeId[at]} ${of.sourceId[at]} ${localDayOf(of, at, timeline)}`;
  const last = new Map<string, number>();
  for (let row = 0; row < rows.length; row++) {
    if (rows.kind[row] !== KIND) continue;
    const date = dateOf(rows, row);
    const known = last.get(date);
    if (known === undefined) last.set(date, row);
    else {
      const isLater = (positions[row] as number) > (positions[known] as number);
      last.set(date, isLater ? row : known);
      identified.set(isLater ? known : row, 'duplicate');
    }
  }
  if (last.size === 0) return;

  const ofDate = new Map<string, number[]>();
  const used = new Map<string, Set<number>>();
  const usedAt = (of: SampleRows, at: number) => {
    const key = `${of.typeId[at]} ${of.sourceId[at]} ${of.startMs[at]}`;
    return used.get(key) ?? used.set(key, new Set()).get(key)!;
  };
  for (let at = 0; at < stored.length; at++) {
    const date = dateOf(stored, at);
    const ofSame = ofDate.get(date);
    if (ofSame) ofSame.push(at);
    else ofDate.set(date, [at]);
    usedAt(stored, at).add(stored.slot[at] as number);
  }
  for (const [date, row] of last) {
    const known = ofDate.get(date) ?? [];
    const at = known.find((one) => stored.startMs[one] === rows.startMs[row]) ?? known[0];
    const isHere = at !== undefined && stored.startMs[at] === rows.startMs[row];
    rows.slot[row] = isHere ? (stored.slot[at] as number) : freeSlot(usedAt(rows, row));
    if (at !== undefined) identified.replace(row, stored, at);
    // Removes the date's other totals, because earlier releases could store several totals per date.
    for (const other of known) if (other !== at) identified.remove(row, stored, other);
  }
}

/**
 * Returns the lowest free slot of the instant and marks it as used. An instant has only a few totals, one per local
 * date.
 */
function freeSlot(used: Set<number>): number {
  let ordinal = 0;
  while (used.has(slotOfOrdinal(KIND, ordinal))) ordinal++;
  const slot = slotOfOrdinal(KIND, ordinal);
  used.add(slot);
  return slot;
}

/**
 * Returns one range of stored daily totals per series and source. The range contains all totals that may have the local
 * date of one of the rows.
 */
export function rangesOfTotals(rows: SampleRows): SampleRange[] {
  const ranges = new Map<string, SampleRange>();
  for (let row = 0; row < rows.length; row++) {
    if (rows.kind[row] !== KIND) continue;
    const typeId = rows.typeId[row] as number;
    const sourceId = rows.sourceId[row] as number;
    const startMs = rows.startMs[row] as number;
    const range = ranges.get(`${typeId} ${sourceId}`);
    if (range) {
      range.fromMs = Math.min(range.fromMs, startMs - REACH_MS);
      range.toMs = Math.max(range.toMs, startMs + REACH_MS);
    } else {
      const reach = { fromMs: startMs - REACH_MS, toMs: startMs + REACH_MS };
      ranges.set(`${typeId} ${sourceId}`, { typeId, sourceIds: [sourceId], kindCode: KIND, ...reach });
    }
  }
  return [...ranges.values()];
}
