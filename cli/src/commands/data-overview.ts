import { getCoverage, getDataSummary, listDataSources } from '@healthd/contract';
import type { Coverage, DataSource, DataSummary } from '@healthd/schemas';
import type { Command } from 'commander';
import type { Cli } from '../cli.js';
import type { FieldPath } from '../output/fields.js';
import { at } from '../output/instant.js';
import { type Shape, writeRecord, writeRows } from '../output/writer.js';
import { newestDay, parseBounds } from '../service/dates.js';
import { numberText } from '../ui/amounts.js';
import type { Bind } from './bind.js';
import { withExamples } from './examples.js';
import { optionalDataFrom, toOption } from './period.js';
import { userOption } from './values.js';

/** `data sources|summary` */
export function addOverviewCommands(data: Command, bind: Bind): void {
  data
    .command('sources')
    .description('Lists the devices and applications that supplied data.')
    .summary('list devices and applications that supplied data')
    .addOption(userOption())
    .action(bind(sources));
  withExamples(
    data
      .command('summary')
      .description('Counts stored data by series, workout type and provider. Without dates, counts all data.')
      .summary('count stored data')
      .addOption(userOption())
      .addOption(optionalDataFrom())
      .addOption(toOption())
      .action(bind(summary)),
    'healthctl data summary --user anna@example.org -o csv',
  );
}

/** `coverage` */
export function addCoverageCommand(program: Command, bind: Bind): void {
  program
    .command('coverage')
    .description(
      'Lists every series and field that the service supports, with its unit and providers. Requires no login.',
    )
    .summary('list the data types of each provider')
    .action(bind(coverage));
}

const SOURCES = {
  fields: [
    'id',
    'user_id',
    'provider',
    'user_connection_id',
    'device_model',
    'software_version',
    'source',
    'device_type',
    'original_source_name',
    'display_name',
  ],
  columns: [
    { header: 'ID', cell: (source: DataSource) => source.id, keep: true as const },
    { header: 'Provider', cell: (source: DataSource) => source.provider },
    { header: 'Device', cell: (source: DataSource) => source.device_model },
    { header: 'Type', cell: (source: DataSource) => source.device_type },
    { header: 'Written by', cell: (source: DataSource) => source.original_source_name ?? source.source, shrinkTo: 10 },
    { header: 'Software', cell: (source: DataSource) => source.software_version },
  ],
} satisfies Shape<DataSource>;

/** `healthctl data sources` */
async function sources(cli: Cli, options: { user: string }): Promise<void> {
  cli.willWrite(SOURCES);
  const client = await cli.client();
  const response = await client.call(listDataSources, { params: { user_id: options.user }, signal: cli.signal });
  await writeRows(cli.sink, SOURCES, response.items);
  if (response.total === 0)
    cli.hint(`No data is stored yet. Import a file: healthctl import export.zip --user ${options.user}`);
}

/** Row of the summary in a table or CSV. */
interface CountRow {
  kind: 'series' | 'workout' | 'sleep';
  name: string;
  count: number;
  last_seen: string | null;
}

const COUNTS = {
  fields: ['kind', 'name', 'count', 'last_seen'],
  columns: [
    { header: 'Type', cell: (row: CountRow) => row.kind },
    { header: 'Name', cell: (row: CountRow) => row.name },
    { header: 'Count', cell: (row: CountRow) => numberText(row.count), align: 'right' as const },
    { header: 'Latest', cell: (row: CountRow) => at(row.last_seen) },
  ],
} satisfies Shape<CountRow>;

const SUMMARY_FIELDS = [
  'user_id',
  'total_data_points',
  'total_workouts',
  'total_sleep_events',
  'series_type_counts',
  'workout_type_counts',
  'by_provider',
  'has_womens_health_data',
  'last_seen',
] as const satisfies FieldPath<DataSummary>[];

/** `healthctl data summary` */
async function summary(cli: Cli, options: { user: string; from?: string; to?: string }): Promise<void> {
  cli.willWrite({ fields: SUMMARY_FIELDS });
  const bounded = options.from !== undefined || options.to !== undefined;
  const bounds = bounded ? parseBounds(options.from ?? '1900-01-01', options.to, newestDay(new Date())) : undefined;
  const client = await cli.client();
  const response = await client.call(getDataSummary, {
    params: { user_id: options.user },
    query: { start_date: bounds?.start, end_date: bounds?.end },
    signal: cli.signal,
  });
  if (!isTabular(cli)) return writeRecord(cli.sink, { fields: SUMMARY_FIELDS }, response);
  const count = await writeRows(cli.sink, COUNTS, countRows(response));
  if (count === 0) cli.hint(`No data is stored. Import a file: healthctl import export.zip --user ${options.user}`);
}

function countRows(response: DataSummary): CountRow[] {
  const rows = (kind: CountRow['kind'], counts: Record<string, number>) =>
    Object.entries(counts).map(([name, count]) => ({ kind, name, count, last_seen: response.last_seen[name] ?? null }));
  const nights: Record<string, number> = response.total_sleep_events ? { sessions: response.total_sleep_events } : {};
  return [
    ...rows('series', response.series_type_counts),
    ...rows('workout', response.workout_type_counts),
    ...rows('sleep', nights),
  ];
}

/** Row of the coverage in a table or CSV. */
interface CoverageRow {
  group: string;
  code: string;
  unit: string | null;
  providers: string;
}

const COVERAGE = {
  fields: ['group', 'code', 'unit', 'providers'],
  columns: [
    { header: 'Group', cell: (row: CoverageRow) => row.group },
    { header: 'Code', cell: (row: CoverageRow) => row.code },
    { header: 'Unit', cell: (row: CoverageRow) => row.unit },
    { header: 'Providers', cell: (row: CoverageRow) => row.providers, shrinkTo: 16 },
  ],
} satisfies Shape<CoverageRow>;

const COVERAGE_FIELDS = [
  'providers',
  'timeseries',
  'workout_fields',
  'sleep_fields',
  'menstrual_cycle_fields',
  'health_scores',
] as const satisfies FieldPath<Coverage>[];

/** `healthctl coverage` */
async function coverage(cli: Cli): Promise<void> {
  cli.willWrite({ fields: COVERAGE_FIELDS });
  const client = await cli.client();
  const response = await client.call(getCoverage, { signal: cli.signal });
  if (!isTabular(cli)) return writeRecord(cli.sink, { fields: COVERAGE_FIELDS }, response);
  await writeRows(cli.sink, COVERAGE, coverageRows(response));
}

function coverageRows(response: Coverage): CoverageRow[] {
  const fields = (group: string, list: Coverage['workout_fields']) =>
    list.map(({ code, providers }) => ({ group, code, unit: null, providers: providers.join(' ') }));
  return [
    ...response.timeseries.flatMap(({ name, metrics }) =>
      metrics.map(({ code, unit, providers }) => ({ group: name, code, unit, providers: providers.join(' ') })),
    ),
    ...fields('Workouts', response.workout_fields),
    ...fields('Sleep', response.sleep_fields),
    ...fields('Menstrual cycles', response.menstrual_cycle_fields),
    ...fields('Health scores', response.health_scores),
  ];
}

function isTabular(cli: Cli): boolean {
  return cli.sink.format === 'table' || cli.sink.format === 'csv';
}
