import { getBodySummary, getDataGaps } from '@healthd/contract';
import type { BodySummary, DataGaps } from '@healthd/schemas';
import type { Command } from 'commander';
import type { Cli } from '../cli.js';
import { amount, sourceText } from '../output/data-shapes.js';
import type { FieldPath } from '../output/fields.js';
import { at } from '../output/instant.js';
import { type Shape, writeRecord, writeRows } from '../output/writer.js';
import { newestDay, parseBounds } from '../service/dates.js';
import type { Bind } from './bind.js';
import { withExamples } from './examples.js';
import { optionalDataFrom, toOption } from './period.js';
import { userOption } from './values.js';

/** `data body|gaps` */
export function addStateCommands(data: Command, bind: Bind): void {
  withExamples(
    data
      .command('body')
      .description('Shows the latest weight, height, body composition, resting heart rate and blood pressure.')
      .summary('show the latest body measurements')
      .addOption(userOption())
      .action(bind(body)),
    'healthctl data body --user anna@example.org',
  );
  withExamples(
    data
      .command('gaps')
      .description('Lists days with missing data, by provider and data type.')
      .summary('list days with missing data')
      .addOption(userOption())
      .addOption(optionalDataFrom())
      .addOption(toOption())
      .option('--all', 'also data types without missing days')
      .action(bind(gaps)),
    'healthctl data gaps --user anna@example.org',
  );
}

const BODY = {
  fields: ['source', 'slow_changing', 'averaged', 'latest', 'attribution'] as const satisfies FieldPath<BodySummary>[],
  pairs: ({ source, slow_changing: body, averaged, latest }: BodySummary) =>
    [
      ['Weight', unit(body.weight_kg, 'kg')],
      ['Height', unit(body.height_cm, 'cm')],
      ['Body fat', unit(body.body_fat_percent, '%')],
      ['Muscle mass', unit(body.muscle_mass_kg, 'kg')],
      ['BMI', amount(body.bmi, 1)],
      [`Resting heart rate, ${averaged.period_days} days`, unit(averaged.resting_heart_rate_bpm, 'bpm')],
      [`HRV (SDNN), ${averaged.period_days} days`, unit(averaged.avg_hrv_sdnn_ms, 'ms')],
      [`HRV (RMSSD), ${averaged.period_days} days`, unit(averaged.avg_hrv_rmssd_ms, 'ms')],
      ['Body temperature', unit(latest.body_temperature_celsius, '°C')],
      ['Temperature measured', at(latest.body_temperature_measured_at)],
      ['Blood pressure', pressureText(latest.blood_pressure)],
      ['Pressure measured', at(latest.blood_pressure_measured_at)],
      ['Source', sourceText(source)],
    ] as const,
};

const BODY_CSV = { fields: BODY.fields };

/** `healthctl data body` */
async function body(cli: Cli, { user }: { user: string }): Promise<void> {
  cli.willWrite(BODY);
  const client = await cli.client();
  const summary = await client.call(getBodySummary, { params: { user_id: user }, signal: cli.signal });
  if (summary === null) {
    if (!cli.forPeople) await cli.sink.write('null\n');
    return cli.hint(`No body data is stored. List the stored data: healthctl data summary --user ${user}`);
  }
  const text = [...new Set(summary.attribution?.map((one) => one.text))].join('; ');
  // CSV has the attribution as text, like other commands. JSON keeps the API's format.
  if (cli.sink.format === 'csv') return writeRecord(cli.sink, BODY_CSV, { ...summary, attribution: text });
  await writeRecord(cli.sink, BODY, summary);
  if (cli.sink.format === 'table' && text !== '') cli.say(`Attribution: ${text}`);
}

type Gap = DataGaps['items'][number];

const GAPS = {
  fields: [
    'provider',
    'connection_status',
    'data_type',
    'first_date',
    'last_date',
    'days_received',
    'days_empty',
    'delivers_daily',
    'days_missing',
    'received',
    'missing',
  ],
  columns: [
    { header: 'Provider', cell: (gap: Gap) => gap.provider },
    { header: 'Data', cell: (gap: Gap) => gap.data_type },
    { header: 'First', cell: (gap: Gap) => gap.first_date },
    { header: 'Last', cell: (gap: Gap) => gap.last_date },
    { header: 'Days', cell: (gap: Gap) => gap.days_received, align: 'right' as const },
    { header: 'Missing', cell: (gap: Gap) => gap.days_missing, align: 'right' as const },
    { header: 'Dates', cell: missingText, shrinkTo: 10 },
  ],
} satisfies Shape<Gap>;

interface GapsOptions {
  user: string;
  from?: string;
  to?: string;
  all?: boolean;
}

/** `healthctl data gaps` */
async function gaps(cli: Cli, { user, from, to, all }: GapsOptions): Promise<void> {
  cli.willWrite(GAPS);
  const bounded = from !== undefined || to !== undefined;
  const bounds = bounded ? parseBounds(from ?? '1900-01-01', to, newestDay(new Date())) : undefined;
  const client = await cli.client();
  const { items } = await client.call(getDataGaps, {
    params: { user_id: user },
    query: { start_date: bounds?.start, end_date: bounds?.end },
    signal: cli.signal,
  });
  // Shows only gaps on a terminal. A script gets the complete response.
  const shown = cli.forPeople && !all ? items.filter(({ days_missing }) => days_missing > 0) : items;
  await writeRows(cli.sink, GAPS, shown);
  if (items.length === 0) return cli.hint('No data is stored.');
  if (shown.length === 0) cli.hint('No days are missing. List all data types: --all');
}

function missingText({ missing }: Gap): string {
  return missing
    .map(({ first_date, last_date }) => (first_date === last_date ? first_date : `${first_date} to ${last_date}`))
    .join(', ');
}

function unit(value: number | null, name: string): string | null {
  return value === null ? null : `${amount(value, 1)} ${name}`;
}

function pressureText(pressure: BodySummary['latest']['blood_pressure']): string | null {
  return pressure && `${pressure.avg_systolic_mmhg}/${pressure.avg_diastolic_mmhg} mmHg`;
}
