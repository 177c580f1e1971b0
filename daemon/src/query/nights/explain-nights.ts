import { coveredLength, type Interval, MS_PER_MINUTE, round } from '@healthd/model';
import type { DateOrInstant, GroupExplanation, SummaryExplanation } from '@healthd/schemas';
import { oneDay } from '../bounds.js';
import { mayChange } from '../local-offsets.js';
import { type ExplainContext, explainGroup, figuresOf } from '../selection/explain-group.js';
import { RECOVERY_FIGURES, SLEEP_FIGURES, SPAN_FIGURES } from '../selection/figure-groups.js';
import type { SleepCandidate } from '../selection/sleep-days.js';
import { type SummarySource, sourcesOf } from '../sources.js';
import { type Withheld, withheldGroups, withheldRecovery, withheldSleep } from '../withheld.js';
import { type FigureGroup, type NightFigures, readNightFigures } from './night-figures.js';
import { readNights } from './night-sessions.js';
import { hasRecovery, recoverySummary } from './recovery-summary.js';
import type { NightSession } from './session-seconds.js';
import { sleepSummary } from './sleep-summary.js';

const SLEEP_READINGS = ['heart_rate', 'hrv', 'oxygen_saturation', 'respiratory_rate'] as const;
const RECOVERY_READINGS = ['hrv', 'oxygen_saturation', 'resting_heart_rate', 'score'] as const;
const UNITS: Record<FigureGroup, string> = {
  heart_rate: 'bpm',
  hrv: 'ms',
  oxygen_saturation: 'percent',
  respiratory_rate: 'brpm',
  resting_heart_rate: 'bpm',
  score: 'score',
};

const NOTHING = { winner: undefined, placed: [] };

/** One date of a summary of nights, and the function that makes its row. */
interface ExplainedNight {
  figures: NightFigures;
  rowOf: (figures: NightFigures) => object;
  context: ExplainContext;
}

interface ExplainNightParams {
  /** A local date of waking. */
  date: DateOrInstant;
  /** Providers whose figures the summary must not show. */
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
  const { sleep, naps } = SLEEP_FIGURES;
  const minutes = { unit: 'minutes', divisor: 60 };
  const groups = [
    explainedSleep(night, { ...minutes, group: 'sleep', figures: hasSleep ? [...sleep, ...SPAN_FIGURES] : sleep }),
    explainedSleep(night, { ...minutes, group: 'naps', figures: hasSleep ? naps : [...naps, ...SPAN_FIGURES] }),
    ...SLEEP_READINGS.map((group) => explainedReadings(night, group, SLEEP_FIGURES[group], hasSleep)),
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
  const groups = [
    explainedSleep(night, { group: 'sleep', unit: 'seconds', figures: RECOVERY_FIGURES.sleep }),
    ...RECOVERY_READINGS.map((group) => explainedReadings(night, group, RECOVERY_FIGURES[group], true)),
  ];
  return withheldGroups({ ...named, groups }, withheld);
}

/** Reads one date in the same way as the summary. */
async function readNight(
  { pool, priorities: store }: SummarySource,
  userKey: number,
  date: DateOrInstant,
  of: 'sleep' | 'recovery',
) {
  const bounds = oneDay(date);
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

/** Explains the sleep or the naps. A date without sessions has no candidates. */
function explainedSleep(
  { figures, rowOf, context }: ExplainedNight,
  shape: { group: 'sleep' | 'naps'; unit: string; divisor?: number; figures: readonly [string, ...string[]] },
): GroupExplanation {
  const { day } = figures;
  const { group } = shape;
  return explainGroup<SleepCandidate<NightSession>>(
    {
      ...shape,
      selection: day?.[group] ?? NOTHING,
      shown: rowOf(figures),
      shownIf: (winner) => rowOf(day ? { ...figures, day: { ...day, [group]: { ...day[group], winner } } } : figures),
      ...(group === 'sleep' && {
        minutesMissed: ({ sessions }) => minutesOutside(sessions, day?.sleep.winner?.sessions ?? []),
      }),
    },
    context,
  );
}

/** Returns the minutes of sessions that other sessions do not cover. */
function minutesOutside(sessions: readonly NightSession[], others: readonly NightSession[]): number {
  const spans = (own: readonly NightSession[]) =>
    own.map(({ start_at: from, end_at: to }): Interval => [from.getTime(), to.getTime()]);
  return round((coveredLength(spans([...sessions, ...others])) - coveredLength(spans(others))) / MS_PER_MINUTE);
}

/** Explains a group of readings. A date with only naps has no readings. */
function explainedReadings(
  { figures, rowOf, context }: ExplainedNight,
  group: FigureGroup,
  paths: readonly [string, ...string[]],
  isShown: boolean,
): GroupExplanation {
  const selection = figures.groups[group];
  const shown = figuresOf(rowOf(figures), paths);
  return explainGroup(
    {
      group,
      // HRV has two figures. The lead figure is the first figure that the summary shows.
      leadFigure: paths.find((path) => shown[path] !== null) ?? paths[0],
      unit: UNITS[group],
      selection: isShown ? selection : NOTHING,
      figures: paths,
      shown: rowOf(figures),
      shownIf: (winner) => rowOf({ ...figures, groups: { ...figures.groups, [group]: { ...selection, winner } } }),
    },
    context,
  );
}
