import { type Answer, json } from '../response.js';
import type { Call } from '../vendor/index.js';

const LARGEST_LIMIT = 25;
const DEFAULT_LIMIT = 10;

/**
 * A record of a collection. `start` and `end` decide whether it is in a window. A record that is still in progress has
 * no end.
 */
export interface Placed {
  start: string;
  end?: string | null;
}

/**
 * Returns one page of a collection: records that overlap the window, newest start first.
 * @param spanOf returns a record's time
 * @param written returns a record in the vendor's format
 */
export function page<Item>(
  items: Iterable<Item>,
  spanOf: (item: Item) => Placed,
  query: URLSearchParams,
  nowMs: number,
  written: (item: Item) => object = (item) => item as object,
): Answer {
  const limit = Number(query.get('limit') ?? DEFAULT_LIMIT);
  const fromMs = query.has('start') ? Date.parse(query.get('start')!) : Number.NEGATIVE_INFINITY;
  const toMs = query.has('end') ? Date.parse(query.get('end')!) : nowMs;
  const wrong = !Number.isInteger(limit) || limit < 1 || limit > LARGEST_LIMIT;
  if (wrong || Number.isNaN(fromMs) || Number.isNaN(toMs)) return json(400, { message: 'Invalid query.' });
  const before = query.get('nextToken');
  const skip = before === null ? 0 : Number(Buffer.from(before, 'base64url').toString());
  if (!Number.isInteger(skip)) return json(400, { message: 'Invalid nextToken.' });
  const found = [...items]
    .map((item) => ({ item, span: spanOf(item) }))
    .filter(({ span }) => overlaps(span, fromMs, toMs))
    .sort((a, b) => Date.parse(b.span.start) - Date.parse(a.span.start));
  const records = found.slice(skip, skip + limit).map(({ item }) => written(item));
  const end = skip + limit;
  const next_token = end < found.length ? Buffer.from(String(end)).toString('base64url') : null;
  return json(200, { records, next_token });
}

function overlaps({ start, end }: Placed, fromMs: number, toMs: number): boolean {
  const endMs = end === undefined || end === null ? Number.POSITIVE_INFINITY : Date.parse(end);
  return Date.parse(start) < toMs && endMs > fromMs;
}

/** Returns a page whose token requests the same page again. */
export function repeatedPage(call: Call, response: Answer): Answer {
  const body: unknown = JSON.parse(response.body);
  if (typeof body !== 'object' || body === null || !('records' in body)) return response;
  const own = call.query.get('nextToken') ?? Buffer.from('0').toString('base64url');
  return json(response.status, { ...body, next_token: own }, response.headers);
}
