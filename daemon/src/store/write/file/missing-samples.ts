import { COMPUTED_SERIES, COMPUTED_SLOT, kindOfSlot, NO_OFFSET, SLOT_ID_BITS } from '@healthd/model';
import type pg from 'pg';
import { inTransaction, lockUser } from '../../../platform/database/index.js';
import { CHANGE } from '../../facts/change.js';
import { changesOf } from '../../facts/changes.js';
import { DirtyDays } from '../../facts/dirty-days.js';
import { hasOneOfKeys, SAMPLE_KEY } from '../../facts/samples/sample-batch-columns.js';
import { allocateRows, localDayOf } from '../../facts/samples/sample-rows.js';
import { PUSHED_WITHOUT_ID } from '../../facts/pushed/pushed-samples.js';
import { forgetComparisons } from '../../facts/sources/source-rows.js';
import type { WriteContext } from '../../facts/write-context.js';
import { loadContext } from '../load-context.js';
import { refreshRollUps } from '../roll-up-invalidations.js';
import type { ChangeCounts } from './change-counts.js';
import type { FileContents } from './file-contents.js';

/** Number of samples per transaction. Limits how long the user is locked. */
const AT_ONCE = 10_000;

/** Scope of the search for missing items. */
export interface MissingSpan {
  userKey: number;
  /** Maximum pause between sleep stages of one session. */
  sleepEndGapMinutes: number;
  fromMs: number;
  /** Exclusive end. */
  toMs: number;
}

/** Rules for deleting missing items. */
export interface Removing {
  /** True to only count missing items. */
  isDryRun: boolean;
  changes: ChangeCounts;
  signal?: AbortSignal;
  runId: string;
}

interface MissingSample {
  typeId: number;
  sourceId: number;
  slot: number;
  startMs: number;
  offsetMinutes: number | null;
}

/**
 * Finds stored samples of the file's series and sources in the span that are missing from the file, and counts them.
 * Ignores samples with ids and pushed samples, but a computed sample follows its sample. Unless it is a dry run, deletes the missing samples in transactions of
 * at most {@link AT_ONCE} samples.
 */
export async function removeMissingSamples(
  pool: pg.Pool,
  contents: FileContents,
  span: MissingSpan,
  { isDryRun, changes, signal, runId }: Removing,
): Promise<void> {
  for (const [typeId, sources] of contents.sourcesOf) {
    let after = { startMs: span.fromMs, sourceId: 0, slot: 0 };
    for (;;) {
      signal?.throwIfAborted();
      const missing = await findMissing(contents.client, span, typeId, [...sources], after);
      if (missing.length > 0) {
        const gone = isDryRun
          ? await wouldRemove(contents.client, span, missing)
          : await inTransaction(pool, (client) => {
              changesOf(client, span.userKey).cameBy('import', runId);
              return remove(client, span, missing);
            });
        for (const sample of gone) changes.addSample(sample.typeId, sample.day, 'gone');
      }
      const last = missing.at(-1);
      if (!last || missing.length < AT_ONCE) break;
      after = { ...last, slot: last.slot + 1 };
    }
  }
}

async function findMissing(
  client: pg.ClientBase,
  { userKey, toMs }: MissingSpan,
  typeId: number,
  sourceIds: number[],
  after: { startMs: number; sourceId: number; slot: number },
): Promise<MissingSample[]> {
  const { rows } = await client.query<MissingSample>(
    `select ${MISSING}
       from sample s
      where s.user_key = $1 and s.type_id = $2 and s.source_id = any ($3::int[]) and s.slot & $4 = 0
        and (s.start_at, s.source_id, s.slot) >= (to_timestamp($5::float8 / 1000), $6::int, $7::int)
        and s.start_at < to_timestamp($8::float8 / 1000)
        and not exists (select from file_sample f
                         where f.type_id = $2 and f.start_at = s.start_at and f.source_id = s.source_id and f.slot = s.slot)
        and ${NOT_PUSHED}
      order by s.start_at, s.source_id, s.slot limit $9`,
    [userKey, typeId, sourceIds, SLOT_ID_BITS, after.startMs, after.sourceId, after.slot, toMs, AT_ONCE],
  );
  return rows.map((row) => ({ ...row, startMs: Math.round(row.startMs) }));
}

const MISSING = `s.type_id as "typeId", s.source_id as "sourceId", s.slot,
  extract(epoch from s.start_at)::float8 * 1000 as "startMs", s.offset_minutes as "offsetMinutes"`;

const NOT_PUSHED = `not ${PUSHED_WITHOUT_ID}`;

type DatedSample = Pick<MissingSample, 'typeId' | 'sourceId'> & { day: number };

/** Returns the samples that a file would delete, with their computed samples. */
async function wouldRemove(
  client: pg.ClientBase,
  span: MissingSpan,
  missing: readonly MissingSample[],
): Promise<DatedSample[]> {
  const { rows } = await client.query<MissingSample>(`select ${MISSING} from sample s where ${hasOneOfKeys(2)}`, [
    span.userKey,
    ...SAMPLE_KEY.values(computedOf(missing)),
  ]);
  const all = [...missing, ...rows];
  return all.map(dated(await contextAround(client, span, all)));
}

/** Returns the possible keys of the samples' computed samples. */
function computedOf(samples: readonly MissingSample[]): MissingSample[] {
  return samples
    .filter(({ typeId }) => typeId === COMPUTED_SERIES.fromTypeId)
    .map((sample) => ({
      ...sample,
      typeId: COMPUTED_SERIES.typeId,
      slot: COMPUTED_SLOT,
      startMs: Math.round(sample.startMs),
    }));
}

/** Deletes the samples and their computed samples. */
async function remove(
  client: pg.ClientBase,
  span: MissingSpan,
  missing: readonly MissingSample[],
): Promise<DatedSample[]> {
  const { userKey } = span;
  await lockUser(client, userKey);
  // Keeps samples that a phone has pushed since the search: they have another slot or are recorded as pushed.
  const deleteKeys = async (keys: readonly MissingSample[], condition?: string) => {
    const { rows } = await client.query<MissingSample>(
      `delete from sample s where ${hasOneOfKeys(2, condition)} returning ${MISSING}`,
      [userKey, ...SAMPLE_KEY.values(keys)],
    );
    return rows;
  };
  const deleted = await deleteKeys(missing, NOT_PUSHED);
  const computed = computedOf(deleted);
  if (computed.length > 0) deleted.push(...(await deleteKeys(computed)));
  const context = await contextAround(client, span, deleted);
  const dirtyDays = new DirtyDays();
  const gone = deleted.map(dated(context));
  for (const { typeId, sourceId, day } of gone) dirtyDays.add(typeId, sourceId, day, CHANGE.replaced);
  await refreshRollUps(context, [{ dirtyDays, nights: new Set() }]);
  if (gone.length > 0) await forgetComparisons(client, userKey);
  return gone;
}

function contextAround(
  client: pg.ClientBase,
  { userKey, sleepEndGapMinutes }: MissingSpan,
  samples: readonly MissingSample[],
): Promise<WriteContext> {
  const span = { fromMs: Number.POSITIVE_INFINITY, toMs: Number.NEGATIVE_INFINITY };
  for (const { startMs } of samples) {
    span.fromMs = Math.min(span.fromMs, startMs);
    span.toMs = Math.max(span.toMs, startMs);
  }
  return loadContext(client, userKey, sleepEndGapMinutes, span);
}

/** Returns a function that adds a sample's local day. */
function dated({ timeline }: WriteContext): (sample: MissingSample) => DatedSample {
  const row = allocateRows(1);
  return ({ typeId, sourceId, slot, startMs, offsetMinutes }) => {
    row.kind[0] = kindOfSlot(slot);
    row.startMs[0] = Math.round(startMs);
    row.offsetMinutes[0] = offsetMinutes ?? NO_OFFSET;
    return { typeId, sourceId, day: localDayOf(row, 0, timeline) };
  };
}
