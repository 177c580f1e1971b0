import {
  COMPUTED_HASH,
  COMPUTED_SERIES,
  type HealthRecord,
  joinedIdHash,
  NO_ID,
  type PushedDeletion,
  pushedIdKey,
  type RecordBatch,
  type SampleColumns,
} from '@healthd/model';
import {
  contentOf,
  findDeletedIds,
  findDeletedItems,
  type ItemTrace,
  SLEEP_ITEM,
  type TypedId,
  WORKOUT_ITEM,
} from '../facts/pushed/pushed-tombstones.js';
import { isStorableInstant } from '../facts/interval-errors.js';
import { type ResolvedSources, sourceIdOf } from '../facts/sources/resolved-source.js';
import type { BatchContext } from './load-context.js';

/** Span and contents of an item. */
export interface SpannedTrace extends ItemTrace {
  endMs: number;
  isInBed?: boolean;
}

/** Items that arrive with deletions in one batch. An edit arrives as a deletion and an addition. */
export interface Additions {
  /** Ids of the batch's items from `pushedIdKey`. */
  ids: ReadonlySet<string>;
  /** Items without an id. */
  items: readonly ItemTrace[];
  /** All items with their ids. */
  identified: readonly { keys: readonly string[]; trace: ItemTrace }[];
}

/** One item of a batch, with its ids and span. */
export interface ArrivingItem {
  /** Row of a sample, or a record. */
  of: number | HealthRecord;
  /** Ids of the item and its parent; empty for items that were not pushed. */
  ids: TypedId[];
  /** Span and contents. Undefined for scores, which are identified by id only. */
  trace?: SpannedTrace;
}

/** Batch items that a phone reported as deleted earlier. */
export interface ItemsDeletedEarlier {
  samples: ReadonlySet<number>;
  records: ReadonlySet<HealthRecord>;
}

export const NONE_DELETED_EARLIER: ItemsDeletedEarlier = { samples: new Set(), records: new Set() };

/**
 * Returns the batch's items, without its deletions. An item that is both deleted and added was edited, so it is kept.
 */
export function additionsOf(batch: RecordBatch, sources: ResolvedSources): Additions {
  const items = itemsOf(batch, sources);
  return {
    ids: new Set(items.flatMap(({ ids }) => ids.map(({ key }) => key))),
    items: items.flatMap(({ trace }) => (trace?.knownId === '-1' ? [trace] : [])),
    identified: items.flatMap(({ ids, trace }) => (trace ? [{ keys: ids.map(({ key }) => key), trace }] : [])),
  };
}

/**
 * Finds items of a push or file that a phone reported as deleted earlier. Compares ids, or contents for items from
 * files, which have no ids.
 * @param deletions the batch's own deletions, which apply before its items
 */
export async function findItemsDeletedEarlier(
  { client, userKey, hasPushedTombstones, options }: BatchContext,
  batch: RecordBatch,
  sources: ResolvedSources,
  deletions: readonly PushedDeletion[],
): Promise<ItemsDeletedEarlier> {
  if (!hasPushedTombstones || options.account !== undefined || options.isMove) return NONE_DELETED_EARLIER;
  const items = itemsOf(batch, sources);
  const deletedNow = new Set(deletions.flatMap((deletion) => ('id' in deletion ? [pushedIdKey(deletion.id)] : [])));
  const named = items.flatMap((item) => item.ids.flatMap((id) => (deletedNow.has(id.key) ? [] : [{ ...id, item }])));
  const isReadded = ({ ids }: ArrivingItem) => ids.some(({ key }) => deletedNow.has(key));
  const traced = items.flatMap((item) => (item.trace && !isReadded(item) ? [{ item, trace: item.trace }] : []));
  const provider = batch.pushedBy?.provider;
  const ids = provider === undefined ? [] : await findDeletedIds(client, userKey, provider, named);
  const alike = await findDeletedItems(
    client,
    userKey,
    traced.map(({ trace }) => trace),
  );
  const found = [...[...ids].map((at) => named[at]), ...[...alike].map((at) => traced[at])];
  return deletedEarlierOf(found.flatMap((one) => one?.item ?? []));
}

export function deletedEarlierOf(items: readonly ArrivingItem[]): ItemsDeletedEarlier {
  const tombstoned = items.map((item) => item.of);
  return {
    samples: new Set(tombstoned.filter((of) => typeof of === 'number')),
    records: new Set(tombstoned.filter((of) => typeof of !== 'number')),
  };
}

/** Adds the computed samples of deleted samples. A batch contains both. */
export function withComputedSamples(
  deleted: ItemsDeletedEarlier,
  { samples }: Pick<RecordBatch, 'samples'>,
): ItemsDeletedEarlier {
  const { typeId, startMs, sourceIndex, idHash } = samples;
  const keyOf = (row: number) => `${sourceIndex[row]} ${startMs[row]}`;
  const keys = new Set([...deleted.samples].filter((row) => typeId[row] === COMPUTED_SERIES.fromTypeId).map(keyOf));
  if (keys.size === 0) return deleted;
  const rows = new Set(deleted.samples);
  for (let row = 0; row < samples.length; row++) {
    if (typeId[row] !== COMPUTED_SERIES.typeId || idHash[row] !== COMPUTED_HASH) continue;
    if (keys.has(keyOf(row))) rows.add(row);
  }
  return { ...deleted, samples: rows };
}

export function mergeDeletedEarlier(one: ItemsDeletedEarlier, other: ItemsDeletedEarlier): ItemsDeletedEarlier {
  if (other === NONE_DELETED_EARLIER) return one;
  return {
    samples: new Set([...one.samples, ...other.samples]),
    records: new Set([...one.records, ...other.records]),
  };
}

/** Returns the batch's items with an id or a trace. */
export function itemsOf(
  { samples, sources: described, records, pushedBy }: RecordBatch,
  sources: ResolvedSources,
): ArrivingItem[] {
  const sourceIds = described.map((source) => sourceIdOf(sources, source));
  const items: ArrivingItem[] = [];
  for (let row = 0; row < samples.length; row++) {
    if (samples.pushed && samples.pushed.isItem[row] !== 1) continue;
    const sourceId = sourceIds[samples.sourceIndex[row] as number];
    if (sourceId === undefined || !isStorableInstant(samples.startMs[row] as number)) continue;
    items.push(sampleItem(samples, row, sourceId));
  }
  for (const record of records) {
    if (record.kind === 'health_score' && record.externalId !== undefined && pushedBy) {
      items.push({ of: record, ids: [{ key: pushedIdKey(record.externalId), typeId: SLEEP_ITEM }] });
    }
    if (record.kind !== 'sleep_stage' && record.kind !== 'workout') continue;
    const { pushedId, startMs, endMs } = record;
    if (!isStorableInstant(startMs)) continue;
    const isStage = record.kind === 'sleep_stage';
    const typeId = isStage ? SLEEP_ITEM : WORKOUT_ITEM;
    const ids = [pushedId, isStage ? record.sessionId : undefined].flatMap((id) => id ?? []);
    items.push({
      of: record,
      ids: pushedBy ? ids.map((id) => ({ key: pushedIdKey(id), typeId })) : [],
      trace: {
        sourceId: sourceIdOf(sources, record.source),
        typeId,
        startMs,
        endMs,
        content: contentOf(endMs, isStage ? record.stage : record.type),
        knownId: pushedId === undefined ? '-1' : '-2',
        isInBed: isStage && record.stage === 'in_bed',
      },
    });
  }
  return items;
}

function sampleItem(
  { pushed, idHash, typeId, startMs, durationMs, value }: SampleColumns,
  row: number,
  sourceId: number,
) {
  const low = idHash[row] as number;
  const series = typeId[row] as number;
  const ids: TypedId[] = [];
  const add = (high: number | undefined, lowPart: number) => {
    if (high !== undefined && lowPart !== NO_ID) ids.push({ key: String(joinedIdHash(high, lowPart)), typeId: series });
  };
  add(pushed?.high[row], low);
  add(pushed?.parentHigh[row], pushed?.parentLow[row] ?? NO_ID);
  const start = startMs[row] as number;
  const endMs = start + (durationMs[row] || 0);
  const content = contentOf(endMs, value[row] as number);
  const knownId = low === NO_ID ? '-1' : String(low);
  return { of: row, ids, trace: { sourceId, typeId: series, startMs: start, endMs, content, knownId } };
}
