import type { HealthRecord, ProviderId } from '@healthd/model';
import { storableText } from './storable-text.js';

/** The tables of sessions that can be deleted one by one. */
export type SessionTable = 'workout' | 'sleep_session' | 'menstrual_cycle';

/** A session that was deleted here. */
export interface Tombstone {
  id: string;
  deletedAt: Date;
  kind: SessionTable;
  provider: ProviderId;
  /** Of its source without the vendor account. */
  sourceKey: string;
  /** Vendor account of its source; undefined for pushes and files, and where it is unknown. */
  account?: string;
  /** Of its source without the device. */
  writerKey: string;
  externalId?: string;
  workoutType?: string;
  startMs: number;
  endMs: number;
}

/** The table of the session that a record is or belongs to; undefined for what cannot be deleted one by one. */
export function kindOf({ kind }: HealthRecord): SessionTable | undefined {
  if (kind === 'sleep_stage') return 'sleep_session';
  return kind === 'workout' || kind === 'sleep_session' || kind === 'menstrual_cycle' ? kind : undefined;
}

/**
 * Whether a record is the deleted session or a part of it: by its id; else a workout or cycle by type, start and end, and
 * sleep, which comes in pieces and grows, by its start or by lying mostly inside. Different ids are different sessions,
 * unless the spans are equal.
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

/** Whether a record of the same source, or writer, is the deleted session or a part of it by its id. */
function hasItsId(tombstone: Tombstone, record: HealthRecord): boolean {
  const externalId = externalIdOf(record);
  return kindOf(record) === tombstone.kind && externalId !== undefined && externalId === tombstone.externalId;
}

/** Tombstones of one source or writer, found without comparing a record with each of them. */
export class TombstoneIndex {
  private readonly byId = new Map<string, Tombstone[]>();
  private readonly byStart: Tombstone[];
  /** The latest end of the tombstones up to each position of `byStart`. */
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

  /** A tombstone that {@link covers} the record. */
  covering(record: HealthRecord, isMeant: (tombstone: Tombstone) => boolean = () => true): Tombstone | undefined {
    const named = this.withIdOf(record, isMeant);
    if (named !== undefined || !('startMs' in record) || !('endMs' in record)) return named;
    // A tombstone that covers it otherwise begins in its second or overlaps it.
    const lastStartMs = Math.max(record.startMs + 999, record.endMs);
    for (let at = this.countUntil(lastStartMs) - 1; at >= 0; at--) {
      if ((this.latestEnds[at] as number) < record.startMs - 999) return undefined;
      const tombstone = this.byStart[at] as Tombstone;
      if (covers(tombstone, record) && isMeant(tombstone)) return tombstone;
    }
    return undefined;
  }

  /** A tombstone with the id of the record. */
  withIdOf(record: HealthRecord, isMeant: (tombstone: Tombstone) => boolean = () => true): Tombstone | undefined {
    const externalId = externalIdOf(record);
    if (externalId === undefined) return undefined;
    return this.byId.get(externalId)?.find((tombstone) => hasItsId(tombstone, record) && isMeant(tombstone));
  }

  /** How many tombstones start at an instant or before. */
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

/** Exports print no more than seconds. */
function isSameSecond(a: number, b: number): boolean {
  return Math.floor(a / 1000) === Math.floor(b / 1000);
}
