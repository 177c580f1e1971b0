import { attributionOfRow, type HealthdClient } from '@healthd/client';
import { getActivitySummary, getTimeseries, listSleepSessions, listWorkouts } from '@healthd/contract';
import { SERIES_CODES, type SeriesCode } from '@healthd/model';
import type { ActivitySummary, Attribution, Envelope, SleepSession, TimeSeriesSample, Workout } from '@healthd/schemas';
import type { Cli } from '../cli.js';
import { EXIT } from '../exit-codes.js';
import { CliError } from '../failure.js';
import { type Shape, writeRows } from '../output/writer.js';
import { type Bounds, newestDay, parseBounds, rangeText } from '../service/dates.js';
import { Pages } from '../service/pages.js';
import { countText } from '../ui/amounts.js';
import { ACTIVITY, type DataShape, SAMPLES, SLEEP, WORKOUTS } from './data-shapes.js';

export interface RangeOptions {
  user: string;
  from: string;
  to?: string;
  limit: number;
  all?: boolean;
  cursor?: string;
}

/** Options of a list that holds the copies of several sources. */
export interface CopiesOptions extends RangeOptions {
  /** Shows the source that the rule of selection chooses. */
  best?: boolean;
}

/** One page of a route. */
type FetchPage<T> = (
  client: HealthdClient,
  bounds: Bounds,
  page: { limit: number; cursor: string | undefined },
) => Promise<Envelope<T>>;

/** `healthctl data activity` */
export function activity(cli: Cli, options: RangeOptions): Promise<void> {
  return showRows<ActivitySummary>(cli, options, ACTIVITY, (client, { start, end }, page) =>
    client.call(getActivitySummary, {
      params: { user_id: options.user },
      query: { start_date: start, end_date: end, ...page },
      signal: cli.signal,
    }),
  );
}

export interface TimeseriesOptions extends CopiesOptions {
  types: string[];
  resolution: 'raw' | '1min' | '5min' | '15min' | '1hour';
}

/** `healthctl data timeseries` */
export async function timeseries(cli: Cli, options: TimeseriesOptions): Promise<void> {
  const types = options.types.map(seriesNamed);
  let archivedBefore: string | undefined;
  await showRows<TimeSeriesSample>(cli, options, SAMPLES, async (client, { start, end }, page) => {
    const answer = await client.call(getTimeseries, {
      params: { user_id: options.user },
      query: { start_time: start, end_time: end, types, resolution: options.resolution, ...chosen(options), ...page },
      signal: cli.signal,
    });
    archivedBefore = answer.metadata.archived_before;
    return answer;
  });
  if (archivedBefore !== undefined) {
    cli.say(`Samples before ${archivedBefore} were archived; their days live on in: healthctl data activity`);
  }
}

/** `healthctl data sleep` */
export function sleep(cli: Cli, options: CopiesOptions): Promise<void> {
  return showRows<SleepSession>(cli, options, SLEEP, (client, { start, end }, page) =>
    client.call(listSleepSessions, {
      params: { user_id: options.user },
      query: { start_date: start, end_date: end, ...chosen(options), ...page },
      signal: cli.signal,
    }),
  );
}

export interface WorkoutOptions extends CopiesOptions {
  type?: string;
}

/** `healthctl data workouts` */
export function workouts(cli: Cli, options: WorkoutOptions): Promise<void> {
  return showRows<Workout>(cli, options, WORKOUTS, (client, { start, end }, page) =>
    client.call(listWorkouts, {
      params: { user_id: options.user },
      query: { start_date: start, end_date: end, record_type: options.type, ...chosen(options), ...page },
      signal: cli.signal,
    }),
  );
}

function chosen({ best }: CopiesOptions) {
  return best ? { filter_by_priority: true } : {};
}

/** @throws CliError `unknown_series` with the names that come near */
function seriesNamed(name: string): SeriesCode {
  const known = SERIES_CODES.find((code) => code === name);
  if (known) return known;
  const near = SERIES_CODES.filter(
    (code) => code.includes(name) || name.includes(code) || code.startsWith(name.slice(0, 4)),
  );
  throw new CliError('unknown_series', `There is no series ${name}.`, {
    hint: near.length > 0 ? `Near: ${near.join(', ')}.` : '`healthctl coverage` lists the series.',
    exitCode: EXIT.usage,
  });
}

/** A row with the texts that its vendors demand beside it; without the member if they demand none. */
type Attributed<T> = T & { attribution?: string };

function withText<T extends object>(row: T, attribution: Attribution): Attributed<T> {
  const text = attributionOfRow(row, attribution);
  return text === undefined ? row : { ...row, attribution: text };
}

/** Reads rows page by page and shows them. */
export async function showRows<T extends object>(
  cli: Cli,
  options: RangeOptions,
  shape: DataShape<T>,
  fetchPage: FetchPage<T>,
): Promise<void> {
  const attributed = { ...shape, fields: [...shape.fields, 'attribution'] } as unknown as Shape<Attributed<T>>;
  cli.willWrite(attributed);
  const bounds = parseBounds(options.from, options.to, newestDay(new Date()));
  const client = await cli.client();
  const wanted = { limit: options.limit, all: options.all === true, maxPage: shape.maxPage, cursor: options.cursor };
  const texts = new Set<string>();
  const pages = new Pages<Attributed<T>>(wanted, async (limit, cursor) => {
    const page = await fetchPage(client, bounds, { limit, cursor });
    const { attribution } = page.metadata;
    for (const { text } of attribution ?? []) texts.add(text);
    return attribution === undefined ? page : { ...page, data: page.data.map((row) => withText(row, attribution)) };
  });
  const count = await writeRows(cli.sink, attributed, pages.rows());
  if (count === 0)
    cli.hint(
      `Nothing ${rangeText(bounds)}. ${shape.elsewhere ?? 'What is stored: healthctl data summary'} --user ${options.user}`,
    );
  // Other formats carry the texts in their rows.
  if (cli.sink.format === 'table' && texts.size > 0) {
    cli.say(`Attribution: ${[...texts].join('; ')}`);
  }
  if (pages.nextCursor === undefined) return;
  const total = pages.totalCount === undefined ? '' : ` of ${pages.totalCount}`;
  cli.say(
    `${countText(count, shape.noun)}${total}; there are more. All: --all. The next: --cursor ${pages.nextCursor}`,
  );
}
