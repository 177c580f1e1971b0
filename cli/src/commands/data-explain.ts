import {
  explainActivitySummary,
  explainBodySummary,
  explainRecoverySummary,
  explainSleepSummary,
} from '@healthd/contract';
import type { ActivityExplanation, GroupExplanation, SummaryExplanation } from '@healthd/schemas';
import { type Command, Option } from 'commander';
import type { Cli } from '../cli.js';
import { EXIT } from '../exit-codes.js';
import { CliError } from '../failure.js';
import { deviceText } from '../output/data-shapes.js';
import type { FieldPath } from '../output/fields.js';
import { type Shape, writeRecord, writeRows } from '../output/writer.js';
import { newestDay, parseBounds } from '../service/dates.js';
import { numberText } from '../ui/amounts.js';
import type { Bind } from './bind.js';
import { withExamples } from './examples.js';
import { userOption } from './values.js';

const DAY = 'local day: 2026-01-31, yesterday';

/** `data explain` */
export function addExplainCommand(data: Command, bind: Bind): void {
  withExamples(
    data
      .command('explain')
      .argument('[date]', DAY)
      .description(
        'Shows where the figures of one day come from: the sources of each group, their values, and the rule that ranked each source lower. For steps, distance, floors and energy it also shows the contribution of each source.',
      )
      .summary('show where the figures of one day come from')
      .addOption(userOption())
      .option('--date <date>', 'the local day, as an option')
      .addOption(
        new Option('--summary <name>', 'summary to explain')
          .choices(['activity', 'sleep', 'recovery', 'body'])
          .default('activity'),
      )
      .addOption(
        new Option(
          '--merge <how>',
          'activity: one source per day, or merged sources (default: the service’s setting)',
        ).choices(['source', 'interval']),
      )
      .action(bind(explain)),
    'healthctl data explain yesterday --user anna@example.org',
    'healthctl data explain yesterday --user anna@example.org --summary sleep',
  );
}

interface ExplainOptions {
  user: string;
  date?: string;
  summary: 'activity' | 'sleep' | 'recovery' | 'body';
  merge?: 'source' | 'interval';
}

/** Row for one source of one metric. In CSV, rows also describe sources of groups. */
interface CandidateRow {
  /** Null for a source of a group. */
  metric: string | null;
  unit: string;
  /** Value in the day's summary. */
  value: number | null;
  provider: string;
  device: string | null;
  samples: number | null;
  /** Value of the source. */
  sum: number | null;
  amount: number | null;
  best: boolean;
  lost_by: string | null;
  /** This and the next two fields are null for a source of a metric. */
  group: string | null;
  figure: string | null;
  rank: number | null;
}

const right = 'right' as const;
const amountText = (amount: number | null) => (amount === null ? null : numberText(amount, 1));

const yesOrNo = (isTrue: boolean) => (isTrue ? 'yes' : 'no');

const CANDIDATES = {
  fields: [
    'metric',
    'unit',
    'value',
    'provider',
    'device',
    'samples',
    'sum',
    'amount',
    'best',
    'lost_by',
    'group',
    'figure',
    'rank',
  ],
  columns: [
    { header: 'Metric', cell: (row: CandidateRow) => row.metric },
    { header: 'Shown', cell: (row: CandidateRow) => amountText(row.value), align: right },
    { header: 'Unit', cell: (row: CandidateRow) => row.unit },
    {
      header: 'Source',
      cell: (row: CandidateRow) => [row.provider, row.device].filter(Boolean).join(' '),
      shrinkTo: 14,
    },
    { header: 'Used', cell: (row: CandidateRow) => amountText(row.amount), align: right },
    { header: 'Sum', cell: (row: CandidateRow) => amountText(row.sum), align: right },
    { header: 'Samples', cell: (row: CandidateRow) => amountText(row.samples), align: right },
    { header: 'Best', cell: (row: CandidateRow) => yesOrNo(row.best) },
    { header: 'Lost by', cell: (row: CandidateRow) => row.lost_by },
  ],
} satisfies Shape<CandidateRow>;

/** Row for one source in a group of figures, in a table or CSV. */
interface GroupRow {
  group: string;
  rank: number;
  provider: string;
  device: string | null;
  figure: string;
  value: number | null;
  unit: string;
  measured_at: string | null;
  /** Null if the row is a single day that contributes to an average. */
  selected: boolean | null;
  lost_by: string | null;
  /** For sleep: minutes that the selected source did not record. */
  minutes_missed: number | null;
}

const GROUPS = {
  fields: [
    'group',
    'rank',
    'provider',
    'device',
    'figure',
    'value',
    'unit',
    'measured_at',
    'lost_by',
    'minutes_missed',
  ],
  columns: [
    { header: 'Group', cell: (row: GroupRow) => row.group },
    { header: 'Rank', cell: (row: GroupRow) => numberText(row.rank), align: right },
    {
      header: 'Source',
      cell: (row: GroupRow) => [row.provider, row.device].filter(Boolean).join(' '),
      shrinkTo: 12,
    },
    { header: 'Value', cell: (row: GroupRow) => amountText(row.value), align: right },
    { header: 'Unit', cell: (row: GroupRow) => row.unit },
    // The most important column, so a narrow terminal drops the figure first.
    { header: 'Result', cell: (row: GroupRow) => (row.selected ? 'selected' : row.lost_by), keep: true as const },
    { header: 'Figure', cell: (row: GroupRow) => row.figure, shrinkTo: 12 },
  ],
} satisfies Shape<GroupRow>;

const ACTIVITY_FIELDS = [
  'date',
  'merge',
  'may_change',
  'groups',
  'metrics',
] as const satisfies FieldPath<ActivityExplanation>[];
const FIELDS = ['date', 'may_change', 'groups'] as const satisfies FieldPath<SummaryExplanation>[];
const ROUTES = { sleep: explainSleepSummary, recovery: explainRecoverySummary, body: explainBodySummary } as const;
const EMPTY = {
  sleep: 'No source recorded sleep that ended on',
  recovery: 'No source measured a recovery on',
  body: 'No body data was stored up to',
} as const;

/** `healthctl data explain` */
export async function explain(
  cli: Cli,
  argument: string | undefined,
  { summary, date: option, ...options }: ExplainOptions,
): Promise<void> {
  const date = namedDate(argument, option);
  if (summary === 'activity') return explainDay(cli, date, options);
  if (options.merge !== undefined) {
    throw new CliError('merge_of_activity', '--merge requires --summary activity.', {
      hint: 'Remove --merge.',
      exitCode: EXIT.usage,
    });
  }
  cli.willWrite({ fields: FIELDS });
  const client = await cli.client();
  const response = await client.call(ROUTES[summary], {
    params: { user_id: options.user },
    query: { date: dayOf(date) },
    signal: cli.signal,
  });
  const { format } = cli.sink;
  if (format !== 'table' && format !== 'csv') return writeRecord(cli.sink, { fields: FIELDS }, response);
  const count = await writeRows(cli.sink, GROUPS, response.groups.flatMap(groupRows));
  await hintAt(cli, response, count === 0 ? `${EMPTY[summary]} ${response.date}.` : undefined);
}

async function explainDay(
  cli: Cli,
  date: string,
  { user, merge }: Pick<ExplainOptions, 'user' | 'merge'>,
): Promise<void> {
  cli.willWrite({ fields: ACTIVITY_FIELDS });
  const client = await cli.client();
  const response = await client.call(explainActivitySummary, {
    params: { user_id: user },
    query: { date: dayOf(date), merge },
    signal: cli.signal,
  });
  const { format } = cli.sink;
  if (format !== 'table' && format !== 'csv') return writeRecord(cli.sink, { fields: ACTIVITY_FIELDS }, response);
  const ofMetrics = candidateRows(response);
  const ofGroups = response.groups.flatMap(groupRows);
  if (format === 'csv') {
    await writeRows(cli.sink, CANDIDATES, [...ofMetrics, ...response.groups.flatMap(csvRows)]);
  } else {
    await writeRows(cli.sink, GROUPS, ofGroups);
    if (ofMetrics.length > 0) await cli.sink.write('\n');
    await writeRows(cli.sink, CANDIDATES, ofMetrics);
  }
  await hintAt(cli, response, ofGroups.length === 0 ? `No source measured activity on ${response.date}.` : undefined);
}

/** @throws CliError `usage` if there is no date, or if argument and option name different dates */
function namedDate(argument: string | undefined, option: string | undefined): string {
  if (argument !== undefined && option !== undefined && argument !== option) {
    throw new CliError('usage', 'The argument and --date name different days. Pass only one of them.', {
      exitCode: EXIT.usage,
    });
  }
  const date = argument ?? option;
  if (date !== undefined) return date;
  throw new CliError('usage', 'Missing argument <date>.', {
    hint: `<date> is a ${DAY}.`,
    exitCode: EXIT.usage,
  });
}

/**
 * Returns the date as `YYYY-MM-DD`. Accepts texts such as `yesterday`, and shortens an instant to its date.
 * @throws CliError `bad_date`; `bad_range` for a future date
 */
function dayOf(date: string): string {
  return parseBounds(date, undefined, newestDay(new Date())).start.slice(0, 'YYYY-MM-DD'.length);
}

/**
 * Prints `nothing` if set. Otherwise prints figures that merging would change, a note if the day may change, and a link
 * to the selection rule.
 */
async function hintAt(
  cli: Cli,
  { may_change, groups }: SummaryExplanation,
  nothing: string | undefined,
): Promise<void> {
  if (nothing !== undefined) return cli.hint(nothing);
  const merged = groups.flatMap(({ figures, merged_figures = {} }) =>
    Object.entries(merged_figures).flatMap(([path, value]) =>
      typeof value === 'number' && value !== figures[path] ? [`${path} ${numberText(value, 1)}`] : [],
    ),
  );
  if (merged.length > 0) cli.hint(`With --merge interval the day shows ${merged.join(', ')}.`);
  if (may_change) cli.hint('Sources may still deliver data for this day, which can change the selected source.');
  const { url } = await cli.connection();
  cli.hint(`How sources are selected: ${url}/selection`);
}

function groupRows({ group, unit, lead_figure: figure, candidates, days = [] }: GroupExplanation): GroupRow[] {
  const ofSources = candidates.map(({ rank, source, value, figures, measured_at, lost_by, minutes_missed = null }) => ({
    group,
    rank,
    provider: source.provider,
    device: deviceText(source),
    // For variability, a source may have a different figure than the winner (RMSSD or SDNN).
    figure: value === null || figures[figure] != null ? figure : (measuredFigure(figures) ?? figure),
    value,
    unit,
    measured_at,
    selected: lost_by === null,
    lost_by,
    minutes_missed,
  }));
  const ofDays = days.map(({ date, value, source }, at) => ({
    group,
    rank: at + 1,
    provider: source?.provider ?? 'unknown',
    device: source && deviceText(source),
    figure: `${figure} of ${date}`,
    value,
    unit,
    measured_at: null,
    selected: null,
    lost_by: null,
    minutes_missed: null,
  }));
  return [...ofSources, ...ofDays];
}

/** Returns a group's sources for the activity CSV: `value` is the day's figure, `sum` the source's. */
function csvRows(group: GroupExplanation): CandidateRow[] {
  const shown = group.figures[group.lead_figure];
  return groupRows(group).map(({ unit, provider, device, value, selected, lost_by, figure, rank }) => ({
    metric: null,
    unit,
    value: typeof shown === 'number' ? shown : null,
    provider,
    device,
    samples: null,
    sum: value,
    amount: null,
    best: selected === true,
    lost_by,
    group: group.group,
    figure,
    rank,
  }));
}

function measuredFigure(figures: GroupExplanation['figures']): string | undefined {
  return Object.entries(figures).find(([, value]) => value !== null)?.[0];
}

function candidateRows({ metrics }: ActivityExplanation): CandidateRow[] {
  return metrics.flatMap(({ type, unit, value, candidates }) =>
    candidates.map(({ source, sample_count, sample_sum, daily_total, amount, best, lost_by }) => ({
      metric: type,
      unit,
      value,
      provider: source.provider,
      amount,
      best,
      lost_by,
      device: deviceText(source),
      samples: sample_count,
      sum: daily_total ?? sample_sum,
      group: null,
      figure: null,
      rank: null,
    })),
  );
}
