import {
  brokenLength,
  dayStartMs,
  fromDayNumber,
  type HealthRecord,
  MS_PER_HOUR,
  MS_PER_SECOND,
  SLEEP_LENGTH,
  type SleepSessionRecord,
  type SleepStage,
} from '@healthd/model';
import type { Tally } from '../../cloud/index.js';
import { intervalProblem } from '../../interval.js';
import { isObject, numberOf, type PayloadObject } from '../../payload/index.js';
import { completeSleepSeconds } from '../../sleep-seconds.js';
import { AmountReader, type DayMetrics } from './day-metrics.js';
import type { RingDay } from './local-day.js';
import { RING, replacedAround } from './source.js';

const STAGES: Readonly<Record<string, SleepStage>> = { deep: 'deep', light: 'light', rem: 'rem', awake: 'awake' };
/** Names of the stages as flat members. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  deep: ['deep_sleep', 'deep'],
  light: ['light_sleep', 'light'],
  rem: ['rem_sleep', 'rem'],
  awake: ['awake', 'awake_time', 'awake_sleep', 'time_awake'],
};
/** Around the midnight of a day without a night, where one that is gone began. */
const NIGHT_MS = 6 * MS_PER_HOUR;

type Stages = NonNullable<SleepSessionRecord['stages']>;

/** A night, or why there is none: the day has none, or one that cannot be stored, which says nothing of a stored one. */
type DayNight = SleepSessionRecord | 'none' | 'unusable';

/**
 * The main sleep of a day, known by its date. The vendor writes its figures in four forms, and mixes them: a list of stages,
 * flat members, a graph of intervals, and quick metrics.
 */
export function sleepOf(metrics: DayMetrics['metrics'], ringDay: RingDay, tally: Tally): DayNight {
  const sleep = metrics.get('sleep');
  const amounts = new AmountReader(tally);
  if (!sleep) return 'none';
  const stages = stagesOf(sleep, amounts);
  const span = spanOf(sleep, stages);
  if (!span) {
    if (!hasFigures(sleep)) return 'none';
    amounts.unreadable('sleep.bedtime_start');
    return 'unusable';
  }
  const index = tally.next();
  const problem = intervalProblem(span.startMs, span.endMs);
  if (problem) {
    tally.reject(index, problem.field === 'startDate' ? 'bedtime_start' : 'bedtime_end', problem.code);
    return 'unusable';
  }
  const bound = brokenLength(span, SLEEP_LENGTH);
  if (bound !== undefined) {
    tally.reject(index, 'bedtime_end', 'implausible', bound);
    return 'unusable';
  }
  const inside = clipped(stages, span);
  const figures = new NightFigures(metrics, sleep, amounts);
  return {
    kind: 'sleep_session',
    source: RING,
    externalId: `sleep-${fromDayNumber(ringDay.day)}`,
    ...span,
    offsetMinutes: ringDay.offsetAt(span.endMs),
    isNap: false,
    ...completeSleepSeconds(figures.given(), inside),
    inBedSeconds: positive(figures.length('time_in_bed')) ?? (span.endMs - span.startMs) / MS_PER_SECOND,
    efficiencyPercent: figures.efficiency(),
    ...(inside.length > 0 && { stages: inside }),
  };
}

/** What is gone of a day that came without a night. */
export function lostNight({ day, offsetAt }: RingDay): HealthRecord[] {
  const offset = offsetAt(dayStartMs(day));
  if (offset === undefined) return [];
  const midnightMs = dayStartMs(day, offset);
  const night = { startMs: midnightMs - NIGHT_MS, endMs: midnightMs + NIGHT_MS };
  return [{ ...replacedAround(day), ...night, of: 'sleep_sessions' }];
}

/** Reads the figures of a night wherever the vendor wrote them. */
class NightFigures {
  constructor(
    private readonly metrics: DayMetrics['metrics'],
    private readonly sleep: PayloadObject,
    private readonly amounts: AmountReader,
  ) {}

  given() {
    return {
      asleep: positive(this.length('total_sleep')),
      deep: this.stage('deep'),
      light: this.stage('light'),
      rem: this.stage('rem'),
      awake: this.stage('awake'),
    };
  }

  efficiency(): number | undefined {
    const quick = this.quick('sleep_efic');
    return (
      positive(this.amounts.amount(quick?.value, 'sleep.quick_metrics.sleep_efic')) ??
      this.amounts.amount(this.sleep.sleep_efficiency, 'sleep.sleep_efficiency') ??
      this.amounts.amount(this.metrics.get('sleep_efficiency'), 'sleep_efficiency')
    );
  }

  /** Seconds of a figure of the whole night: a quick metric in seconds, a flat member, or a metric of its own. */
  length(name: string): number | undefined {
    const quick = this.quick(name);
    const seconds = quick && this.amounts.seconds(withoutTexts(quick), `sleep.quick_metrics.${name}`, 1);
    return (
      positive(seconds) ??
      this.amounts.seconds(this.sleep[name], `sleep.${name}`) ??
      this.amounts.seconds(this.metrics.get(name), name)
    );
  }

  private stage(name: string): number | undefined {
    const { sleep_stages: stages } = this.sleep;
    const listed = (Array.isArray(stages) ? stages : []).find((one) => isObject(one) && stageName(one.type) === name);
    const seconds = isObject(listed)
      ? this.amounts.seconds(listed.stage_time, `sleep.sleep_stages.${name}`, 1)
      : undefined;
    if (seconds !== undefined) return seconds;
    for (const member of MEMBERS[name] ?? []) {
      const found = this.length(member);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  private quick(type: string): PayloadObject | undefined {
    return quickMetric(this.sleep, type);
  }
}

/** One of the quick metrics of a night. */
export function quickMetric({ quick_metrics: metrics }: PayloadObject, type: string): PayloadObject | undefined {
  const list: unknown[] = Array.isArray(metrics) ? metrics : [];
  return list.filter(isObject).find((one) => typeof one.type === 'string' && one.type.toLowerCase() === type);
}

/** The amount alone: `unit` of a quick metric says how the app shows it. */
function withoutTexts({ value }: PayloadObject) {
  return { value };
}

function positive(value: number | undefined): number | undefined {
  return value !== undefined && value > 0 ? value : undefined;
}

/** From going to bed to getting up. Undefined if neither the times nor the graph say. */
function spanOf(sleep: PayloadObject, stages: Stages): { startMs: number; endMs: number } | undefined {
  const { bedtime_start: start, bedtime_end: end } = sleep;
  const lastMs = stages.reduce((last, { endMs }) => Math.max(last, endMs), Number.NEGATIVE_INFINITY);
  const ends = (value: unknown, ms: number | undefined) =>
    value === undefined || value === null ? (ms ?? Number.NaN) : msOf(value);
  if ((start === undefined || start === null) && stages.length === 0) return undefined;
  return { startMs: ends(start, stages[0]?.startMs), endMs: ends(end, stages.length > 0 ? lastMs : undefined) };
}

/** Members that give the length of a night or of a part of it. */
const LENGTHS: ReadonlySet<string> = new Set(['total_sleep', 'time_in_bed', ...Object.values(MEMBERS).flat()]);

/** True if the vendor gives something of a night whose times are missing. */
function hasFigures(sleep: PayloadObject): boolean {
  const { quick_metrics: quick, sleep_stages: listed, sleep_graph: graph } = sleep;
  const isFilled = (list: unknown) => Array.isArray(list) && list.length > 0;
  const isPositive = (value: unknown) => positive(numberOf(value)) !== undefined;
  const isLength = (value: unknown) => isPositive(value) || (isObject(value) && Object.values(value).some(isPositive));
  const lists = [quick, listed, isObject(graph) ? graph.data : undefined];
  return lists.some(isFilled) || Object.entries(sleep).some(([name, value]) => LENGTHS.has(name) && isLength(value));
}

/** Names come with or without `_sleep`. */
function stageName(type: unknown): string | undefined {
  return typeof type === 'string' ? type.toLowerCase().replace(/_sleep$/, '') : undefined;
}

/** The graph in order of time. Its members have had two names each. */
function stagesOf({ sleep_graph: graph }: PayloadObject, amounts: AmountReader): Stages {
  const data: unknown[] = isObject(graph) && Array.isArray(graph.data) ? graph.data : [];
  const stages: Stages = [];
  for (const piece of data) {
    const startMs = isObject(piece) ? msOf(piece.start ?? piece.startTime) : Number.NaN;
    const endMs = isObject(piece) ? msOf(piece.end ?? piece.endTime) : Number.NaN;
    const name = isObject(piece) ? stageName(piece.type) : undefined;
    const stage = name !== undefined && Object.hasOwn(STAGES, name) ? STAGES[name] : undefined;
    if (Number.isNaN(startMs) || Number.isNaN(endMs)) amounts.unreadable('sleep.sleep_graph.start');
    else if (stage === undefined) amounts.unreadable('sleep.sleep_graph.type');
    if (startMs < endMs) stages.push({ stage: stage ?? 'unknown', startMs, endMs });
  }
  return stages.sort((a, b) => a.startMs - b.startMs);
}

function clipped(stages: Stages, { startMs, endMs }: { startMs: number; endMs: number }): Stages {
  return stages
    .map((one) => ({ ...one, startMs: Math.max(one.startMs, startMs), endMs: Math.min(one.endMs, endMs) }))
    .filter((one) => one.startMs < one.endMs);
}

/** NaN for what is no number of seconds. */
function msOf(seconds: unknown): number {
  return (numberOf(seconds) ?? Number.NaN) * MS_PER_SECOND;
}
