import { parseOffset, type SourceIdentity, sourceKey } from '@healthd/model';
import { intervalProblem } from '../interval.js';
import { ZoneOffsets } from '../zone-offset.js';
import type { PushAdapter } from './adapter.js';
import { parseInstant } from './instants.js';
import { isObject, type PayloadObject, textOf } from './payload-values.js';
import type { PushCollection, PushTally } from './push-report.js';
import { pushedSource, pushedSourceKey } from './pushed-source.js';

/** What every item of every list has. Instants in milliseconds since 1970. */
export interface PlacedItem {
  item: PayloadObject;
  index: number;
  source: SourceIdentity;
  startMs: number;
  endMs: number;
  offsetMinutes?: number;
}

/** Reads what the items of all lists have in common, and remembers what repeats from item to item. */
export class ItemReader {
  private readonly sources = new Map<string, SourceIdentity>();
  private readonly identities = new Map<string, SourceIdentity>();
  private readonly zones = new ZoneOffsets();

  constructor(
    readonly adapter: PushAdapter,
    readonly tally: PushTally,
  ) {}

  /** Undefined for an item that cannot be placed; it is rejected then. */
  read(collection: PushCollection, value: unknown, index: number): PlacedItem | undefined {
    const refuse = (field: string | undefined, code: string) => {
      this.tally.reject(collection, index, field, code);
      return undefined;
    };
    if (!isObject(value)) return refuse(undefined, 'not_an_object');
    if (value.startDate === undefined || value.startDate === null) return refuse('startDate', 'missing');
    if (value.endDate === undefined || value.endDate === null) return refuse('endDate', 'missing');
    const start = parseInstant(value.startDate);
    const end = parseInstant(value.endDate);
    const problem = intervalProblem(start?.ms ?? Number.NaN, end?.ms ?? Number.NaN);
    if (problem) return refuse(problem.field, problem.code);
    if (start === undefined || end === undefined) return undefined;
    if (value.source !== undefined && value.source !== null && !isObject(value.source)) {
      return refuse('source', 'not_an_object');
    }
    return {
      item: value,
      index,
      source: this.sourceOf(isObject(value.source) ? value.source : {}),
      startMs: start.ms,
      endMs: end.ms,
      // Sleep counts on the clock of waking, everything else on that of its start.
      offsetMinutes:
        collection === 'sleep'
          ? this.offsetOf(value.zoneOffset, end.ms, end.offsetMinutes)
          : this.offsetOf(value.zoneOffset, start.ms, start.offsetMinutes),
    };
  }

  private offsetOf(zone: unknown, atMs: number, ofDate: number | undefined): number | undefined {
    if (zone === undefined || zone === null || zone === '') return ofDate;
    const text = textOf(zone);
    const offset = text === undefined ? undefined : (parseOffset(text) ?? this.zones.at(text, atMs));
    if (offset === undefined) this.tally.noteUnreadableOffset();
    return offset ?? ofDate;
  }

  private sourceOf(value: PayloadObject): SourceIdentity {
    const pushed = pushedSource(value);
    const key = pushedSourceKey(pushed);
    let source = this.sources.get(key);
    if (source === undefined) {
      source = this.described(this.adapter.source(pushed));
      this.sources.set(key, source);
    }
    return source;
  }

  /** Clients describe one source more fully with some items than with others: what was told once stays told. */
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
