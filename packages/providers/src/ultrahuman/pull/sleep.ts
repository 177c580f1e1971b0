import {
  brokenLength,
  fromDayNumber,
  MS_PER_SECOND,
  SLEEP_LENGTH,
  type SleepSessionRecord,
  type SleepStage,
} from '@healthd/model';
import { z } from 'zod';
import type { Tally } from '../../cloud/index.js';
import { intervalProblem } from '../../interval.js';
import { isObject, numberOf, type PayloadObject } from '../../payload/index.js';
import { requireAtMost } from '../../rest/index.js';
import { completeSleepSeconds } from '../../sleep-seconds.js';
import { AMOUNT, AmountReader, type DayMetrics, LENGTH } from './day-metrics.js';
import type { RingDay } from './local-day.js';
import { RING } from './source.js';

/** Epoch seconds. */
const SECONDS = z.number();
/** A piece of the graph. `startTime` and `endTime` are the older names. */
const PIECE = z.object({ start: SECONDS, end: SECONDS, startTime: SECONDS, endTime: SECONDS, type: z.string() });
/** A stage with its seconds. Stage names may end in `_sleep`. */
const STAGE = z.object({ type: z.string(), stage_time: LENGTH });

/**
 * The metric `sleep`. The vendor writes a night's figures in four formats and mixes them: a list of stages, flat
 * members, a graph of intervals, and quick metrics, whose lengths are in seconds. An amount or length may be plain or
 * in an object.
 */
const SLEEP = z.object({
  bedtime_start: SECONDS,
  bedtime_end: SECONDS,
  sleep_stages: z.array(STAGE),
  sleep_graph: z.object({ data: z.array(PIECE) }),
  quick_metrics: z.array(z.object({ type: z.string(), value: z.number() })),
  total_sleep: LENGTH,
  time_in_bed: LENGTH,
  deep_sleep: LENGTH,
  deep: LENGTH,
  light_sleep: LENGTH,
  light: LENGTH,
  rem_sleep: LENGTH,
  rem: LENGTH,
  awake: LENGTH,
  awake_time: LENGTH,
  awake_sleep: LENGTH,
  time_awake: LENGTH,
  sleep_efficiency: AMOUNT,
  sleep_score: AMOUNT,
  score_trend: AMOUNT,
  avg_sleep_hrv: AMOUNT,
  spo2: AMOUNT,
  temperature_deviation: AMOUNT,
  average_body_temperature: AMOUNT,
});
type SleepMember = keyof z.output<typeof SLEEP>;
/** The metric in the vendor's format. {@link AmountReader} counts unreadable members. */
export type SleepMetric = Readonly<Partial<Record<SleepMember, unknown>>>;

/** Maximum number of pieces of a night: a change of stage every 20 seconds. */
const MAX_PARTS = 5_000;

const STAGES: Readonly<Record<string, SleepStage>> = { deep: 'deep', light: 'light', rem: 'rem', awake: 'awake' };
/** Names of the flat members, by stage. */
const MEMBERS = {
  deep: ['deep_sleep', 'deep'],
  light: ['light_sleep', 'light'],
  rem: ['rem_sleep', 'rem'],
  awake: ['awake', 'awake_time', 'awake_sleep', 'time_awake'],
} as const satisfies Record<string, readonly SleepMember[]>;

type Stages = NonNullable<SleepSessionRecord['stages']>;

/** Returns the day's main sleep, identified by its date. Undefined if the sleep is missing or cannot be stored. */
export function sleepOf(
  metrics: DayMetrics['metrics'],
  ringDay: RingDay,
  tally: Tally,
): SleepSessionRecord | undefined {
  const sleep: SleepMetric | undefined = metrics.get('sleep');
  const amounts = new AmountReader(tally);
  if (!sleep) return undefined;
  countUnreadLists(sleep, amounts);
  const stages = stagesOf(sleep, amounts);
  const span = spanOf(sleep, stages);
  if (!span) {
    if (hasFigures(sleep)) amounts.unreadable('sleep.bedtime_start');
    return undefined;
  }
  const index = tally.next();
  const problem = intervalProblem(span.startMs, span.endMs);
  if (problem) {
    tally.reject(index, problem.field === 'startDate' ? 'bedtime_start' : 'bedtime_end', problem.code);
    return undefined;
  }
  const bound = brokenLength(span, SLEEP_LENGTH);
  if (bound !== undefined) {
    tally.reject(index, 'bedtime_end', 'implausible', bound);
    return undefined;
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

/** Reads a night's figures in all formats. */
class NightFigures {
  constructor(
    private readonly metrics: DayMetrics['metrics'],
    private readonly sleep: SleepMetric,
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

  /** Returns a whole-night figure in seconds, from a quick metric, a flat member, or a separate metric. */
  length(name: SleepMember): number | undefined {
    const quick = this.quick(name);
    const seconds = quick && this.amounts.seconds(withoutTexts(quick), `sleep.quick_metrics.${name}`, 1);
    return (
      positive(seconds) ??
      this.amounts.seconds(this.sleep[name], `sleep.${name}`) ??
      this.amounts.seconds(this.metrics.get(name), name)
    );
  }

  private stage(name: keyof typeof MEMBERS): number | undefined {
    const { sleep_stages: stages } = this.sleep;
    const listed = (Array.isArray(stages) ? stages : []).find((one) => isObject(one) && stageName(one.type) === name);
    const seconds = isObject(listed)
      ? this.amounts.seconds(listed.stage_time, `sleep.sleep_stages.${name}`, 1)
      : undefined;
    if (seconds !== undefined) return seconds;
    for (const member of MEMBERS[name]) {
      const found = this.length(member);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  private quick(type: string): PayloadObject | undefined {
    return quickMetric(this.sleep, type);
  }
}

/** Returns one of a night's quick metrics. */
export function quickMetric({ quick_metrics: metrics }: SleepMetric, type: string): PayloadObject | undefined {
  const list: unknown[] = Array.isArray(metrics) ? metrics : [];
  return list.filter(isObject).find((one) => typeof one.type === 'string' && one.type.toLowerCase() === type);
}

/** Returns only the amount, because `unit` of a quick metric is its display unit in the app. */
function withoutTexts({ value }: PayloadObject) {
  return { value };
}

function positive(value: number | undefined): number | undefined {
  return value !== undefined && value > 0 ? value : undefined;
}

/**
 * Returns the time from going to bed to getting up. Undefined if start time and graph are missing. A missing end or an
 * unreadable time is NaN.
 */
function spanOf(sleep: SleepMetric, stages: Stages): { startMs: number; endMs: number } | undefined {
  const { bedtime_start: start, bedtime_end: end } = sleep;
  const lastMs = stages.reduce((last, { endMs }) => Math.max(last, endMs), Number.NEGATIVE_INFINITY);
  const ends = (value: unknown, ms: number | undefined) =>
    value === undefined || value === null ? (ms ?? Number.NaN) : msOf(value);
  if ((start === undefined || start === null) && stages.length === 0) return undefined;
  return { startMs: ends(start, stages[0]?.startMs), endMs: ends(end, stages.length > 0 ? lastMs : undefined) };
}

/** True if the vendor reports figures for a night without times. */
function hasFigures(sleep: SleepMetric): boolean {
  const { quick_metrics: quick, sleep_stages: listed, sleep_graph: graph } = sleep;
  const isFilled = (list: unknown) => Array.isArray(list) && list.length > 0;
  const isPositive = (value: unknown) => positive(numberOf(value)) !== undefined;
  const isLength = (value: unknown) => isPositive(value) || (isObject(value) && Object.values(value).some(isPositive));
  const lists = [quick, listed, isObject(graph) ? graph.data : undefined];
  return (
    lists.some(isFilled) ||
    Object.entries(SLEEP.shape).some(([name, type]) => type === LENGTH && isLength(sleep[name as SleepMember]))
  );
}

/** Stage names may end in `_sleep`. */
function stageName(type: unknown): string | undefined {
  return typeof type === 'string' ? type.toLowerCase().replace(/_sleep$/, '') : undefined;
}

/** Counts unreadable lists and graphs. The vendor writes an empty list for a graph without data. */
function countUnreadLists(sleep: SleepMetric, amounts: AmountReader): void {
  const { quick_metrics: quick, sleep_stages: listed, sleep_graph: graph } = sleep;
  const isEmptyList = Array.isArray(graph) && graph.length === 0;
  const lists = {
    quick_metrics: quick,
    sleep_stages: listed,
    'sleep_graph.data': isObject(graph) ? graph.data : isEmptyList ? undefined : (graph ?? undefined),
  };
  for (const list of Object.values(lists)) requireAtMost(MAX_PARTS, Array.isArray(list) ? list.length : 0);
  for (const [name, list] of Object.entries(lists)) {
    if (list !== undefined && list !== null && !Array.isArray(list)) amounts.unreadable(`sleep.${name}`);
  }
  for (const one of Array.isArray(quick) ? quick : []) {
    if (!isObject(one) || typeof one.type !== 'string') amounts.unreadable('sleep.quick_metrics.type');
  }
  for (const one of Array.isArray(listed) ? listed : []) {
    const name = isObject(one) ? stageName(one.type) : undefined;
    if (name === undefined || !Object.hasOwn(STAGES, name)) amounts.unreadable('sleep.sleep_stages.type');
  }
}

/** Returns the stages of the graph in order of time. Each time member has a current and an older name. */
function stagesOf({ sleep_graph: graph }: SleepMetric, amounts: AmountReader): Stages {
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

/** NaN if the value is not a number of seconds. */
function msOf(seconds: unknown): number {
  return (numberOf(seconds) ?? Number.NaN) * MS_PER_SECOND;
}
