import { attributionOfRow, type HealthdClient } from '@healthd/client';
import {
  getActivitySummary,
  getRecoverySummary,
  getSleepSummary,
  getTimeseries,
  listHealthScores,
  listMenstrualCycles,
  listSleepSessions,
  listWorkouts,
} from '@healthd/contract';
import { SERIES_CODES, type SeriesCode } from '@healthd/model';
import type {
  ActivitySummary,
  Attribution,
  Envelope,
  HealthScore,
  MenstrualCycle,
  RecoverySummary,
  SleepSession,
  SleepSummary,
  TimeSeriesSample,
  Workout,
} from '@healthd/schemas';
import { type Command, Option } from 'commander';
import type { Cli } from '../cli.js';
import { EXIT } from '../exit-codes.js';
import { CliError } from '../failure.js';
import {
  ACTIVITY,
  amount,
  type DataShape,
  minutes,
  SAMPLES,
  SLEEP,
  SOURCE_FIELDS,
  sourceText,
  WORKOUTS,
} from '../output/data-shapes.js';
import { measuredAt } from '../output/instant.js';
import { type Shape, writeRows } from '../output/writer.js';
import { type Bounds, newestDay, parseBounds, rangeText } from '../service/dates.js';
import { Pages } from '../service/pages.js';
import { countText } from '../ui/amounts.js';
import type { Bind } from './bind.js';
import { addEventCommands } from './data-events.js';
import { addExplainCommand } from './data-explain.js';
import { addOverviewCommands } from './data-overview.js';
import { addStateCommands } from './data-state.js';
import { withExamples } from './examples.js';
import { dataFrom, toOption } from './period.js';
import { list, positive, userOption } from './values.js';

/** `data …` */
export function addDataCommands(program: Command, bind: Bind): void {
  const data = program
    .command('data')
    .helpCommand(false)
    .description('Shows a user’s stored data.')
    .summary('show activity, samples, sleep, workouts, scores, gaps');
  withExamples(
    paged(data.command('activity'), '14d')
      .description('Lists daily activity, one row per day. Each group of figures comes from one source.')
      .summary('daily activity')
      .action(bind(activity)),
    'healthctl data activity --user anna@example.org --from 30d',
  );
  addExplainCommand(data, bind);
  withExamples(
    paged(data.command('timeseries'), '7d')
      .description('Lists samples of one or more series from all sources, oldest first.')
      .summary('samples of one or more series')
      .addOption(
        new Option('-t, --types <names>', 'series, e.g. steps,heart_rate (required)')
          .argParser(list)
          .makeOptionMandatory(),
      )
      .addOption(
        new Option('--resolution <size>', 'one value per bucket and source')
          .choices(['raw', '1min', '5min', '15min', '1hour'])
          .default('raw'),
      )
      .option('--best', 'only the source that summaries select for each day and series')
      .addHelpText('after', '\n`healthctl coverage` lists the series.\n')
      .action(bind(timeseries)),
    'healthctl data timeseries --user anna@example.org --types steps,heart_rate --resolution 1hour',
  );
  paged(data.command('sleep'), '14d')
    .description(
      'Lists nights and naps of all sources with their ids, newest first. A range selects by start time; `healthctl data nights` selects by wake date.',
    )
    .summary('nights and naps')
    .option('--best', 'only sessions that count in the daily summary')
    .action(bind(sleep));
  paged(data.command('workouts'), '14d')
    .description('Lists workouts of all sources, newest first.')
    .summary('workouts')
    .option('--type <text>', 'workout type or part of its name, e.g. running')
    .option('--best', 'show each workout once, from the best source, even if several sources recorded it')
    .action(bind(workouts));
  paged(data.command('nights'), '14d')
    .description(
      'Lists sleep by wake date, one row per day. Each group of figures comes from one source. `healthctl data sleep` lists the nights and their ids by start date.',
    )
    .summary('sleep by day')
    .action(bind(nights));
  withExamples(
    paged(data.command('recovery'), '14d')
      .description('Lists resting heart rate, heart rate variability and blood oxygen by wake date.')
      .summary('recovery by day')
      .action(bind(recovery)),
    'healthctl data recovery --user anna@example.org',
  );
  paged(data.command('scores'), '14d')
    .description('Lists the scores that providers computed, newest first.')
    .summary('scores of providers')
    .action(bind(scores));
  paged(data.command('cycles'), '90d')
    .description('Lists menstrual cycles of all sources, newest first.')
    .summary('menstrual cycles')
    .action(bind(cycles));
  addStateCommands(data, bind);
  addEventCommands(data, bind);
  addOverviewCommands(data, bind);
}

function paged(command: Command, from: string): Command {
  return command
    .addOption(userOption())
    .addOption(dataFrom(from))
    .addOption(toOption())
    .option('--limit <n>', 'maximum number of rows', positive, 100)
    .option('--all', 'all rows in the range')
    .option('--cursor <text>', 'continue after this cursor of an earlier page');
}

interface RangeOptions {
  user: string;
  from: string;
  to?: string;
  limit: number;
  all?: boolean;
  cursor?: string;
}

/** Options of a list that may contain the same item from several sources. */
interface CopiesOptions extends RangeOptions {
  /** Shows only the selected source. */
  best?: boolean;
}

/** Fetches one page of a route. */
type FetchPage<T> = (
  client: HealthdClient,
  bounds: Bounds,
  page: { limit: number; cursor: string | undefined },
) => Promise<Envelope<T>>;

/** `healthctl data activity` */
function activity(cli: Cli, options: RangeOptions): Promise<void> {
  return showRows<ActivitySummary>(cli, options, ACTIVITY, (client, { start, end }, page) =>
    client.call(getActivitySummary, {
      params: { user_id: options.user },
      query: { start_date: start, end_date: end, ...page },
      signal: cli.signal,
    }),
  );
}

interface TimeseriesOptions extends CopiesOptions {
  types: string[];
  resolution: 'raw' | '1min' | '5min' | '15min' | '1hour';
}

/** `healthctl data timeseries` */
async function timeseries(cli: Cli, options: TimeseriesOptions): Promise<void> {
  const types = options.types.map(seriesNamed);
  let archivedBefore: string | undefined;
  await showRows<TimeSeriesSample>(cli, options, SAMPLES, async (client, { start, end }, page) => {
    const response = await client.call(getTimeseries, {
      params: { user_id: options.user },
      query: { start_time: start, end_time: end, types, resolution: options.resolution, ...chosen(options), ...page },
      signal: cli.signal,
    });
    archivedBefore = response.metadata.archived_before;
    return response;
  });
  if (archivedBefore !== undefined) {
    cli.say(`Samples before ${archivedBefore} are archived. Their daily figures: healthctl data activity`);
  }
}

/** `healthctl data sleep` */
function sleep(cli: Cli, options: CopiesOptions): Promise<void> {
  return showRows<SleepSession>(cli, options, SLEEP, (client, { start, end }, page) =>
    client.call(listSleepSessions, {
      params: { user_id: options.user },
      query: { start_date: start, end_date: end, ...chosen(options), ...page },
      signal: cli.signal,
    }),
  );
}

interface WorkoutOptions extends CopiesOptions {
  type?: string;
}

/** `healthctl data workouts` */
function workouts(cli: Cli, options: WorkoutOptions): Promise<void> {
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

/** @throws CliError `unknown_series` with similar names */
function seriesNamed(name: string): SeriesCode {
  const known = SERIES_CODES.find((code) => code === name);
  if (known) return known;
  const near = SERIES_CODES.filter(
    (code) => code.includes(name) || name.includes(code) || code.startsWith(name.slice(0, 4)),
  );
  throw new CliError('unknown_series', `Series ${name} not found.`, {
    hint: near.length > 0 ? `Near: ${near.join(', ')}.` : '`healthctl coverage` lists the series.',
    exitCode: EXIT.usage,
  });
}

/** Row with the attribution that its vendors require, if any. */
type Attributed<T> = T & { attribution?: string };

function withText<T extends object>(row: T, attribution: Attribution): Attributed<T> {
  const text = attributionOfRow(row, attribution);
  return text === undefined ? row : { ...row, attribution: text };
}

/** Reads rows page by page and shows them. */
async function showRows<T extends object>(
  cli: Cli,
  options: RangeOptions,
  shape: DataShape<T>,
  fetchPage: FetchPage<T>,
): Promise<void> {
  const attributed = { ...shape, fields: [...shape.fields, 'attribution'] } as unknown as Shape<Attributed<T>>;
  cli.willWrite(attributed);
  const bounds = parseBounds(options.from, options.to, newestDay(new Date()));
  const client = await cli.client();
  const request = { limit: options.limit, all: options.all === true, maxPage: shape.maxPage, cursor: options.cursor };
  const texts = new Set<string>();
  const pages = new Pages<Attributed<T>>(request, async (limit, cursor) => {
    const page = await fetchPage(client, bounds, { limit, cursor });
    const { attribution } = page.metadata;
    for (const { text } of attribution ?? []) texts.add(text);
    return attribution === undefined ? page : { ...page, data: page.data.map((row) => withText(row, attribution)) };
  });
  const count = await writeRows(cli.sink, attributed, pages.rows());
  if (count === 0)
    cli.hint(
      `No data ${rangeText(bounds)}. ${shape.elsewhere ?? 'List the stored data: healthctl data summary'} --user ${options.user}`,
    );
  // In other formats, each row contains the attribution.
  if (cli.sink.format === 'table' && texts.size > 0) {
    cli.say(`Attribution: ${[...texts].join('; ')}`);
  }
  if (pages.nextCursor === undefined) return;
  const total = pages.totalCount === undefined ? '' : ` of ${pages.totalCount}`;
  cli.say(
    `${countText(count, shape.noun)}${total}; more are available. All: --all. Next page: --cursor ${pages.nextCursor}`,
  );
}

const right = 'right' as const;

const NIGHTS: DataShape<SleepSummary> = {
  maxPage: 100,
  noun: 'day',
  fields: [
    'date',
    'start_time',
    'end_time',
    'zone_offset',
    'duration_minutes',
    'total_duration_minutes',
    'time_in_bed_minutes',
    'efficiency_percent',
    'interruptions_count',
    'nap_count',
    'nap_duration_minutes',
    'avg_heart_rate_bpm',
    'avg_hrv_sdnn_ms',
    'avg_hrv_rmssd_ms',
    'avg_respiratory_rate',
    'avg_spo2_percent',
    ...SOURCE_FIELDS,
  ],
  columns: [
    { header: 'Date', cell: (day) => day.date },
    { header: 'Asleep', cell: (day) => minutes(day.duration_minutes), align: right },
    { header: 'In bed', cell: (day) => minutes(day.time_in_bed_minutes), align: right },
    { header: 'Efficiency', cell: (day) => percent(day.efficiency_percent), align: right },
    { header: 'Naps', cell: (day) => day.nap_count, align: right },
    { header: 'Avg bpm', cell: (day) => day.avg_heart_rate_bpm, align: right },
    { header: 'Source', cell: (day) => sourceText(day.source), shrinkTo: 8 },
  ],
};

const RECOVERY: DataShape<RecoverySummary> = {
  maxPage: 100,
  noun: 'day',
  fields: [
    'date',
    'sleep_duration_seconds',
    'sleep_efficiency_percent',
    'resting_heart_rate_bpm',
    'avg_hrv_sdnn_ms',
    'avg_hrv_rmssd_ms',
    'avg_spo2_percent',
    'recovery_score',
    ...SOURCE_FIELDS,
  ],
  columns: [
    { header: 'Date', cell: (day) => day.date },
    { header: 'Resting bpm', cell: (day) => day.resting_heart_rate_bpm, align: right },
    { header: 'SDNN ms', cell: (day) => amount(day.avg_hrv_sdnn_ms, 1), align: right },
    { header: 'RMSSD ms', cell: (day) => amount(day.avg_hrv_rmssd_ms, 1), align: right },
    { header: 'SpO2', cell: (day) => percent(day.avg_spo2_percent), align: right },
    { header: 'Asleep', cell: (day) => minutes(sleepMinutes(day)), align: right },
    { header: 'Source', cell: (day) => sourceText(day.source), shrinkTo: 8 },
  ],
};

const CYCLES: DataShape<MenstrualCycle> = {
  maxPage: 100,
  noun: 'cycle',
  fields: [
    'id',
    'start_time',
    'end_time',
    'zone_offset',
    'current_phase_type',
    'day_in_cycle',
    'cycle_length',
    'predicted_cycle_length',
    'is_predicted_cycle',
    'period_length',
    'last_updated_at',
    ...SOURCE_FIELDS,
  ],
  columns: [
    { header: 'From', cell: (cycle) => measuredAt(cycle.start_time, cycle.zone_offset) },
    { header: 'To', cell: (cycle) => measuredAt(cycle.end_time, cycle.zone_offset) },
    { header: 'Days', cell: (cycle) => cycle.cycle_length, align: right },
    { header: 'Period', cell: (cycle) => cycle.period_length, align: right },
    { header: 'Phase', cell: (cycle) => cycle.current_phase_type },
    { header: 'Source', cell: (cycle) => sourceText(cycle.source), shrinkTo: 8 },
    { header: 'ID', cell: (cycle) => cycle.id },
  ],
};

const SCORES: DataShape<HealthScore> = {
  maxPage: 1000,
  noun: 'score',
  fields: [
    'id',
    'category',
    'value',
    'min',
    'max',
    'qualifier',
    'recorded_at',
    'zone_offset',
    'provider',
    'data_source_id',
  ],
  columns: [
    { header: 'Time', cell: (score) => measuredAt(score.recorded_at, score.zone_offset) },
    { header: 'Score', cell: (score) => score.category },
    { header: 'Value', cell: (score) => amount(score.value, 1), align: right },
    { header: 'Max', cell: (score) => amount(score.max, 1), align: right },
    { header: 'Meaning', cell: (score) => score.qualifier, shrinkTo: 8 },
    { header: 'Provider', cell: (score) => score.provider },
  ],
};

/** `healthctl data nights` */
function nights(cli: Cli, options: RangeOptions): Promise<void> {
  return showRows<SleepSummary>(cli, options, NIGHTS, (client, { start, end }, page) =>
    client.call(getSleepSummary, {
      params: { user_id: options.user },
      query: { start_date: start, end_date: end, ...page },
      signal: cli.signal,
    }),
  );
}

/** `healthctl data recovery` */
function recovery(cli: Cli, options: RangeOptions): Promise<void> {
  return showRows<RecoverySummary>(cli, options, RECOVERY, (client, { start, end }, page) =>
    client.call(getRecoverySummary, {
      params: { user_id: options.user },
      query: { start_date: start, end_date: end, ...page },
      signal: cli.signal,
    }),
  );
}

/** `healthctl data cycles` */
function cycles(cli: Cli, options: RangeOptions): Promise<void> {
  return showRows<MenstrualCycle>(cli, options, CYCLES, (client, { start, end }, page) =>
    client.call(listMenstrualCycles, {
      params: { user_id: options.user },
      query: { start_date: start, end_date: end, ...page },
      signal: cli.signal,
    }),
  );
}

/** `healthctl data scores` */
function scores(cli: Cli, options: RangeOptions): Promise<void> {
  return showRows<HealthScore>(cli, options, SCORES, async (client, { start, end }, { limit, cursor }) => {
    // This route pages by offset instead of cursors.
    const offset = Number(cursor ?? 0);
    const response = await client.call(listHealthScores, {
      params: { user_id: options.user },
      query: { start_date: start, end_date: end, limit, offset },
      signal: cli.signal,
    });
    const next_cursor = response.pagination.has_more ? String(offset + response.data.length) : null;
    return { ...response, pagination: { ...response.pagination, next_cursor } };
  });
}

function sleepMinutes({ sleep_duration_seconds: seconds }: RecoverySummary): number | null {
  return seconds === null ? null : Math.round(seconds / 60);
}

function percent(value: number | null): string | null {
  return value === null ? null : `${amount(value, 1)} %`;
}
