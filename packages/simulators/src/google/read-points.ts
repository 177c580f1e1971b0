import { type Answer, json } from '../response.js';
import { badRequest } from './api-failure.js';
import type { ApiRequest } from './api-request.js';
import { bindCount, bindQuery } from './bind-members.js';
import { pagesOf } from './data-types.js';
import { type PointTest, parseFilter } from './filter.js';
import { filterFailure } from './filter-failure.js';
import type { PagePosition } from './page-tokens.js';
import { oldestFirst } from './reconcile.js';
import { requestedFamily } from './requested-family.js';
import type { StoredPoint } from './stored-points.js';
import { wirePoint } from './wire-points.js';

/** Handles list and reconcile. Returns pages of points, newest first. */
export function readPoints(request: ApiRequest, mode: 'list' | 'reconcile'): Answer {
  const { service, account, type, call } = request;
  const query = bindQuery(call.query, ['filter', 'pageSize', 'pageToken', 'dataSourceFamily']);
  const family = requestedFamily(request, query.dataSourceFamily, mode === 'list');
  const test = requestedFilter(request, query.filter);
  const { standard, maximum } = pagesOf(type!);
  const pageSize = Math.min(bindCount(query.pageSize, 'page_size') || standard, maximum);

  const { pageToken = '', ...unchanging } = query;
  const requested = [account.id, mode, type!.id, unchanging];
  const read = pageToken === '' ? { position: null } : service.pageTokens.read<PagePosition>(requested, pageToken);
  if (!read) throw badRequest('Invalid page token.', 'page_token');
  if (call.fault?.kind === 'empty_page') {
    return json(200, { nextPageToken: service.pageTokens.mint(requested, read.position) });
  }

  const stream = service.points.stream(account.id, type!.id, { mode, ...family });
  const { page, more } = pageOf(stream, test, read.position, pageSize);
  const context = { healthUserId: account.healthUserId, behaviour: service.behaviour };
  const dataPoints = page.map((point) => wirePoint(point, mode, context));
  if (call.fault?.kind === 'repeated_token') {
    return json(200, { dataPoints, nextPageToken: service.pageTokens.mint(requested, read.position) });
  }
  const last = page.at(-1);
  if (!more || !last) return json(200, lastPage(dataPoints, service.behaviour.emptyPage));
  const next: PagePosition = { startMs: last.startMs, id: last.id };
  return json(200, { dataPoints, nextPageToken: service.pageTokens.mint(requested, next) });
}

function requestedFilter({ service, type }: ApiRequest, expression = ''): PointTest {
  if (expression === '') return () => true;
  const test = parseFilter(expression, type!);
  if (type!.id === 'sleep' && service.behaviour.sleepEndFilter === 'refused') {
    throw filterFailure('DATA_TYPE_MEMBER', 'Filtering of sleep is not supported.');
  }
  return test;
}

function lastPage(dataPoints: unknown[], empty: 'bare' | 'list' | 'token') {
  if (dataPoints.length > 0) return { dataPoints };
  if (empty === 'bare') return {};
  return empty === 'list' ? { dataPoints } : { dataPoints, nextPageToken: '' };
}

function pageOf(stream: readonly StoredPoint[], test: PointTest, after: PagePosition | null, size: number) {
  const page: StoredPoint[] = [];
  for (let n = stream.length - 1; n >= 0; n--) {
    const point = stream[n]!;
    if (after && oldestFirst(point, after) >= 0) continue;
    if (!test(point)) continue;
    if (page.length === size) return { page, more: true };
    page.push(point);
  }
  return { page, more: false };
}
