import { type SeriesRule, seriesTypeById } from '@healthd/model';
import type pg from 'pg';
import type { Position } from '../cursors.js';
import { sqlInstant } from '../sql-instant.js';
import {
  type BucketRow,
  bucketWindowBackward,
  bucketWindowForward,
  LONGEST_SPREAD_MS,
  nextStart,
  previousStart,
} from './bucket-window.sql.js';
import type { SampleSelection } from './sample-count.js';

/** How much a window may grow from one statement to the next. */
const GROWTH = 4;

/** Buckets aligned to UTC, nearest first in the direction of travel. */
export interface BucketRequest extends SampleSelection {
  widthMs: number;
  /** Key of a position: bucket, type id, source id. */
  position: Position | undefined;
  limit: number;
}

/**
 * Up to `limit` buckets after (or before) the position. The range is walked in windows that grow until the page is full
 * and leap over stretches without samples, so that a page of a long range costs what the page holds.
 */
export async function readBuckets(pool: pg.Pool, userKey: number, request: BucketRequest): Promise<BucketRow[]> {
  const { bounds, widthMs, limit, position } = request;
  if (bounds.beforeMs <= bounds.fromMs || request.typeIds.length === 0 || request.sourceIds?.length === 0) return [];
  const backward = position?.before ?? false;
  const down = (ms: number) => Math.floor(ms / widthMs) * widthMs;
  const lowest = down(bounds.fromMs);
  const highest = down(bounds.beforeMs - 1) + widthMs;
  const found: BucketRow[] = [];
  let edge = backward ? highest : lowest;
  if (position) edge = backward ? Number(position.key[0]) + widthMs : Number(position.key[0]);
  edge = Math.min(highest, Math.max(lowest, edge));
  // Every bucket holds a value of each series, or more where several sources measure it.
  let span = Math.ceil((limit + 1) / request.typeIds.length) * widthMs;
  let reach = backward ? edge - span : edge + span;
  while (found.length < limit && (backward ? edge > lowest : edge < highest)) {
    reach = Math.min(highest, Math.max(lowest, reach));
    const window = backward ? { fromMs: reach, beforeMs: edge } : { fromMs: edge, beforeMs: reach };
    const rows = await readWindow(pool, userKey, request, window, backward);
    found.push(...rows);
    edge = reach;
    span *= rows.length === 0 ? GROWTH : Math.min(GROWTH, (limit - found.length) / rows.length);
    span = down(Math.max(0, span) + widthMs);
    reach = backward ? edge - span : edge + span;
    if (rows.length > 0) continue;
    const start = await nearestSample(pool, userKey, request, edge, backward);
    if (start === undefined) break;
    reach = backward ? Math.min(reach, down(start)) : Math.max(reach, down(start) + span);
  }
  return found.slice(0, limit);
}

async function readWindow(
  pool: pg.Pool,
  userKey: number,
  { typeIds, sourceIds, bounds, widthMs, limit, position }: BucketRequest,
  window: { fromMs: number; beforeMs: number },
  backward: boolean,
): Promise<BucketRow[]> {
  const ofRule = (rule: SeriesRule) => typeIds.filter((id) => seriesTypeById(id)?.rule === rule);
  const statement = backward ? bucketWindowBackward : bucketWindowForward;
  const { rows } = await pool.query<BucketRow>(
    statement([
      userKey,
      ofRule('sum'),
      ofRule('avg'),
      ofRule('max'),
      ofRule('last'),
      sqlInstant(window.fromMs),
      sqlInstant(window.beforeMs),
      `${widthMs} milliseconds`,
      sourceIds ?? null,
      sqlInstant(bounds.fromMs),
      sqlInstant(bounds.beforeMs),
      ...(position ? [sqlInstant(Number(position.key[0])), position.key[1], position.key[2]] : [null, null, null]),
      limit,
    ]),
  );
  return rows;
}

/** The start of the first sample from an instant on, or of the last one before it; undefined without any. */
export async function nearestSample(
  pool: pg.Pool,
  userKey: number,
  { typeIds, bounds }: Pick<SampleSelection, 'typeIds' | 'bounds'>,
  edgeMs: number,
  backward: boolean,
): Promise<number | undefined> {
  // What began before the range may reach into it.
  const range = backward
    ? [sqlInstant(bounds.fromMs - LONGEST_SPREAD_MS), sqlInstant(Math.min(edgeMs, bounds.beforeMs))]
    : [sqlInstant(Math.max(edgeMs, bounds.fromMs)), sqlInstant(bounds.beforeMs)];
  const statement = backward ? previousStart : nextStart;
  const { rows } = await pool.query<{ start_ms: number | null }>(statement([userKey, typeIds, ...range]));
  return rows[0]?.start_ms ?? undefined;
}
