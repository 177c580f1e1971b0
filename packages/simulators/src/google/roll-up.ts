import { MS_PER_DAY } from '@healthd/model';
import { type Answer, json } from '../response.js';
import { badRequest } from './api-failure.js';
import type { ApiRequest } from './api-request.js';
import { bindCount, bindObject, parseBody } from './bind-members.js';
import type { StreamChoice } from './point-store.js';
import type { JsonObject } from './point-types.js';
import { requestedFamily } from './requested-family.js';
import { durationFailure, rangeFailure } from './roll-up-failure.js';
import { rolledUp } from './roll-up-values.js';
import type { StoredPoint } from './stored-points.js';
import { wireInstant } from './wire-times.js';
import { wireMembers } from './wire-values.js';

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;

interface Query {
  startMs: number;
  endMs: number;
  windowMs: number;
  pageSize: number;
  family: Pick<StreamChoice, 'family' | 'includes'>;
  /** Index of the page's first window, newest first. */
  first: number;
  nextToken(first: number): string;
}

/**
 * Returns windows of physical time from the start of the range, newest first. Truncates the last window and omits empty
 * windows.
 */
export function rollUp(request: ApiRequest): Answer {
  const { service, account, type } = request;
  const query = requestedWindows(request);
  const stream = service.points.stream(account.id, type!.id, { mode: 'reconcile', ...query.family });
  const windows = groupByWindow(stream, query);
  const numbers = [...windows.keys()].sort((a, b) => b - a);
  const { rollUpPages } = service.behaviour;
  const page = rollUpPages ? numbers.slice(query.first, query.first + query.pageSize) : numbers;
  const rollupDataPoints = page.flatMap((number) => {
    const value = rolledUp(type!, windows.get(number)!);
    if (!value) return [];
    const startMs = query.startMs + number * query.windowMs;
    return [
      {
        startTime: wireInstant(startMs),
        endTime: wireInstant(Math.min(startMs + query.windowMs, query.endMs)),
        [type!.payload]: wireMembers(value),
      },
    ];
  });
  const next = query.first + page.length;
  const nextPageToken = rollUpPages && next < numbers.length ? query.nextToken(next) : undefined;
  return json(200, { rollupDataPoints: rollupDataPoints.length > 0 ? rollupDataPoints : undefined, nextPageToken });
}

/** Groups points by the index of the window in which they start. */
function groupByWindow(stream: readonly StoredPoint[], { startMs, endMs, windowMs }: Query) {
  const windows = new Map<number, StoredPoint[]>();
  for (const point of stream) {
    if (point.startMs < startMs || point.startMs >= endMs) continue;
    const number = Math.floor((point.startMs - startMs) / windowMs);
    const group = windows.get(number);
    if (group) group.push(point);
    else windows.set(number, [point]);
  }
  return windows;
}

function requestedWindows(request: ApiRequest): Query {
  const { service, account, type, call } = request;
  const members = ['range', 'windowSize', 'pageSize', 'pageToken', 'dataSourceFamily'];
  const body = bindObject(parseBody(call.body), members);
  const range = bindObject(body.range ?? {}, ['startTime', 'endTime'], 'range');
  const startMs = instant(range.startTime, 'range.start_time');
  const endMs = instant(range.endTime, 'range.end_time');
  const windowMs = duration(body.windowSize);
  if (endMs <= startMs) throw rangeFailure();
  const days = type!.rollUpDays!;
  const requestedSize = bindCount(body.pageSize, 'page_size') || undefined;
  const pageSize = Math.min(requestedSize ?? 1440, 10_000);
  const counts = requestedSize !== undefined || service.behaviour.defaultPageSizeCounts;
  if (endMs - startMs > days * MS_PER_DAY || (counts && windowMs * pageSize > days * MS_PER_DAY))
    throw durationFailure(days);
  const { pageToken = '', ...requested } = body as JsonObject;
  const bound = [account.id, 'rollUp', type!.id, requested];
  const read = pageToken === '' ? { position: 0 } : service.pageTokens.read<number>(bound, String(pageToken));
  if (!read) throw badRequest('Invalid page token.', 'page_token');
  return {
    startMs,
    endMs,
    windowMs,
    pageSize,
    family: requestedFamily(request, body.dataSourceFamily),
    first: read.position ?? 0,
    nextToken: (first) => service.pageTokens.mint(bound, first),
  };
}

function instant(value: unknown, field: string): number {
  const ms = typeof value === 'string' && RFC_3339.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(ms))
    throw badRequest(`Invalid value at '${field}' (type.googleapis.com/google.protobuf.Timestamp)`, field);
  return ms;
}

function duration(value: unknown): number {
  const match = /^(\d+(?:\.\d{1,9})?)s$/.exec(typeof value === 'string' ? value : '');
  if (!match)
    throw badRequest("Invalid value at 'window_size' (type.googleapis.com/google.protobuf.Duration)", 'window_size');
  const ms = Number(match[1]) * 1000;
  if (ms < 1000) throw badRequest('The window must be at least 1s.', 'window_size');
  return ms;
}
