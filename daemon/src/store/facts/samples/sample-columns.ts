import { NO_OFFSET } from '@healthd/model';
import type { CopyBatch } from '../../../platform/database/index.js';
import type { SampleRows } from './sample-rows.js';

/** The rows at `positions` as columns of `sample` for COPY. */
export function sampleCopyBatch(userKey: number, rows: SampleRows, positions: Uint32Array | undefined): CopyBatch {
  const chosen = positions ? takeRows(rows, positions) : rows;
  return {
    length: chosen.length,
    columns: [
      { name: 'user_key', type: 'int8', values: userKey },
      { name: 'start_at', type: 'timestamptz', values: chosen.startMs },
      { name: 'value', type: 'float8', values: chosen.value },
      { name: 'source_id', type: 'int4', values: chosen.sourceId },
      { name: 'duration_ms', type: 'int4', values: chosen.durationMs, absent: Number.NaN },
      { name: 'type_id', type: 'int2', values: chosen.typeId },
      { name: 'offset_minutes', type: 'int2', values: chosen.offsetMinutes, absent: NO_OFFSET },
      { name: 'slot', type: 'int4', values: chosen.slot },
    ],
  };
}

/** The rows at `positions`, in their order. */
export function takeRows(rows: SampleRows, positions: Uint32Array): SampleRows {
  const pick = <T extends Int16Array | Int32Array | Uint8Array | Float64Array>(from: T, to: T): T => {
    for (let index = 0; index < positions.length; index++) to[index] = from[positions[index] as number] as number;
    return to;
  };
  const length = positions.length;
  return {
    length,
    typeId: pick(rows.typeId, new Int16Array(length)),
    sourceId: pick(rows.sourceId, new Int32Array(length)),
    kind: pick(rows.kind, new Uint8Array(length)),
    slot: pick(rows.slot, new Int32Array(length)),
    startMs: pick(rows.startMs, new Float64Array(length)),
    durationMs: pick(rows.durationMs, new Float64Array(length)),
    offsetMinutes: pick(rows.offsetMinutes, new Int16Array(length)),
    value: pick(rows.value, new Float64Array(length)),
  };
}
