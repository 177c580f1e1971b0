import {
  parseOffset,
  type RejectionCode,
  type SourceIdentity,
  sourceKey,
  ZoneOffsets,
  ZoneObservations,
} from '@healthd/model';
import { intervalProblem } from '../interval.js';
import {
  isObject,
  type PayloadInstant,
  type PayloadObject,
  parseInstant,
  parseUtcSeconds,
  textOf,
} from '../payload/index.js';
import type { PushAdapter } from './adapter.js';
import type { PushCollection, PushTally } from './push-report.js';
import { pushedSource, pushedSourceKey } from './pushed-source.js';

const CACHED_READERS = 4;

/**
 * Caches the sources of recent items. Items repeat their source verbatim, and comparing a source takes a tenth of the
 * time of reading a source.
 */
class RecentSources {
  private readonly entries: { sent: PayloadObject; members: number; source: SourceIdentity }[] = [];
  private next = 0;

  find(sent: PayloadObject): SourceIdentity | undefined {
    for (const entry of this.entries) if (isEqual(sent, entry.sent, entry.members)) return entry.source;
    return undefined;
  }

  keep(sent: PayloadObject, source: SourceIdentity): void {
    this.entries[this.next] = { sent, members: Object.keys(sent).length, source };
    this.next = (this.next + 1) % CACHED_READERS;
  }
}

/** True for equal texts and numbers, and objects of equal texts and numbers. @param members number of members in `b` */
function isEqual(a: PayloadObject, b: PayloadObject, members: number): boolean {
  let count = 0;
  for (const name in a) {
    count++;
    const own = a[name];
    const other = b[name];
    if (own === other) continue;
    if (!isObject(own) || !isObject(other) || !isEqual(own, other, Object.keys(other).length)) return false;
  }
  return count === members;
}

/** Common members of all items. Instants in milliseconds since 1970. */
export interface PlacedItem {
  item: PayloadObject;
  index: number;
  source: SourceIdentity;
  startMs: number;
  endMs: number;
  offsetMinutes?: number;
}

/** Reads the common members of all lists and caches repeated values. */
export class ItemReader {
  private readonly sources = new Map<string, SourceIdentity>();
  private readonly identities = new Map<string, SourceIdentity>();
  private readonly zones = new ZoneOffsets();
  private readonly fixedOffsets = new Map<unknown, number>();
  private readonly recent = new RecentSources();

  /** Zones that items named. */
  readonly observations: ZoneObservations;
  /** Last result of {@link place}. */
  readonly placed: { source: SourceIdentity; startMs: number; endMs: number; offsetMinutes: number | undefined };

  /** @param latestMs latest accepted start of an item */
  constructor(
    readonly adapter: PushAdapter,
    readonly tally: PushTally,
    private readonly latestMs = Number.POSITIVE_INFINITY,
  ) {
    this.observations = new ZoneObservations(adapter.provider);
    this.placed = {
      source: { provider: adapter.provider },
      startMs: Number.NaN,
      endMs: Number.NaN,
      offsetMinutes: undefined,
    };
  }

  /** Reads an item; undefined if it has no usable time and is rejected. */
  read(collection: PushCollection, value: unknown, index: number): PlacedItem | undefined {
    if (!this.place(collection, value, index)) return undefined;
    const { source, startMs, endMs, offsetMinutes } = this.placed;
    return { item: value, index, source, startMs, endMs, offsetMinutes };
  }

  /**
   * Like {@link read}, but stores the result in {@link placed}. Avoids an object per record, because a batch has
   * thousands of records.
   */
  place(collection: PushCollection, value: unknown, index: number): value is PayloadObject {
    const reject = (field: string | undefined, code: RejectionCode) => {
      this.tally.reject(collection, index, field, code);
      return false;
    };
    if (!isObject(value)) return reject(undefined, 'not_an_object');
    if (value.startDate === undefined || value.startDate === null) return reject('startDate', 'missing');
    if (value.endDate === undefined || value.endDate === null) return reject('endDate', 'missing');
    const start = instantOf(value.startDate);
    const end = instantOf(value.endDate);
    const startMs = typeof start === 'number' ? start : start.ms;
    const endMs = typeof end === 'number' ? end : end.ms;
    const problem = intervalProblem(startMs, endMs);
    if (problem) return reject(problem.field, problem.code);
    if (startMs > this.latestMs) return reject('startDate', 'implausible');
    if (value.source !== undefined && value.source !== null && !isObject(value.source)) {
      return reject('source', 'not_an_object');
    }
    const { placed } = this;
    placed.source = this.sourceOf(isObject(value.source) ? value.source : {});
    placed.startMs = startMs;
    placed.endMs = endMs;
    // Sleep uses the local time of waking, all other items the local time of their start.
    const [shown, shownMs] = collection === 'sleep' ? [end, endMs] : [start, startMs];
    const own = this.offsetOf(value.zoneOffset, shownMs);
    const named = this.offsetInZone(this.namedZone(value), shownMs);
    placed.offsetMinutes = own ?? named ?? (typeof shown === 'number' ? undefined : shown.offsetMinutes);
    if (own === undefined && named === undefined && namesZone(value.zoneOffset)) this.tally.noteUnreadableOffset();
    return true;
  }

  /** Returns the zone name in the item's metadata; undefined if clients of this store send no zone name. */
  private namedZone({ metadata }: PayloadObject): string | undefined {
    const { timeZoneKey } = this.adapter;
    return timeZoneKey !== undefined && isObject(metadata) ? textOf(metadata[timeZoneKey]) : undefined;
  }

  private offsetOf(zone: unknown, atMs: number): number | undefined {
    if (!namesZone(zone)) return undefined;
    const known = this.fixedOffsets.get(zone);
    if (known !== undefined) return known;
    const text = textOf(zone);
    const fixed = text === undefined ? undefined : parseOffset(text);
    if (fixed !== undefined && zone === text) this.fixedOffsets.set(zone, fixed);
    return fixed ?? this.offsetInZone(text, atMs);
  }

  private offsetInZone(zone: string | undefined, atMs: number): number | undefined {
    const offset = zone === undefined ? undefined : this.zones.at(zone, atMs);
    if (zone !== undefined && offset !== undefined) this.observations.see(zone, atMs);
    return offset;
  }

  /** Returns the source that an item's `source` describes. */
  sourceOf(value: PayloadObject): SourceIdentity {
    const recent = this.recent.find(value);
    if (recent !== undefined) return recent;
    const pushed = pushedSource(value);
    const key = pushedSourceKey(pushed);
    let source = this.sources.get(key);
    if (source === undefined) {
      source = this.described(this.adapter.source(pushed));
      this.sources.set(key, source);
    }
    this.recent.keep(value, source);
    return source;
  }

  /** Completes a source, because clients describe it more fully with some items than with others. */
  private described(source: SourceIdentity): SourceIdentity {
    const key = sourceKey(source);
    const known = this.identities.get(key);
    if (known === undefined) {
      this.identities.set(key, source);
      return source;
    }
    if (source.deviceType !== undefined && source.deviceType !== 'unknown') known.deviceType = source.deviceType;
    known.softwareVersion = source.softwareVersion ?? known.softwareVersion;
    known.originalSourceName = source.originalSourceName ?? known.originalSourceName;
    return known;
  }
}

function namesZone(zone: unknown): boolean {
  return zone !== undefined && zone !== null && zone !== '';
}

const NO_DATE: PayloadInstant = { ms: Number.NaN };

/** Returns a number for the usual date form, otherwise an object that may have an offset. */
function instantOf(value: unknown): number | PayloadInstant {
  const usual = typeof value === 'string' ? parseUtcSeconds(value) : undefined;
  return usual ?? parseInstant(value) ?? NO_DATE;
}
