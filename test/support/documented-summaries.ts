import {
  fromDayNumber,
  type HealthScoreRecord,
  localDate,
  MS_PER_DAY,
  MS_PER_HOUR,
  MS_PER_MINUTE,
  type SampleRecord,
  type SeriesCode,
  type SleepStage,
  type SourceIdentity,
  seriesTypeByCode,
} from '@healthd/model';
import { ASLEEP, type RecordedSleep, type RecordedUser, secondsIn, USER_DATES } from './recorded-users.js';

/**
 * The summaries of recorded users, written from the documented rules by someone who had not read the service's code.
 * Searches all data for every figure.
 */

const PROVIDERS = ['apple', 'garmin', 'polar', 'suunto', 'whoop', 'oura', 'ultrahuman', 'google', 'samsung', 'strava'];
const DEVICES = ['watch', 'band', 'ring', 'phone', 'scale', 'other'];
const ONCE_PER_NIGHT: readonly string[] = ['whoop', 'suunto', 'polar'];
const NIGHT_SECONDS = 3 * 3600;
const HRV: readonly SeriesCode[] = ['heart_rate_variability_rmssd', 'heart_rate_variability_sdnn'];

interface Candidate {
  source: SourceIdentity;
  lead: number | null;
}
interface Lead {
  winner: SourceIdentity | undefined;
  passedOver: readonly SourceIdentity[];
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const mean = (values: readonly number[]) => sum(values) / values.length;
const meanOrNone = (samples: readonly SampleRecord[]) =>
  samples.length === 0 ? undefined : mean(samples.map(({ value }) => value));
const whole = (value: number) => Math.round(value + 1e-9);
const tenths = (value: number | null | undefined) =>
  value === null || value === undefined ? null : Math.round(value * 10 + 1e-9) / 10;
const instant = (ms: number) => new Date(ms).toISOString().replace('.000Z', 'Z');
const isCloud = ({ account }: SourceIdentity) => account !== undefined;
const hasDevice = ({ deviceModel, deviceType }: SourceIdentity) => (deviceModel ?? deviceType) !== undefined;
const isWorn = (source: SourceIdentity) => {
  if (!hasDevice(source)) return isCloud(source);
  return source.deviceType === undefined || ['watch', 'band', 'ring'].includes(source.deviceType);
};
const placeIn = (list: readonly string[], name = '') => (list.includes(name) ? list.indexOf(name) : 99);
const identity = ({ provider, account = '', deviceModel = '', writer = '', deviceId = '' }: SourceIdentity) =>
  JSON.stringify([provider, account, deviceModel, writer, deviceId]);
const sourcesOf = (items: readonly { source: SourceIdentity }[]) => [...new Set(items.map(({ source }) => source))];
const lengthOf = ({ startMs, endMs }: RecordedSleep) => endMs - startMs;

/** Formats a source as responses show it. */
export function sourceText(source?: { provider: string; deviceModel?: string; writer?: string }): string | null {
  return source ? `${source.provider} ${source.deviceModel ?? null} ${source.writer ?? null}` : null;
}

/** Returns the candidates with a lead figure above zero, otherwise the candidates with a known lead figure, otherwise all. */
function competing<C extends Candidate>(all: readonly C[]): readonly C[] {
  const above = all.filter(({ lead }) => (lead ?? 0) > 0);
  const known = all.filter(({ lead }) => lead !== null);
  return [above, known, all].find(({ length }) => length > 0) ?? [];
}

function winnerOf<C extends Candidate>(all: readonly C[], isSum: boolean, { winner, passedOver }: Lead): C | undefined {
  const order = ({ source, lead }: C): (number | string)[] => [
    Number(passedOver.includes(source)),
    Number(!isWorn(source)),
    Number(winner !== undefined && source !== winner),
    Number(winner !== undefined && (source.provider !== winner.provider || source.account !== winner.account)),
    placeIn(PROVIDERS, source.provider),
    placeIn(DEVICES, source.deviceType),
    isSum ? -(lead ?? 0) : 0,
    identity(source),
  ];
  return [...competing(all)].sort((a, b) => {
    const [one, other] = [order(a), order(b)];
    const at = one.findIndex((value, index) => value !== other[index]);
    return at >= 0 && (one[at] as number) < (other[at] as number) ? -1 : 1;
  })[0];
}

export class DocumentedSummaries {
  readonly #nights = new Map<string, ReturnType<DocumentedSummaries['computeNight']>>();

  /** @param deleted sleeps that a phone deleted. They still decide which sleeps of their days are naps. */
  constructor(
    private readonly user: RecordedUser,
    private readonly deleted: readonly RecordedSleep[] = [],
  ) {}

  private of(code: SeriesCode): SampleRecord[] {
    const { id } = seriesTypeByCode(code);
    return this.user.samples.filter(({ typeId }) => typeId === id);
  }

  /** Returns the date of a sample at midnight UTC without an offset; undefined for other samples. */
  private stampedDate({ offsetMinutes, startMs }: SampleRecord): string | undefined {
    return offsetMinutes === undefined && startMs % MS_PER_DAY === 0 ? fromDayNumber(startMs / MS_PER_DAY) : undefined;
  }

  private localDate({ startMs, offsetMinutes }: SampleRecord): string {
    return localDate(startMs, offsetMinutes ?? this.user.offsetAt(startMs));
  }

  private dateOf(sample: SampleRecord): string {
    const stamped = sample.sampleKind === 'daily_total' ? this.stampedDate(sample) : undefined;
    return stamped ?? this.localDate(sample);
  }

  /** Returns each source's amount of a day: its daily total, otherwise the sum of its samples. */
  private amounts(code: SeriesCode, date: string): { source: SourceIdentity; lead: number }[] {
    const onDate = this.of(code).filter((sample) => this.dateOf(sample) === date);
    return sourcesOf(onDate).map((source) => {
      const own = onDate.filter((sample) => sample.source === source);
      const totals = own.filter(({ sampleKind }) => sampleKind === 'daily_total');
      return { source, lead: sum((totals.length > 0 ? totals : own).map(({ value }) => value)) };
    });
  }

  activity(date: string) {
    const amount = (code: SeriesCode, source: SourceIdentity | undefined) =>
      this.amounts(code, date).find((one) => one.source === source)?.lead ?? null;
    const candidates = (codes: readonly [SeriesCode, ...SeriesCode[]]) =>
      sourcesOf(codes.flatMap((code) => this.amounts(code, date))).map((source) => ({
        source,
        lead: amount(codes[0], source),
      }));
    const movers = candidates(['steps', 'distance_walking_running', 'flights_climbed']);
    const measures = movers.filter(({ source }) => hasDevice(source) || isCloud(source));
    const most = Math.max(0, ...measures.map(({ lead }) => lead ?? 0));
    const tooLittle = competing(movers).filter(({ lead }) => lead !== null && lead < most / 2);
    const passedOver = tooLittle.map(({ source }) => source);
    const movement = winnerOf(movers, true, { winner: undefined, passedOver })?.source;
    const lead = { winner: movement, passedOver };
    const energy = winnerOf(candidates(['energy', 'basal_energy']), true, lead)?.source;
    const beats = this.of('heart_rate').filter((sample) => this.dateOf(sample) === date);
    const hearts = sourcesOf(beats).map((source) => ({ source, lead: 1 }));
    const heart = winnerOf(hearts, false, lead)?.source;
    const own = beats.filter(({ source }) => source === heart).map(({ value }) => value);
    const first = movement ?? energy ?? heart;
    if (!first) return undefined;
    const [active, basal] = [amount('energy', energy), amount('basal_energy', energy)];
    return {
      date,
      source: sourceText(first),
      sources: {
        movement: sourceText(movement),
        energy: sourceText(energy),
        heart_rate: sourceText(heart),
        elevation: null,
      },
      steps: amount('steps', movement),
      distance_meters: amount('distance_walking_running', movement),
      floors_climbed: amount('flights_climbed', movement),
      active_calories_kcal: active,
      total_calories_kcal: active === null || basal === null ? null : active + basal,
      heart_rate:
        own.length === 0 ? null : { avg_bpm: whole(mean(own)), max_bpm: Math.max(...own), min_bpm: Math.min(...own) },
    };
  }

  /** Returns the net sleep; null if only the time in bed is known. */
  private asleep(sleep: RecordedSleep): number | null {
    if (sleep.asleepSeconds !== undefined) return sleep.asleepSeconds;
    if (sleep.stages.length > 0) return secondsIn(sleep.stages, ASLEEP) || null;
    return sleep.inBedSeconds === undefined ? lengthOf(sleep) / 1000 : null;
  }

  private net(sleeps: readonly RecordedSleep[]): number {
    return sum(sleeps.map((sleep) => this.asleep(sleep) ?? 0));
  }

  private isLong(sleep: RecordedSleep): boolean {
    return (this.asleep(sleep) ?? 0) >= NIGHT_SECONDS;
  }

  private wakeDate({ endMs, offsetMinutes }: RecordedSleep): string {
    return localDate(endMs, offsetMinutes);
  }

  /** True if the time asleep is less than three hours, and the middle of the sleep is between 09:00 and 20:00. */
  private isByDay(sleep: RecordedSleep): boolean {
    const middleMs = (sleep.startMs + sleep.endMs) / 2 + sleep.offsetMinutes * MS_PER_MINUTE;
    const hour = (middleMs % MS_PER_DAY) / MS_PER_HOUR;
    return this.asleep(sleep) !== null && !this.isLong(sleep) && hour >= 9 && hour <= 20;
  }

  /**
   * True if the vendor marked a nap. A pushed sleep is marked if it is by day and its source has a long
   * sleep on the same waking date or on the date before.
   */
  private isMarked(sleep: RecordedSleep): boolean {
    if (!sleep.isPushed) return sleep.isNap ?? false;
    const day = Date.parse(this.wakeDate(sleep));
    const dates = [day, day - MS_PER_DAY].map((ms) => fromDayNumber(ms / MS_PER_DAY));
    const others = [...this.user.sleeps, ...this.deleted].filter((one) => one.source === sleep.source);
    return this.isByDay(sleep) && others.some((one) => this.isLong(one) && dates.includes(this.wakeDate(one)));
  }

  private isNight(sleep: RecordedSleep): boolean {
    return !this.isMarked(sleep) && this.isLong(sleep);
  }

  private overlap(one: RecordedSleep, other: RecordedSleep): number {
    return Math.min(one.endMs, other.endMs) - Math.max(one.startMs, other.startMs);
  }

  private isCopy(one: RecordedSleep, other: RecordedSleep): boolean {
    const shorter = Math.min(lengthOf(one), lengthOf(other));
    return one.source !== other.source && this.overlap(one, other) > shorter / 2;
  }

  /** Returns the wearable's copy with the largest overlap. A phone's or app's sleep joins no other wearable's sleep. */
  private wornCopy(sleep: RecordedSleep): RecordedSleep | undefined {
    if (isWorn(sleep.source)) return undefined;
    return this.user.sleeps
      .filter((one) => isWorn(one.source) && this.isCopy(one, sleep))
      .sort((a, b) => this.overlap(b, sleep) - this.overlap(a, sleep) || a.startMs - b.startMs || a.endMs - b.endMs)[0];
  }

  private areJoined(one: RecordedSleep, other: RecordedSleep): boolean {
    if (!this.isCopy(one, other)) return false;
    const [ofOne, ofOther] = [this.wornCopy(one), this.wornCopy(other)];
    if (isWorn(one.source) === isWorn(other.source)) return !ofOne && !ofOther;
    return (ofOne ?? other) === other && (ofOther ?? one) === one;
  }

  /** Returns all recordings of the same sleep: those joined to it directly or through other recordings. */
  private copies(sleep: RecordedSleep): RecordedSleep[] {
    const group = [sleep];
    for (const one of group) {
      group.push(...this.user.sleeps.filter((other) => !group.includes(other) && this.areJoined(one, other)));
    }
    return group;
  }

  /** True if the sleep counts as a nap. Copies of a night are never naps. */
  private isNap(sleep: RecordedSleep): boolean {
    if (this.copies(sleep).some((one) => one.source !== sleep.source && this.isNight(one))) return false;
    const ofDate = this.user.sleeps.filter((one) => this.wakeDate(one) === this.wakeDate(sleep));
    const isRecordedElsewhere = ofDate.some((one) => one.source !== sleep.source && this.isNight(one));
    const hasLong = ofDate.some((one) => one.source === sleep.source && this.isLong(one));
    return isRecordedElsewhere && !hasLong ? this.isByDay(sleep) : this.isMarked(sleep);
  }

  private candidates(sleeps: readonly RecordedSleep[]): Candidate[] {
    return sourcesOf(sleeps).map((source) => {
      const seconds = this.net(sleeps.filter((one) => one.source === source));
      return { source, lead: seconds > 0 ? seconds : null };
    });
  }

  private leadOf(main: readonly RecordedSleep[]): Lead {
    const all = this.candidates(main);
    const left = competing(all);
    const worn = left.filter(({ source }) => isWorn(source));
    const longest = Math.max(0, ...(worn.length > 0 ? worn : left).map(({ lead }) => lead ?? 0));
    const passedOver = left.filter(({ lead }) => (lead ?? 0) < 0.75 * longest).map(({ source }) => source);
    return { winner: winnerOf(all, true, { winner: undefined, passedOver })?.source, passedOver };
  }

  /** Returns the summary date of a sleep. Copies belong to the last date of the source that wins among them. */
  private summaryDate(sleep: RecordedSleep): string | undefined {
    const group = this.copies(sleep);
    const main = group.filter((one) => !this.isNap(one));
    const counted = main.length > 0 ? main : group;
    const { winner } = this.leadOf(counted);
    const dates = counted.filter(({ source }) => source === winner).map((one) => this.wakeDate(one));
    return dates.sort().at(-1);
  }

  private nightOf(date: string) {
    const night = this.#nights.get(date) ?? this.computeNight(date);
    this.#nights.set(date, night);
    return night;
  }

  private computeNight(date: string) {
    const all = this.user.sleeps
      .filter((sleep) => this.summaryDate(sleep) === date)
      .sort((a, b) => a.startMs - b.startMs);
    const main = all.filter((sleep) => !this.isNap(sleep));
    const naps = all.filter((sleep) => this.isNap(sleep));
    const lead = this.leadOf(main);
    const napSource = winnerOf(this.candidates(naps), true, lead)?.source;
    return {
      isEmpty: all.length === 0,
      lead,
      night: main.filter(({ source }) => source === lead.winner),
      naps: naps.filter(({ source }) => source === napSource),
      napSource,
    };
  }

  private efficiency(sleeps: readonly RecordedSleep[]): number | null {
    const parts = sleeps.flatMap((sleep) => {
      const seconds = this.asleep(sleep);
      const inBed = sleep.inBedSeconds ?? (sleep.isPushed ? lengthOf(sleep) / 1000 : 0);
      const computed = seconds === null || inBed === 0 ? undefined : Math.min(100, (100 * seconds) / inBed);
      const percent = sleep.efficiency ?? computed;
      return percent === undefined ? [] : [{ percent, length: lengthOf(sleep) }];
    });
    const length = sum(parts.map((part) => part.length));
    return length === 0 ? null : sum(parts.map((part) => part.percent * part.length)) / length;
  }

  sleep(date: string) {
    const { isEmpty, lead, night, naps, napSource } = this.nightOf(date);
    if (isEmpty) return undefined;
    const shown = night.length > 0 ? night : naps;
    const longest = [...shown].sort((a, b) => lengthOf(b) - lengthOf(a) || a.startMs - b.startMs)[0];
    const isKnown = (sleeps: readonly RecordedSleep[]) => sleeps.some((one) => this.asleep(one) !== null);
    const minutes = (sleeps: readonly RecordedSleep[]) => {
      if (sleeps.length === 0) return 0;
      return isKnown(sleeps) ? Math.floor(this.net(sleeps) / 60) : null;
    };
    const figure = (codes: readonly SeriesCode[]) => (night.length > 0 ? this.figure(date, codes) : undefined);
    const [heart, hrv, oxygen, breath] = [
      figure(['heart_rate']),
      figure(HRV),
      figure(['oxygen_saturation']),
      figure(['respiratory_rate']),
    ];
    const beats = heart?.values.get('heart_rate');
    return {
      date,
      source: sourceText(lead.winner ?? napSource),
      sources: {
        sleep: sourceText(lead.winner),
        naps: sourceText(napSource),
        heart_rate: sourceText(heart?.source),
        hrv: sourceText(hrv?.source),
        oxygen_saturation: sourceText(oxygen?.source),
        respiratory_rate: sourceText(breath?.source),
      },
      start_time: longest ? instant(longest.startMs) : null,
      end_time: longest ? instant(longest.endMs) : null,
      duration_minutes: minutes(night),
      nap_count: naps.length,
      nap_duration_minutes: minutes(naps),
      sessions: [...night, ...naps]
        .map((one) => `${instant(one.startMs)} ${instant(one.endMs)} ${naps.includes(one)}`)
        .sort(),
      interruptions_count: interruptions(night),
      stages: stageMinutes(night),
      efficiency_percent: tenths(this.efficiency(night)),
      avg_heart_rate_bpm: beats === undefined ? null : whole(beats),
      avg_hrv_rmssd_ms: tenths(hrv?.values.get('heart_rate_variability_rmssd')),
      avg_hrv_sdnn_ms: tenths(hrv?.values.get('heart_rate_variability_sdnn')),
      avg_spo2_percent: tenths(oxygen?.values.get('oxygen_saturation')),
      avg_respiratory_rate: breath?.values.get('respiratory_rate') ?? null,
    };
  }

  /** Returns the source of a group on a date, and its values. */
  private figure(date: string, codes: readonly SeriesCode[]) {
    const candidates = sourcesOf(this.user.samples).flatMap((source) => {
      const values = new Map<SeriesCode, number>();
      for (const code of codes) {
        const value = this.measured(source, code, date);
        if (value !== undefined) values.set(code, value);
      }
      const [lead] = values.values();
      return lead === undefined ? [] : [{ source, lead, values }];
    });
    return winnerOf(candidates, false, this.nightOf(date).lead);
  }

  /** True if an instant is in the night of a date. Values measured once per night may be an hour early or six hours late. */
  private isInNight(date: string, ms: number, isOncePerNight: boolean): boolean {
    const { night } = this.nightOf(date);
    if (night.length === 0) return false;
    const from = Math.min(...night.map(({ startMs }) => startMs)) - (isOncePerNight ? MS_PER_HOUR : 0);
    const until = Math.max(...night.map(({ endMs }) => endMs)) + (isOncePerNight ? 6 * MS_PER_HOUR : 0);
    return ms >= from && ms < until;
  }

  private isDuringSleep(date: string, ms: number): boolean {
    const { night } = this.nightOf(date);
    const stages = night.flatMap((sleep) => sleep.stages.filter(({ stage }) => ASLEEP.includes(stage)));
    return (stages.length > 0 ? stages : night).some(({ startMs, endMs }) => ms >= startMs && ms < endMs);
  }

  /** Returns the date that a sample represents as a whole. */
  private representedDate(sample: SampleRecord, code: SeriesCode): string | undefined {
    if (code === 'heart_rate') return undefined;
    const offset = sample.offsetMinutes ?? this.user.offsetAt(sample.startMs);
    const isLocalMidnight = (sample.startMs + offset * MS_PER_MINUTE) % MS_PER_DAY === 0;
    const isDated = sample.sampleKind === 'daily_total' || (code === 'resting_heart_rate' && isLocalMidnight);
    return this.stampedDate(sample) ?? (isDated ? this.localDate(sample) : undefined);
  }

  /** Returns one source's value of a series on a date. */
  private measured(source: SourceIdentity, code: SeriesCode, date: string): number | undefined {
    const own = this.of(code).filter((sample) => sample.source === source);
    const hasNight = this.nightOf(date).night.length > 0;
    const isResting = code === 'resting_heart_rate';
    const isContinuous = code === 'heart_rate' || code === 'respiratory_rate';
    const isOnce = isResting || (ONCE_PER_NIGHT.includes(source.provider) && !isContinuous);
    const isClaimed = ({ startMs }: SampleRecord) =>
      USER_DATES.some((other) => other !== date && this.isInNight(other, startMs, isOnce));
    const ofDate = own.filter((sample) => this.representedDate(sample, code) === date);
    const free = own.filter((sample) => this.representedDate(sample, code) === undefined);
    const near = free.filter(({ startMs }) => isOnce && this.isInNight(date, startMs, true));
    const local = free.filter((sample) => this.localDate(sample) === date && !isClaimed(sample));
    if (isResting) return meanOrNone([...new Set([...ofDate, ...near, ...local])]);
    const asleep = free.filter(({ startMs }) => hasNight && this.isDuringSleep(date, startMs));
    const inNight = free.filter(({ startMs }) => this.isInNight(date, startMs, false));
    const dated = [...ofDate, ...near];
    const ofDay = hasNight ? [] : local;
    const steps: Partial<Record<SeriesCode, SampleRecord[][]>> = {
      heart_rate: [asleep, inNight],
      respiratory_rate: [asleep, inNight, dated],
      oxygen_saturation: [inNight, dated, ofDay],
    };
    const step = (steps[code] ?? [asleep, inNight, dated, ofDay]).find((samples) => samples.length > 0);
    return meanOrNone(step ?? []);
  }

  /**
   * Returns the score of the provider that won the sleep, or of the best provider if no provider won it. A source's
   * score is its last score until noon, otherwise its first score.
   */
  private score(date: string) {
    const { lead } = this.nightOf(date);
    const isOf = ({ source, atMs }: HealthScoreRecord) => {
      const dates = USER_DATES.filter((one) => this.isInNight(one, atMs, true));
      const own = dates.length > 0 ? dates : [localDate(atMs, this.user.offsetAt(atMs))];
      return own.includes(date) && (lead.winner === undefined || lead.winner.provider === source.provider);
    };
    const noonMs = Date.parse(`${date}T12:00:00Z`);
    const isUntilNoon = ({ atMs }: HealthScoreRecord) => atMs + this.user.offsetAt(atMs) * MS_PER_MINUTE <= noonMs;
    const scores = this.user.scores.filter(isOf).sort((a, b) => a.atMs - b.atMs);
    const candidates = sourcesOf(scores).map((source) => {
      const own = scores.filter((one) => one.source === source);
      return { source, lead: (own.findLast(isUntilNoon) ?? own[0])?.value ?? null };
    });
    return winnerOf(candidates, false, lead);
  }

  recovery(date: string) {
    const [hrv, oxygen, resting, score] = [
      this.figure(date, HRV),
      this.figure(date, ['oxygen_saturation']),
      this.figure(date, ['resting_heart_rate']),
      this.score(date),
    ];
    if (!hrv && !oxygen && !resting && !score) return undefined;
    const { lead, night } = this.nightOf(date);
    return {
      date,
      source: sourceText(lead.winner ?? hrv?.source ?? oxygen?.source ?? resting?.source ?? score?.source),
      sources: {
        sleep: sourceText(lead.winner),
        hrv: sourceText(hrv?.source),
        oxygen_saturation: sourceText(oxygen?.source),
        resting_heart_rate: sourceText(resting?.source),
        score: sourceText(score?.source),
      },
      recovery_score: score?.lead ?? null,
      sleep_duration_seconds: night.some((one) => this.asleep(one) !== null) ? this.net(night) : null,
      sleep_efficiency_percent: tenths(this.efficiency(night)),
      resting_heart_rate_bpm: resting ? whole(resting.lead) : null,
      avg_hrv_rmssd_ms: tenths(hrv?.values.get('heart_rate_variability_rmssd')),
      avg_hrv_sdnn_ms: tenths(hrv?.values.get('heart_rate_variability_sdnn')),
      avg_spo2_percent: tenths(oxygen?.values.get('oxygen_saturation')),
    };
  }
}

/** Counts the awake stages between the first and the last stage asleep. */
function interruptions(night: readonly RecordedSleep[]): number | null {
  const kinds: readonly SleepStage[] = ['light', 'deep', 'rem', 'awake'];
  if (!night.some(({ stages }) => stages.some(({ stage }) => kinds.includes(stage)))) return null;
  return sum(
    night.map(({ stages }) => {
      const asleep = stages.filter(({ stage }) => ASLEEP.includes(stage));
      const [first, last] = [asleep[0], asleep.at(-1)];
      const isBetween = (one: (typeof stages)[number]) =>
        first !== undefined && last !== undefined && one.startMs > first.startMs && one.endMs < last.endMs;
      return stages.filter((one) => one.stage === 'awake' && isBetween(one)).length;
    }),
  );
}

/** Returns the minutes per stage of the sleeps with known stages. Awake stages alone count only in pushed sleeps. */
function stageMinutes(night: readonly RecordedSleep[]): Record<string, number> | null {
  const kinds: readonly SleepStage[] = ['light', 'deep', 'rem'];
  const staged = night.filter(({ stages, isPushed }) =>
    stages.some(({ stage }) => kinds.includes(stage) || (isPushed && stage === 'awake')),
  );
  if (staged.length === 0) return null;
  const all = staged.flatMap(({ stages }) => stages);
  const minutes = (stage: SleepStage) => secondsIn(all, [stage]) / 60;
  return {
    awake_minutes: minutes('awake'),
    light_minutes: minutes('light'),
    deep_minutes: minutes('deep'),
    rem_minutes: minutes('rem'),
  };
}
