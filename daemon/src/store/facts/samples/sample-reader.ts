import { kindOfSlot, NO_OFFSET, SLOT_KIND_SHIFT } from '@healthd/model';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { ONE_LOOK_EACH } from '../../../platform/database/index.js';
import { allocateRows, joinedSpans, type SampleRange, type SampleRows, type SampleSpan } from './sample-rows.js';

const POSTGRES_EPOCH_MS = Date.UTC(2000, 0, 1);
const HEADER_BYTES = 19;
const TWO_TO_32 = 2 ** 32;

/**
 * Reads ranges of samples in the order of the primary key, through binary COPY. Parses no text and creates no object
 * per row, because a batch's days may contain tens of thousands of rows.
 */
export async function readSamples(client: pg.ClientBase, userKey: number, ranges: SampleRange[]): Promise<SampleRows> {
  if (ranges.length === 0) return allocateRows(0);
  const selects = ranges.map(
    ({ typeId, sourceIds, kindCode, fromMs, toMs }) =>
      `select type_id, source_id, slot, start_at, duration_ms, offset_minutes, value from sample
        where user_key = ${integer(userKey)} and type_id = ${integer(typeId)}
          and start_at >= to_timestamp(${integer(fromMs)} / 1000.0) and start_at < to_timestamp(${integer(toMs)} / 1000.0)
          ${sourceIds ? `and source_id in (${sourceIds.map(integer).join(', ')})` : ''}
          ${kindCode === undefined ? '' : `and slot >> ${SLOT_KIND_SHIFT} = ${integer(kindCode)}`}`,
  );
  return copied(client, selects.join(' union all '));
}

/**
 * Reads the samples of some sources in any number of spans, in primary key order, with one statement.
 * @param slots restricts the samples to these slots
 */
export async function readSpans(
  client: pg.ClientBase,
  userKey: number,
  sourceIds: readonly number[],
  spans: readonly SampleSpan[],
  slots?: readonly number[],
): Promise<SampleRows> {
  const joined = joinedSpans(spans);
  if (joined.length === 0 || sourceIds.length === 0) return allocateRows(0);
  const listed = (numbers: number[]) => `'{${numbers.map(integer).join()}}'`;
  return copied(
    client,
    `select s.* from unnest(${listed(joined.map(({ typeId }) => typeId))}::int2[],
                            ${listed(joined.map(({ fromMs }) => fromMs))}::int8[],
                            ${listed(joined.map(({ toMs }) => toMs))}::int8[]) as span (type_id, from_ms, to_ms)
      cross join lateral (
        select type_id, source_id, slot, start_at, duration_ms, offset_minutes, value from sample
         where user_key = ${integer(userKey)} and type_id = span.type_id
           and start_at >= to_timestamp(span.from_ms / 1000.0) and start_at < to_timestamp(span.to_ms / 1000.0)
           and source_id in (${sourceIds.map(integer).join()})
           ${slots ? `and slot in (${slots.map(integer).join()})` : ''} ${ONE_LOOK_EACH}) s`,
  );
}

async function copied(client: pg.ClientBase, selected: string): Promise<SampleRows> {
  const ordered = `${selected} order by type_id, start_at, source_id, slot`;
  const stream = client.query(copyTo(`copy (${ordered}) to stdout with (format binary)`));
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return decode(Buffer.concat(chunks));
}

/** Formats a number for the text of COPY, which accepts no parameters. Only numbers may be inserted into the text. */
function integer(value: number): string {
  if (!Number.isSafeInteger(value)) throw new RangeError('not an integer');
  return String(value);
}

function decode(bytes: Buffer): SampleRows {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // A row has 2 bytes for the count, 7 lengths, and at least 26 bytes for the columns that are never null.
  const rows = allocateRows(Math.floor(bytes.length / 56));
  let at = HEADER_BYTES;
  let row = 0;
  while (view.getInt16(at) !== -1) {
    rows.typeId[row] = view.getInt16(at + 6);
    rows.sourceId[row] = view.getInt32(at + 12);
    const slot = view.getInt32(at + 20);
    rows.slot[row] = slot;
    rows.kind[row] = kindOfSlot(slot);
    const microseconds = view.getInt32(at + 28) * TWO_TO_32 + view.getUint32(at + 32);
    rows.startMs[row] = microseconds / 1000 + POSTGRES_EPOCH_MS;
    at += 36;
    const hasDuration = view.getInt32(at) !== -1;
    rows.durationMs[row] = hasDuration ? view.getInt32(at + 4) : Number.NaN;
    at += hasDuration ? 8 : 4;
    const hasOffset = view.getInt32(at) !== -1;
    rows.offsetMinutes[row] = hasOffset ? view.getInt16(at + 4) : NO_OFFSET;
    at += hasOffset ? 6 : 4;
    rows.value[row] = view.getFloat64(at + 4);
    at += 12;
    row++;
  }
  rows.length = row;
  return rows;
}
