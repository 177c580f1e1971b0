import type { HealthRecord } from '@healthd/model';
import type { ResolvedSource } from '../facts/sources/resolved-source.js';
import { storedKey } from '../facts/sources/stored-source.js';
import { storableText } from '../facts/storable-text.js';
import type { SessionTable, Tombstone } from '../facts/tombstones.js';

/** Returns a batch's records that belong to sessions that were deleted here. */
export function suppressedRecords(
  tombstones: readonly Tombstone[],
  records: readonly HealthRecord[],
  sources: ReadonlyMap<string, ResolvedSource>,
): ReadonlySet<HealthRecord> {
  if (tombstones.length === 0) return new Set();
  const ofSource = grouped(tombstones, ({ sourceKey: key }) => key);
  const ofWriter = grouped(tombstones, ({ writerKey }) => writerKey);
  return new Set(
    records.filter((record) => {
      if (kindOf(record) === undefined) return false;
      const source = 'source' in record ? sources.get(storedKey(record.source)) : undefined;
      const writer = writerKeyOf(record);
      const matches = (tombstone: Tombstone) =>
        // A tombstone with an unknown account applies to every account.
        tombstone.account === undefined || tombstone.account === source?.account;
      return (
        (source !== undefined && ofSource.get(source.keyOfAnyAccount)?.covering(record, matches) !== undefined) ||
        (writer !== undefined && ofWriter.get(writer)?.withIdOf(record) !== undefined)
      );
    }),
  );
}

function grouped(
  tombstones: readonly Tombstone[],
  keyOf: (tombstone: Tombstone) => string,
): Map<string, TombstoneIndex> {
  const groups = new Map<string, Tombstone[]>();
  for (const tombstone of tombstones) {
    const key = keyOf(tombstone);
    const known = groups.get(key);
    if (known) known.push(tombstone);
    else groups.set(key, [tombstone]);
  }
  return new Map([...groups].map(([key, own]) => [key, new TombstoneIndex(own)]));
}

/** Returns the key of a record whose ID identifies one item on every device of its writer. */
function writerKeyOf(record: HealthRecord): string | undefined {
  if (record.kind !== 'workout' || record.idScope !== 'writer') return undefined;
  const { provider, writer } = record.source;
  return storedKey({ provider, writer });
}

/** Returns the table of a record's session; undefined if it cannot be deleted individually. */
function kindOf({ kind }: HealthRecord): SessionTable | undefined {
  if (kind === 'sleep_stage') return 'sleep_session';
  return kind === 'workout' || kind === 'sleep_session' || kind === 'menstrual_cycle' ? kind : undefined;
}

/**
 * True if a record is the deleted session or a part of it. Compares IDs first. Otherwise workouts match by type, start
 * and end, and cycles by start and end. Sleep arrives in pieces and grows, so it matches by its start or by lying
 * mostly inside the session. Sleep with another ID matches only if it is a session with the same span.
 */
function covers(tombstone: Tombstone, record: HealthRecord): boolean {
  if (kindOf(record) !== tombstone.kind || !('startMs' in record) || !('endMs' in record)) return false;
  if (hasItsId(tombstone, record)) return true;
  const externalId = externalIdOf(record);
  const startsEqual = isSameSecond(record.startMs, tombstone.startMs);
  const spansEqual = startsEqual && isSameSecond(record.endMs, tombstone.endMs);
  if (record.kind === 'workout') return spansEqual && record.type === tombstone.workoutType;
  if (record.kind === 'menstrual_cycle') return spansEqual;
  if (externalId !== undefined && tombstone.externalId !== undefined)
    return record.kind !== 'sleep_stage' && spansEqual;
  const sharedMs = Math.min(record.endMs, tombstone.endMs) - Math.max(record.startMs, tombstone.startMs);
  return startsEqual || 2 * sharedMs >= record.endMs - record.startMs;
}

/**
 * True if the record has the deleted session's ID, or is a part of the session with this ID. The record must have the
 * same source or writer.
 */
function hasItsId(tombstone: Tombstone, record: HealthRecord): boolean {
  const externalId = externalIdOf(record);
  return kindOf(record) === tombstone.kind && externalId !== undefined && externalId === tombstone.externalId;
}

/** Indexed tombstones of one source or writer, so that a record is not compared with every tombstone. */
export class TombstoneIndex {
  private readonly byId = new Map<string, Tombstone[]>();
  private readonly byStart: Tombstone[];
  /** Latest end of the tombstones up to each position of `byStart`. */
  private readonly latestEnds: number[] = [];

  constructor(tombstones: readonly Tombstone[]) {
    for (const tombstone of tombstones) {
      if (tombstone.externalId === undefined) continue;
      const known = this.byId.get(tombstone.externalId);
      if (known) known.push(tombstone);
      else this.byId.set(tombstone.externalId, [tombstone]);
    }
    this.byStart = [...tombstones].sort((a, b) => a.startMs - b.startMs);
    let latest = Number.NEGATIVE_INFINITY;
    for (const { endMs } of this.byStart) {
      latest = Math.max(latest, endMs);
      this.latestEnds.push(latest);
    }
  }

  /** Returns a tombstone that {@link covers} the record. */
  covering(record: HealthRecord, matches: (tombstone: Tombstone) => boolean = () => true): Tombstone | undefined {
    const named = this.withIdOf(record, matches);
    if (named !== undefined || !('startMs' in record) || !('endMs' in record)) return named;
    // A covering tombstone without the record's ID starts in the same second as the record or overlaps it.
    const lastStartMs = Math.max(record.startMs + 999, record.endMs);
    for (let at = this.countUntil(lastStartMs) - 1; at >= 0; at--) {
      if ((this.latestEnds[at] as number) < record.startMs - 999) return undefined;
      const tombstone = this.byStart[at] as Tombstone;
      if (covers(tombstone, record) && matches(tombstone)) return tombstone;
    }
    return undefined;
  }

  /** Returns a tombstone with the record's ID. */
  withIdOf(record: HealthRecord, matches: (tombstone: Tombstone) => boolean = () => true): Tombstone | undefined {
    const externalId = externalIdOf(record);
    if (externalId === undefined) return undefined;
    return this.byId.get(externalId)?.find((tombstone) => hasItsId(tombstone, record) && matches(tombstone));
  }

  /** Counts tombstones that start at or before a time. */
  private countUntil(ms: number): number {
    let low = 0;
    let high = this.byStart.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.byStart[middle] as Tombstone).startMs <= ms) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function externalIdOf(record: HealthRecord): string | undefined {
  if (record.kind === 'sleep_stage') return record.sessionId && storableText(record.sessionId);
  return 'externalId' in record && record.externalId !== undefined ? storableText(record.externalId) : undefined;
}

/** Compares whole seconds, because exports have no fractions. */
function isSameSecond(a: number, b: number): boolean {
  return Math.floor(a / 1000) === Math.floor(b / 1000);
}
