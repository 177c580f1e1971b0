import {
  fromDayNumber,
  type HealthRecord,
  type HealthScoreRecord,
  localDate,
  MS_PER_DAY,
  MS_PER_MINUTE,
  type SampleKind,
  type SampleRecord,
  type SeriesCode,
  type SleepStage,
  type SourceIdentity,
  seriesTypeByCode,
} from '@healthd/model';

/** A sleep of one source: stages that a phone pushed, or a session of a vendor's cloud. */
export interface RecordedSleep {
  id: string;
  source: SourceIdentity;
  startMs: number;
  endMs: number;
  offsetMinutes: number;
  stages: { stage: SleepStage; startMs: number; endMs: number }[];
  isPushed: boolean;
  isNap?: boolean;
  asleepSeconds?: number;
  inBedSeconds?: number;
  efficiency?: number;
}

/** All data of one user. */
export interface RecordedUser {
  samples: SampleRecord[];
  sleeps: RecordedSleep[];
  scores: HealthScoreRecord[];
  /** Returns the offset of the user's clock in minutes. */
  offsetAt(ms: number): number;
}

const SOURCES: readonly SourceIdentity[] = [
  { provider: 'apple', deviceModel: 'Watch6,2', deviceType: 'watch' },
  { provider: 'apple', deviceModel: 'iPhone15,2', deviceType: 'phone' },
  { provider: 'apple', writer: 'Sleeper' },
  { provider: 'garmin', deviceModel: 'Garmin fenix 7', deviceType: 'watch', account: 'g1' },
  { provider: 'oura', deviceModel: 'Oura Ring Gen3', deviceType: 'ring', account: 'o1' },
  { provider: 'oura', deviceModel: 'Oura Ring Gen3', deviceType: 'ring', account: 'o2' },
  { provider: 'whoop', deviceModel: 'Whoop 4.0', deviceType: 'band', account: 'w1' },
  { provider: 'polar', deviceModel: 'Polar Vantage', deviceType: 'watch', account: 'p1' },
  { provider: 'google', writer: 'google_health_api', account: 'c1' },
  { provider: 'samsung', deviceModel: 'SM-G990', deviceType: 'phone' },
  { provider: 'suunto', account: 's1' },
  { provider: 'ultrahuman', deviceModel: 'Prototype' },
];
const PUSHING: readonly string[] = ['apple', 'samsung'];
/** Providers that mark naps. */
const MARKING: readonly string[] = ['oura', 'garmin', 'whoop', 'suunto', 'google'];

const MARCH_8 = Date.parse('2026-03-08T00:00:00Z');
const hour = (hours: number) => MARCH_8 + hours * 60 * MS_PER_MINUTE;
/** Offsets before and after an instant: none, summer time, its end, flights, India. */
const CLOCKS = [
  { changeMs: 0, offsets: [0, 0] },
  { changeMs: hour(10), offsets: [-480, -420] },
  { changeMs: hour(10), offsets: [-420, -480] },
  { changeMs: hour(20), offsets: [60, -480] },
  { changeMs: hour(20), offsets: [-480, 540] },
  { changeMs: 0, offsets: [330, 330] },
] as const;

const FIRST_DAY = Date.parse('2026-03-06T00:00:00Z') / MS_PER_DAY;
const DAYS = 4;
/** All dates near the data. */
export const USER_DATES = Array.from({ length: DAYS + 6 }, (_, at) => fromDayNumber(FIRST_DAY - 2 + at));

const READINGS = [
  ['heart_rate', 45, 120, 30],
  ['heart_rate_variability_rmssd', 10, 150, 50],
  ['heart_rate_variability_sdnn', 10, 150, 70],
  ['oxygen_saturation', 90, 100, 40],
  ['respiratory_rate', 10, 20, 60],
] as const;
const AMOUNTS = ['steps', 'distance_walking_running', 'flights_climbed', 'energy', 'basal_energy'] as const;

/** Random choices that depend only on a seed. */
export class Dice {
  private state: number;

  constructor(seed: number) {
    this.state = seed | 0;
  }

  private next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  between(lowest: number, highest: number): number {
    return lowest + Math.floor(this.next() * (highest - lowest + 1));
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  oneOf<Item>(items: readonly Item[]): Item {
    return items[this.between(0, items.length - 1)] as Item;
  }

  shuffled<Item>(items: readonly Item[]): Item[] {
    const left = [...items];
    const order: Item[] = [];
    while (left.length > 0) order.push(...left.splice(this.between(0, left.length - 1), 1));
    return order;
  }
}

/** Creates a user with two to six sources that recorded the same days, each with its own gaps and errors. */
export function randomUser(dice: Dice): RecordedUser {
  const { changeMs, offsets } = dice.oneOf(CLOCKS);
  const user: RecordedUser = {
    samples: [],
    sleeps: [],
    scores: [],
    offsetAt: (ms) => (ms < changeMs ? offsets[0] : offsets[1]),
  };
  const clock: LocalClock = (day, minute) => {
    const wallMs = (FIRST_DAY + day) * MS_PER_DAY + minute * MS_PER_MINUTE;
    return wallMs - user.offsetAt(wallMs - offsets[0] * MS_PER_MINUTE) * MS_PER_MINUTE;
  };
  const lived = realSleeps(dice, clock);
  for (const source of dice.shuffled(SOURCES).slice(0, dice.between(2, 6))) {
    const own = sleepsOf(dice, user, source, lived);
    user.sleeps.push(...own);
    const add = sampleAdder(user, source);
    addReadings(dice, add);
    addRestingRates(dice, add, { source, own, clock });
    if (source.provider === 'whoop') user.scores.push(...scoresOf(dice, source, own));
    addAmounts(dice, add, { source, clock });
  }
  return user;
}

/** Returns the instant of a minute of a local day. */
type LocalClock = (day: number, minute: number) => number;

interface Span {
  startMs: number;
  endMs: number;
}

/** Creates nights, divided nights, night shifts and naps, also over midnight, at least 130 minutes apart. */
function realSleeps(dice: Dice, clock: LocalClock): Span[] {
  const spans: Span[] = [];
  const gapMs = 130 * MS_PER_MINUTE;
  for (let day = 0; day < DAYS; day++) {
    const put = (minute: number, minutes: number) => {
      const startMs = clock(day, minute);
      const endMs = startMs + minutes * MS_PER_MINUTE;
      if (!spans.some((one) => startMs < one.endMs + gapMs && endMs > one.startMs - gapMs))
        spans.push({ startMs, endMs });
    };
    const tens = (lowest: number, highest: number) => dice.between(lowest, highest) * 10;
    const kind = dice.between(0, 9);
    if (kind <= 4) put(tens(128, 150), tens(30, 56));
    if (kind === 5) {
      put(tens(128, 138), tens(10, 20));
      put(1440 + tens(16, 30), tens(10, 30));
    }
    if (kind === 6) {
      put(1440 - tens(3, 8), tens(8, 12));
      put(1440 + tens(20, 28), tens(20, 40));
    }
    if (kind === 7) put(tens(48, 60), tens(24, 45));
    if (dice.chance(0.4)) put(tens(72, 108), tens(3, 17));
    if (dice.chance(0.1)) put(tens(54, 72), tens(3, 20));
  }
  return spans.sort((a, b) => a.startMs - b.startMs);
}

/** Returns one source's recordings of the sleeps: some are missing, cut or never stopped. */
function sleepsOf(dice: Dice, user: RecordedUser, source: SourceIdentity, lived: readonly Span[]): RecordedSleep[] {
  const isPushed = PUSHING.includes(source.provider);
  const isUnworn = source.deviceType === 'phone' || (source.deviceModel === undefined && source.account === undefined);
  const knowsBedOnly = source.provider === 'apple' && isUnworn && dice.chance(0.5);
  const knows = dice.oneOf(['stages', 'time asleep', 'span'] as const);
  const own: RecordedSleep[] = [];
  const minutes = (count: number) => count * 10 * MS_PER_MINUTE;
  const share = (length: number) => minutes(dice.between(0, Math.round(length / minutes(1))));
  for (const real of dice.chance(0.75) ? lived : []) {
    if (dice.chance(0.2)) continue;
    let startMs = real.startMs + minutes(dice.between(-3, 3));
    let endMs = real.endMs + minutes(dice.between(-3, 3));
    if (dice.chance(0.15)) endMs = startMs + share(endMs - startMs);
    if (dice.chance(0.1)) startMs = endMs - share(endMs - startMs);
    if (isUnworn && dice.chance(0.04)) endMs += minutes(dice.between(1, 30));
    const gapMs = 121 * MS_PER_MINUTE;
    if (endMs - startMs < minutes(2)) continue;
    if (own.some((one) => startMs < one.endMs + gapMs && endMs > one.startMs - gapMs)) continue;
    const id = `${user.sleeps.length + own.length}-${source.provider}`;
    const sleep: RecordedSleep = {
      id,
      source,
      startMs,
      endMs,
      offsetMinutes: user.offsetAt(endMs),
      stages: [],
      isPushed,
    };
    if (isPushed || knows === 'stages') sleep.stages = stagesOf(dice, sleep, knowsBedOnly);
    if (!isPushed) {
      const ofStages = secondsIn(sleep.stages, ASLEEP);
      if (knows === 'stages') sleep.asleepSeconds = ofStages;
      if (knows === 'time asleep') {
        sleep.asleepSeconds = Math.max(60, (endMs - startMs) / 1000 - dice.between(0, 60) * 60);
      }
      if (dice.chance(0.6)) sleep.inBedSeconds = (endMs - startMs) / 1000;
      if (dice.chance(0.3)) sleep.efficiency = dice.between(50, 100);
      if (MARKING.includes(source.provider)) sleep.isNap = endMs - startMs < 170 * MS_PER_MINUTE && dice.chance(0.7);
    }
    own.push(sleep);
  }
  return own;
}

export const ASLEEP: readonly SleepStage[] = ['light', 'deep', 'rem', 'sleeping'];

/** Returns the seconds of some kinds of stages. */
export function secondsIn(stages: RecordedSleep['stages'], kinds: readonly SleepStage[]): number {
  return (
    stages.filter(({ stage }) => kinds.includes(stage)).reduce((sum, one) => sum + one.endMs - one.startMs, 0) / 1000
  );
}

/**
 * Divides a sleep into stages. The first and last stages are asleep, and no awake stage is longer than 100 minutes.
 * With `isBedOnly`, the whole sleep is one stage in bed.
 */
function stagesOf(dice: Dice, { startMs, endMs }: Span, isBedOnly: boolean): RecordedSleep['stages'] {
  const stages: RecordedSleep['stages'] = [];
  let atMs = startMs;
  while (atMs < endMs) {
    const untilMs = Math.min(endMs, atMs + dice.between(1, 10) * 10 * MS_PER_MINUTE);
    const isEdge = atMs === startMs || untilMs === endMs;
    const random: SleepStage = isEdge
      ? dice.oneOf(['light', 'sleeping'])
      : dice.oneOf(['light', 'deep', 'rem', 'awake', 'light']);
    const before = stages.at(-1);
    const stage = isBedOnly ? 'in_bed' : random;
    if (before?.stage !== stage) stages.push({ stage, startMs: atMs, endMs: untilMs });
    else if (stage === 'awake') stages.push({ stage: 'light', startMs: atMs, endMs: untilMs });
    else before.endMs = untilMs;
    atMs = untilMs;
  }
  return stages;
}

type AddSample = (
  code: SeriesCode,
  startMs: number,
  value: number,
  more?: { minutes?: number; kind?: SampleKind; isWithoutOffset?: boolean },
) => void;

/** Returns a function that adds a sample, unless the source already has a sample of that series and time. */
function sampleAdder(user: RecordedUser, source: SourceIdentity): AddSample {
  const known = new Set<string>();
  return (code, startMs, value, { minutes, kind = 'sample', isWithoutOffset = false } = {}) => {
    const offset = isWithoutOffset ? 0 : user.offsetAt(startMs);
    const key = `${code} ${kind} ${kind === 'daily_total' ? localDate(startMs, offset) : startMs}`;
    if (known.has(key)) return;
    known.add(key);
    user.samples.push({
      kind: 'sample',
      source,
      typeId: seriesTypeByCode(code).id,
      startMs,
      value,
      sampleKind: kind,
      durationMs: minutes === undefined ? undefined : minutes * MS_PER_MINUTE,
      offsetMinutes: isWithoutOffset ? undefined : offset,
    });
  };
}

function addReadings(dice: Dice, add: AddSample): void {
  for (const [code, lowest, highest, step] of READINGS) {
    if (dice.chance(0.5)) continue;
    let atMs = (FIRST_DAY + 0.5) * MS_PER_DAY + dice.between(0, 9) * MS_PER_MINUTE;
    for (; atMs < (FIRST_DAY + DAYS + 1) * MS_PER_DAY; atMs += dice.between(1, 12) * step * MS_PER_MINUTE) {
      if (dice.chance(0.7)) add(code, atMs, dice.between(lowest, highest));
    }
  }
}

/** Adds resting heart rates at local midnight, as dates, or at the start of a sleep. */
function addRestingRates(
  dice: Dice,
  add: AddSample,
  { source, own, clock }: { source: SourceIdentity; own: readonly Span[]; clock: LocalClock },
): void {
  if (dice.chance(0.5)) return;
  for (let day = 0; day <= DAYS; day++) {
    if (dice.chance(0.3)) continue;
    const how = dice.between(0, 2);
    const value = dice.between(40, 80);
    if (how === 0) add('resting_heart_rate', clock(day, 0), value);
    else if (how === 1 && ['google', 'oura'].includes(source.provider)) {
      const kind = dice.oneOf(['sample', 'daily_total'] as const);
      add('resting_heart_rate', (FIRST_DAY + day) * MS_PER_DAY, value, { kind, isWithoutOffset: true });
    } else add('resting_heart_rate', dice.oneOf(own)?.startMs ?? clock(day, 600), value);
  }
}

function scoresOf(dice: Dice, source: SourceIdentity, own: readonly RecordedSleep[]): HealthScoreRecord[] {
  return own
    .filter(() => dice.chance(0.8))
    .map(({ endMs }) => ({
      kind: 'health_score',
      source,
      category: 'recovery',
      value: dice.between(1, 100),
      atMs: endMs + dice.between(1, 200) * MS_PER_MINUTE,
    }));
}

/** Adds amounts of ten minutes. Some clouds send daily totals, with or without these amounts. */
function addAmounts(
  dice: Dice,
  add: AddSample,
  { source, clock }: { source: SourceIdentity; clock: LocalClock },
): void {
  if (dice.chance(0.3)) return;
  const hasTotals = source.account !== undefined && dice.chance(0.5);
  for (const code of AMOUNTS) {
    if (!dice.chance(code === 'steps' ? 0.9 : 0.5)) continue;
    const most = code === 'flights_climbed' ? 3 : 900;
    for (let day = 0; day <= DAYS; day++) {
      if (hasTotals && dice.chance(0.8)) add(code, clock(day, 0), dice.between(0, most * 12), { kind: 'daily_total' });
      if (hasTotals && dice.chance(0.7)) continue;
      for (let minute = dice.between(0, 20) * 30; minute < 1440; minute += dice.between(1, 12) * 30) {
        if (dice.chance(0.8)) add(code, clock(day, minute), dice.between(0, most), { minutes: 10 });
      }
    }
  }
}

/** Returns the records of a user as phones and clouds deliver them. */
export function recordsOf({ samples, sleeps, scores }: Omit<RecordedUser, 'offsetAt'>): HealthRecord[] {
  return [
    ...samples,
    ...scores,
    ...sleeps.flatMap((sleep) => (sleep.isPushed ? pushedStages(sleep) : [vendorSession(sleep)])),
  ];
}

/** Returns the ID of a stage that a phone pushed. */
export function stageId({ id }: RecordedSleep, at: number): string {
  return `${id}-${at}`;
}

function pushedStages(sleep: RecordedSleep): HealthRecord[] {
  const { source, offsetMinutes, stages } = sleep;
  return stages.map((stage, at) => ({
    kind: 'sleep_stage',
    source,
    offsetMinutes,
    ...stage,
    pushedId: stageId(sleep, at),
  }));
}

function vendorSession(sleep: RecordedSleep): HealthRecord {
  const { id, source, startMs, endMs, offsetMinutes, stages, isNap, asleepSeconds, inBedSeconds, efficiency } = sleep;
  const hasKinds = stages.some(({ stage }) => stage !== 'awake' && stage !== 'sleeping');
  return {
    kind: 'sleep_session',
    source,
    startMs,
    endMs,
    externalId: id,
    offsetMinutes,
    isNap,
    asleepSeconds,
    inBedSeconds,
    efficiencyPercent: efficiency,
    ...(stages.length > 0 && { stages }),
    ...(hasKinds && {
      lightSeconds: secondsIn(stages, ['light']),
      deepSeconds: secondsIn(stages, ['deep']),
      remSeconds: secondsIn(stages, ['rem']),
      awakeSeconds: secondsIn(stages, ['awake']),
    }),
  };
}
