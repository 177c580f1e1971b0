import { coveredLength, type Interval, MS_PER_DAY, MS_PER_MINUTE, round } from '@healthd/model';
import type { DateOrInstant, GroupExplanation, SummaryExplanation } from '@healthd/schemas';
import { dayBounds } from '../bounds.js';
import { mayChange } from '../local-offsets.js';
import { type ExplainContext, explainGroup, figuresOf } from '../selection/explain-group.js';
import { sourcesOf } from '../sources.js';
import type { SummarySource } from '../summary-source.js';
import { type Withheld, withheldGroups, withheldRecovery, withheldSleep } from '../withheld.js';
import { type FigureGroup, type NightFigures, readNightFigures } from './night-figures.js';
import { readNights } from './night-sessions.js';
import { hasRecovery, recoverySummary } from './recovery-summary.js';
import type { NightSession } from './session-seconds.js';
import { sleepSummary } from './sleep-summary.js';

interface ReadingGroup {
  group: FigureGroup;
  unit: string;
  /** Fields of the row; the first is the lead figure. */
  figures: readonly [string, ...string[]];
}

const HRV: ReadingGroup = { group: 'hrv', unit: 'ms', figures: ['avg_hrv_rmssd_ms', 'avg_hrv_sdnn_ms'] };
const OXYGEN: ReadingGroup = { group: 'oxygen_saturation', unit: 'percent', figures: ['avg_spo2_percent'] };

const SLEEP_READINGS: readonly ReadingGroup[] = [
  { group: 'heart_rate', unit: 'bpm', figures: ['avg_heart_rate_bpm'] },
  HRV,
  OXYGEN,
  { group: 'respiratory_rate', unit: 'brpm', figures: ['avg_respiratory_rate'] },
];
const RECOVERY_READINGS: readonly ReadingGroup[] = [
  HRV,
  OXYGEN,
  { group: 'resting_heart_rate', unit: 'bpm', figures: ['resting_heart_rate_bpm'] },
  { group: 'score', unit: 'score', figures: ['recovery_score'] },
];

/** Figures of the sleep; of the naps on a date with naps alone. */
const SPAN_FIGURES = ['start_time', 'end_time', 'zone_offset', 'local_offset', 'total_duration_minutes'];
const SLEEP_FIGURES = [
  'duration_minutes',
  'time_in_bed_minutes',
  'efficiency_percent',
  'stages.deep_minutes',
  'stages.rem_minutes',
  'stages.light_minutes',
  'stages.awake_minutes',
  'interruptions_count',
];
const NAP_FIGURES = ['nap_duration_minutes', 'nap_count'];

const NOTHING = { winner: undefined, placed: [], passedOver: [] };

/** One date of a summary of nights, and how its row is made. */
interface ExplainedNight {
  figures: NightFigures;
  rowOf: (figures: NightFigures) => object;
  context: ExplainContext;
}

export interface ExplainNightParams {
  /** A local date of waking. */
  date: DateOrInstant;
  /** Providers whose figures the summary does not show. */
  withheld: Withheld;
}

/** Explains the sleep summary of one date. */
export async function explainSleep(
  source: SummarySource,
  userKey: number,
  { date, withheld }: ExplainNightParams,
): Promise<SummaryExplanation> {
  const { named, figures, nights, context } = await readNight(source, userKey, date, 'sleep');
  const day = figures?.day;
  if (!figures || !day) return { ...named, groups: [] };
  const night: ExplainedNight = {
    figures,
    rowOf: (changed) => withheldSleep(sleepSummary(changed, nights), withheld),
    context,
  };
  const hasSleep = day.sleep.winner !== undefined;
  const naps = explainGroup(
    {
      group: 'naps',
      leadFigure: 'nap_duration_minutes',
      unit: 'minutes',
      divisor: 60,
      selection: day.naps,
      figures: hasSleep ? NAP_FIGURES : [...NAP_FIGURES, ...SPAN_FIGURES],
      shown: night.rowOf(figures),
      shownIf: (winner) => night.rowOf({ ...figures, day: { ...day, naps: { ...day.naps, winner } } }),
      sourceIdOf: ({ sourceId }) => sourceId,
    },
    context,
  );
  const sleep = { leadFigure: 'duration_minutes', unit: 'minutes', divisor: 60 };
  const groups = [
    explainedSleep(night, sleep, hasSleep ? [...SLEEP_FIGURES, ...SPAN_FIGURES] : SLEEP_FIGURES),
    naps,
    ...SLEEP_READINGS.map((group) => explainedReadings(night, group, hasSleep)),
  ];
  return withheldGroups({ ...named, groups }, withheld);
}

/** Explains the recovery summary of one date. */
export async function explainRecovery(
  source: SummarySource,
  userKey: number,
  { date, withheld }: ExplainNightParams,
): Promise<SummaryExplanation> {
  const { named, figures, nights, context } = await readNight(source, userKey, date, 'recovery');
  if (!figures || !hasRecovery(figures)) return { ...named, groups: [] };
  const night: ExplainedNight = {
    figures,
    rowOf: (changed) => withheldRecovery(recoverySummary(changed, nights), withheld),
    context,
  };
  const sleep = { leadFigure: 'sleep_duration_seconds', unit: 'seconds' };
  const groups = [
    explainedSleep(night, sleep, ['sleep_duration_seconds', 'sleep_efficiency_percent']),
    ...RECOVERY_READINGS.map((group) => explainedReadings(night, group, true)),
  ];
  return withheldGroups({ ...named, groups }, withheld);
}

/** Reads one date as the summary does. */
async function readNight(
  { pool, priorities: store }: SummarySource,
  userKey: number,
  date: DateOrInstant,
  of: 'sleep' | 'recovery',
) {
  const endMs = (Math.floor(date.ms / MS_PER_DAY) + 1) * MS_PER_DAY;
  const bounds = dayBounds({ start: date, end: { ms: endMs, dateOnly: true }, endName: 'date' });
  const priorities = await store.current();
  const [nights, sources, isOpen] = await Promise.all([
    readNights(pool, userKey, bounds, priorities),
    sourcesOf(pool, userKey),
    mayChange(pool, userKey, bounds.fromDate),
  ]);
  const all = await readNightFigures(pool, userKey, { nights, ...bounds, priorities, of });
  return {
    named: { date: bounds.fromDate, may_change: isOpen },
    figures: all.find(({ date: one }) => one === bounds.fromDate),
    nights,
    context: { sources, priorities },
  };
}

/** The group of the sleep; without candidates on a date without sessions. */
function explainedSleep(
  { figures, rowOf, context }: ExplainedNight,
  lead: { leadFigure: string; unit: string; divisor?: number },
  paths: readonly string[],
): GroupExplanation {
  const { day } = figures;
  return explainGroup(
    {
      ...lead,
      group: 'sleep',
      selection: day?.sleep ?? NOTHING,
      figures: paths,
      shown: rowOf(figures),
      shownIf: (winner) => rowOf(day ? { ...figures, day: { ...day, sleep: { ...day.sleep, winner } } } : figures),
      sourceIdOf: ({ sourceId }) => sourceId,
      minutesMissed: ({ sessions }) => minutesBeside(sessions, day?.sleep.winner?.sessions ?? []),
    },
    context,
  );
}

/** Minutes of some sessions outside of others. */
function minutesBeside(sessions: readonly NightSession[], others: readonly NightSession[]): number {
  const spans = (own: readonly NightSession[]) =>
    own.map(({ start_at: from, end_at: to }): Interval => [from.getTime(), to.getTime()]);
  return round((coveredLength(spans([...sessions, ...others])) - coveredLength(spans(others))) / MS_PER_MINUTE);
}

/** A group of readings; a date with naps alone shows none. */
function explainedReadings(
  { figures, rowOf, context }: ExplainedNight,
  { group, unit, figures: paths }: ReadingGroup,
  isShown: boolean,
): GroupExplanation {
  const selection = figures.groups[group];
  const shown = figuresOf(rowOf(figures), paths);
  return explainGroup(
    {
      group,
      // Variability has two figures, and a source compares with the one that it measured.
      leadFigure: paths.find((path) => shown[path] !== null) ?? paths[0],
      unit,
      selection: isShown ? selection : NOTHING,
      figures: paths,
      shown: rowOf(figures),
      shownIf: (winner) => rowOf({ ...figures, groups: { ...figures.groups, [group]: { ...selection, winner } } }),
      sourceIdOf: ({ sourceId }) => sourceId,
    },
    context,
  );
}
