import {
  fromDayNumber,
  type HealthRecord,
  type HealthScoreRecord,
  isAsleep,
  localDate,
  MS_PER_DAY,
  MS_PER_HOUR,
  MS_PER_MINUTE,
  round,
  type SampleRecord,
  type SeriesCode,
  type SleepSessionRecord,
  type SourceIdentity,
  seriesTypeByCode,
} from '@healthd/model';

/**
 * Summaries computed from raw records by checking every record for every date. The computation is slow and easy to
 * verify.
 */

const PROVIDERS = ['apple', 'garmin', 'polar', 'suunto', 'whoop', 'oura', 'ultrahuman', 'google', 'samsung', 'strava'];
const DEVICES = ['watch', 'band', 'ring', 'phone', 'scale', 'other'];
/** Providers whose recovery scores range from 0 to 100. */
const SCORED = ['whoop', 'ultrahuman'];
const ONCE_PER_NIGHT = ['whoop', 'suunto', 'polar'];
const NIGHT_HOURS = 3;

/** Returns a name's rank in a list. Names that are not in the list rank last. */
const rankIn = (list: string[], name: string | undefined) => {
  const at = list.indexOf(name ?? '');
  return at < 0 ? 99 : at + 1;
};
const mean = (values: number[]) => total(values) / values.length;
const total = (values: number[]) => values.reduce((sum, value) => sum + value, 0);
const instant = (ms: number) => new Date(ms).toISOString().replace('.000Z', 'Z');
const identity = ({ provider, account = '', deviceModel = '', writer = '', deviceId = '' }: SourceIdentity) =>
  JSON.stringify([provider, account, deviceModel, writer, deviceId]);
const hasDevice = ({ deviceModel, deviceType }: SourceIdentity) =>
  deviceModel !== undefined || deviceType !== undefined;
/** True for wearables, devices of unknown type and clouds without a device. */
const isFirstClass = (source: SourceIdentity) =>
  hasDevice(source)
    ? source.deviceType === undefined || ['watch', 'band', 'ring'].includes(source.deviceType)
    : source.account !== undefined;
const isSameAccount = (one: SourceIdentity, other: SourceIdentity) =>
  one.provider === other.provider && one.account === other.account;
/** Formats a source as in responses. */
const named = (source: SourceIdentity | undefined) =>
  source ? `${source.provider} ${source.deviceModel ?? null} ${source.writer ?? null}` : null;

interface Candidate {
  source: SourceIdentity;
  lead: number | null;
}

/**
 * Returns the candidates whose lead figure is above zero. Without such candidates, returns the candidates with a known
 * lead figure. If no lead figure is known, returns all candidates.
 */
function competing<C extends Candidate>(all: C[]): C[] {
  const positive = all.filter(({ lead }) => (lead ?? 0) > 0);
  const known = all.filter(({ lead }) => lead !== null);
  return positive.length > 0 ? positive : known.length > 0 ? known : all;
}

interface Leader {
  source: SourceIdentity | undefined;
  tooLittle: SourceIdentity[];
}

const NO_LEADER: Leader = { source: undefined, tooLittle: [] };

/** Keeps the best candidates of each criterion until one candidate remains. */
function winnerOf<C extends Candidate>(all: C[], isSum: boolean, { source, tooLittle }: Leader): C | undefined {
  const criteria: ((candidate: C) => number)[] = [
    (one) => Number(tooLittle.includes(one.source)),
    (one) => Number(!isFirstClass(one.source)),
    (one) => Number(source !== undefined && one.source !== source),
    (one) => Number(source !== undefined && !isSameAccount(one.source, source)),
    (one) => rankIn(PROVIDERS, one.source.provider),
    (one) => rankIn(DEVICES, one.source.deviceType),
    (one) => (isSum ? -(one.lead ?? 0) : 0),
  ];
  let left = competing(all);
  for (const criterion of criteria) {
    const best = Math.min(...left.map(criterion));
    left = left.filter((one) => criterion(one) === best);
  }
  return left.sort((a, b) => (identity(a.source) < identity(b.source) ? -1 : 1))[0];
}

/** Summaries of one user, computed from raw records. */
export class SlowSummaries {
  private readonly samples: SampleRecord[];
  private readonly sessions: SleepSessionRecord[];
  private readonly scores: HealthScoreRecord[];

  /** @param seen all records ever stored, because the service keeps an offset after its record is deleted */
  constructor(
    records: readonly HealthRecord[],
    private readonly seen: readonly HealthRecord[] = records,
  ) {
    this.samples = records.filter((record) => record.kind === 'sample');
    this.sessions = records.filter((record) => record.kind === 'sleep_session');
    this.scores = records.filter((record) => record.kind === 'health_score');
  }

  /**
   * Returns the offset with the nearest observation, because the user has no time zone. On each UTC day, an offset
   * holds from its first to its last observation.
   */
  private offsetAt(ms: number): number {
    const spans = new Map<string, { offset: number; first: number; last: number }>();
    for (const record of this.seen) {
      if (record.kind !== 'sample' && record.kind !== 'sleep_session') continue;
      if (record.offsetMinutes === undefined) continue;
      const key = `${Math.floor(record.startMs / MS_PER_DAY)} ${record.offsetMinutes}`;
      const span = spans.get(key) ?? { offset: record.offsetMinutes, first: record.startMs, last: record.startMs };
      span.first = Math.min(span.first, record.startMs);
      span.last = Math.max(span.last, record.startMs);
      spans.set(key, span);
    }
    const distance = (span: { first: number; last: number }) => Math.max(0, span.first - ms, ms - span.last);
    const near = [...spans.values()];
    near.sort((a, b) => distance(a) - distance(b) || b.last - a.last || b.offset - a.offset);
    return near[0]?.offset ?? 0;
  }

  private dateOf(sample: SampleRecord): string {
    const written = this.writtenDate(sample);
    if (sample.sampleKind === 'daily_total' && written !== undefined) return written;
    return this.wallDate(sample);
  }

  private wallDate(sample: SampleRecord): string {
    return localDate(sample.startMs, sample.offsetMinutes ?? this.offsetAt(sample.startMs));
  }

  /** Returns the date of a sample, if it represents a whole date. */
  private writtenDate(sample: SampleRecord): string | undefined {
    if (sample.offsetMinutes === undefined && sample.startMs % MS_PER_DAY === 0)
      return fromDayNumber(sample.startMs / MS_PER_DAY);
    return sample.sampleKind === 'daily_total' ? this.wallDate(sample) : undefined;
  }

  private of(code: SeriesCode): SampleRecord[] {
    const { id } = seriesTypeByCode(code);
    return this.samples.filter((sample) => sample.typeId === id);
  }

  private sourcesOf(records: readonly { source: SourceIdentity }[]): SourceIdentity[] {
    return [...new Set(records.map(({ source }) => source))];
  }

  /** Returns the amounts of one series on a date, by source. */
  private sums(code: SeriesCode, date: string): Candidate[] {
    const onDate = this.of(code).filter((sample) => this.dateOf(sample) === date && sample.sampleKind !== 'aggregate');
    return this.sourcesOf(onDate).map((source) => {
      const own = onDate.filter((sample) => sample.source === source);
      const totals = own.filter((sample) => sample.sampleKind === 'daily_total');
      return { source, lead: total((totals.length > 0 ? totals : own).map(({ value }) => value)) };
    });
  }

  /**
   * Merges each account's sources into one candidate with the rank of the best source. If any of these sources has a
   * daily total, uses the total of the best such source. Otherwise adds up the minutes of all samples, without minutes
   * in which a better source of the account has a sample. Sources are compared by their amounts on the minute's date.
   */
  private mergedSums(code: SeriesCode, date: string): Candidate[] {
    const single = this.sums(code, date);
    const best = single.filter(
      (one) =>
        winnerOf(
          single.filter((other) => isSameAccount(one.source, other.source)),
          true,
          NO_LEADER,
        ) === one,
    );
    return best.map(({ source }) => {
      const account = this.of(code).filter((sample) => isSameAccount(sample.source, source));
      const sumsOn = new Map<string, Candidate[]>();
      const sumsOf = (on: string) => {
        const known = sumsOn.get(on) ?? this.sums(code, on).filter((one) => isSameAccount(one.source, source));
        sumsOn.set(on, known);
        return known;
      };
      const amount = (own: SourceIdentity, on: string) =>
        sumsOf(on).find((one) => one.source === own)?.lead ?? undefined;
      const competitor = (own: SourceIdentity, on: string, from: string) => ({
        source: own,
        lead: amount(own, on) ?? amount(own, from) ?? 0,
      });
      const totals = this.of(code).filter((one) => one.sampleKind === 'daily_total' && this.dateOf(one) === date);
      const withTotal = competing(sumsOf(date)).filter((one) => totals.some((other) => other.source === one.source));
      const totalWinner = winnerOf(withTotal, true, NO_LEADER);
      if (totalWinner) return { source, lead: totalWinner.lead };
      const parts = account
        .filter((sample) => sample.sampleKind === 'sample')
        .flatMap((sample) => this.minutesOf(sample, (on) => sumsOf(on).length > 0))
        .map(({ on, from, ...minute }) => ({ ...minute, on, ...competitor(minute.sample.source, on, from) }));
      const isCovered = (one: (typeof parts)[number]) =>
        parts.some(
          (other) =>
            other.startMs === one.startMs &&
            other.source !== one.source &&
            (other.isInterval || !one.isInterval) &&
            winnerOf([one, other], true, NO_LEADER) === other,
        );
      const counted = parts.filter((one) => one.on === date && !isCovered(one));
      return { source, lead: total(counted.map(({ value }) => value)) };
    });
  }

  /**
   * Splits an interval into minutes. The interval must start and end on full minutes. Each minute has its share of the
   * value and a date: after local midnight the next date if that date has any data, otherwise the start's date. A
   * reading without an interval is one instant.
   */
  private minutesOf(sample: SampleRecord, hasData: (date: string) => boolean) {
    const { startMs, durationMs = 0, value } = sample;
    const from = this.dateOf(sample);
    if (durationMs === 0) return [{ sample, on: from, from, startMs, isInterval: false, value }];
    const minutes = durationMs / MS_PER_MINUTE;
    return Array.from({ length: minutes }, (_, at) => {
      const atMs = startMs + at * MS_PER_MINUTE;
      const own = localDate(atMs, sample.offsetMinutes ?? this.offsetAt(startMs));
      const on = own !== from && hasData(own) ? own : from;
      return { sample, on, from, startMs: atMs, isInterval: true, value: value / minutes };
    });
  }

  /** Returns the sources of a day's groups. */
  private moved(date: string, sums = (code: SeriesCode) => this.sums(code, date)) {
    const onDate = (code: SeriesCode) =>
      this.of(code).filter((sample) => this.dateOf(sample) === date && sample.sampleKind !== 'aggregate');
    const steps = sums('steps');
    const reference = Math.max(
      0,
      ...steps.filter(({ source }) => hasDevice(source) || source.account !== undefined).map(({ lead }) => lead ?? 0),
    );
    const tooLittle = competing(steps)
      .filter(({ lead }) => (lead ?? 0) < reference / 2)
      .map(({ source }) => source);
    const movement = winnerOf(steps, true, { source: undefined, tooLittle });
    const lead = { source: movement?.source, tooLittle };
    const energy = winnerOf(sums('energy'), true, lead);
    const beatsOf = (source: SourceIdentity) =>
      onDate('heart_rate')
        .filter((sample) => sample.source === source)
        .map(({ value }) => value);
    const hearts = this.sourcesOf(onDate('heart_rate')).map((source) => ({ source, lead: mean(beatsOf(source)) }));
    const heart = winnerOf(hearts, false, lead);
    return { steps, tooLittle, lead, movement, energy, heart, beatsOf };
  }

  activity(date: string, { merged = false } = {}) {
    const sums = (code: SeriesCode) => (merged ? this.mergedSums(code, date) : this.sums(code, date));
    const { movement, energy, heart, beatsOf } = this.moved(date, sums);
    const source = movement?.source ?? energy?.source ?? heart?.source;
    if (!source) return undefined;
    const beats = heart ? beatsOf(heart.source) : [];
    return {
      date,
      source: named(source),
      sources: {
        movement: named(movement?.source),
        energy: named(energy?.source),
        heart_rate: named(heart?.source),
        elevation: null,
      },
      steps: movement?.lead ?? null,
      active_calories_kcal: energy?.lead ?? null,
      heart_rate: heart
        ? { avg_bpm: round(mean(beats)), max_bpm: Math.max(...beats), min_bpm: Math.min(...beats) }
        : null,
    };
  }

  /** Returns a series' samples without copies: one source for each local day. */
  listed(code: 'steps' | 'heart_rate', dates: readonly string[]): string[] {
    const rows = dates.flatMap((date) => {
      const own = this.of(code).filter((sample) => this.dateOf(sample) === date);
      const source = this.listedSource(code, date, this.sourcesOf(own));
      return own.filter((sample) => sample.source === source);
    });
    return rows.map(({ source, startMs, value }) => `${instant(startMs)} ${value} ${named(source)}`).sort();
  }

  /** Returns the day's winner if this source has rows, otherwise the best source with rows. */
  private listedSource(code: 'steps' | 'heart_rate', date: string, having: SourceIdentity[]) {
    const { steps, lead, movement, heart, beatsOf } = this.moved(date);
    const winner = code === 'steps' ? movement?.source : heart?.source;
    if (winner && having.includes(winner)) return winner;
    const leads = code === 'steps' ? steps : having.map((source) => ({ source, lead: mean(beatsOf(source)) }));
    const left = having.map((source) => leads.find((one) => one.source === source) ?? { source, lead: null });
    return winnerOf(left, code === 'steps', code === 'steps' ? NO_LEADER : lead)?.source;
  }

  private ownDate({ endMs, offsetMinutes }: SleepSessionRecord): string {
    return localDate(endMs, offsetMinutes ?? this.offsetAt(endMs));
  }

  private isNight(session: SleepSessionRecord): boolean {
    return !session.isNap && secondsAsleep([session]) >= NIGHT_HOURS * 3600;
  }

  /** Returns sessions of several sources that are copies of one sleep, including the session itself. */
  private copiesOf(session: SleepSessionRecord): SleepSessionRecord[] {
    const group = [session];
    for (const one of group) {
      for (const other of this.sessions) if (!group.includes(other) && this.isJoined(one, other)) group.push(other);
    }
    return group;
  }

  /**
   * True if two sessions are copies of one sleep. A phone's or app's session has at most one copy among wearables'
   * sessions.
   */
  private isJoined(one: SleepSessionRecord, other: SleepSessionRecord): boolean {
    if (!areCopies(one, other)) return false;
    const [wornByOne, wornByOther] = [this.wornCopy(one), this.wornCopy(other)];
    const isAside = (wornByOne ?? other) !== other || (wornByOther ?? one) !== one;
    return isFirstClass(one.source) === isFirstClass(other.source) ? !wornByOne && !wornByOther : !isAside;
  }

  /** Returns the wearable's session that a phone's or app's session overlaps most. */
  private wornCopy(session: SleepSessionRecord): SleepSessionRecord | undefined {
    if (isFirstClass(session.source)) return undefined;
    const wearableSessions = this.sessions.filter((one) => isFirstClass(one.source) && areCopies(one, session));
    return wearableSessions.sort(
      (a, b) => overlapOf(b, session) - overlapOf(a, session) || a.startMs - b.startMs || a.endMs - b.endMs,
    )[0];
  }

  private isNapHere(session: SleepSessionRecord): boolean {
    const sameDate = this.sessions.filter((other) => this.ownDate(other) === this.ownDate(session));
    const nights = sameDate.filter((other) => this.isNight(other));
    const isCopy = this.copiesOf(session).some((other) => other.source !== session.source && this.isNight(other));
    if (isCopy) return false;
    const seconds = secondsAsleep([session]);
    const own = sameDate.filter(({ source }) => source === session.source);
    const hasLong = own.some((one) => secondsAsleep([one]) >= NIGHT_HOURS * 3600);
    if (nights.length === 0 || hasLong) return session.isNap === true;
    // Another source recorded the night, and this source has no session of three hours.
    const middle = (session.startMs + session.endMs) / 2;
    const offset = session.offsetMinutes ?? this.offsetAt(session.endMs);
    const hour = (((middle + offset * MS_PER_MINUTE) % MS_PER_DAY) + MS_PER_DAY) % MS_PER_DAY;
    const isByDay = hour >= 9 * MS_PER_HOUR && hour <= 20 * MS_PER_HOUR;
    const knows = session.asleepSeconds !== 0;
    return knows && seconds < NIGHT_HOURS * 3600 && isByDay;
  }

  private dateOfSleep(session: SleepSessionRecord): string {
    const group = this.copiesOf(session);
    if (group.every((one) => this.ownDate(one) === this.ownDate(session))) return this.ownDate(session);
    const main = group.filter((one) => !this.isNapHere(one));
    const counted = main.length > 0 ? main : group;
    const { winner } = this.selectSleep(counted);
    const own = counted.filter(({ source }) => source === winner?.source);
    return (
      own
        .map((one) => this.ownDate(one))
        .sort()
        .at(-1) ?? this.ownDate(session)
    );
  }

  private selectSleep(sessions: SleepSessionRecord[]): { winner: Candidate | undefined; tooLittle: SourceIdentity[] } {
    const all = this.sourcesOf(sessions).map((source) => {
      const seconds = secondsAsleep(sessions.filter((one) => one.source === source));
      return { source, lead: seconds > 0 ? seconds : null };
    });
    const left = competing(all);
    const best = left.some(({ source }) => isFirstClass(source))
      ? left.filter(({ source }) => isFirstClass(source))
      : left;
    const longest = Math.max(0, ...best.map(({ lead }) => lead ?? 0));
    const tooLittle = left.filter(({ lead }) => (lead ?? 0) < 0.75 * longest).map(({ source }) => source);
    return { winner: winnerOf(all, true, { source: undefined, tooLittle }), tooLittle };
  }

  /** Returns the sleep of a date: its sessions, its winner, and the winner's night. */
  private slept(date: string) {
    const all = this.sessions.filter((one) => this.dateOfSleep(one) === date).sort((a, b) => a.startMs - b.startMs);
    const [main, naps] = [all.filter((one) => !this.isNapHere(one)), all.filter((one) => this.isNapHere(one))];
    const { winner, tooLittle } = this.selectSleep(main);
    const lead = { source: winner?.source, tooLittle };
    const napping = this.sourcesOf(naps).map((source) => {
      const own = naps.filter((one) => one.source === source);
      const night = source === winner?.source ? main.filter((one) => one.source === source) : [];
      return { source, lead: own.every((one) => one.asleepSeconds === 0) ? null : secondsAsleep(own, night) };
    });
    const nap = winnerOf(napping, true, lead);
    const night = main.filter(({ source }) => source === winner?.source);
    const asNaps = naps.filter(({ source }) => source === nap?.source);
    return { all, lead, night, naps: asNaps, napSource: nap?.source };
  }

  sleep(date: string) {
    const { all, lead, night, naps, napSource } = this.slept(date);
    if (all.length === 0) return undefined;
    const length = ({ startMs, endMs }: SleepSessionRecord) => endMs - startMs;
    const anchor = [...(night.length > 0 ? night : naps)].sort(
      (a, b) => length(b) - length(a) || a.startMs - b.startMs,
    )[0];
    const isOfOne = lead.source === napSource;
    const napSeconds = secondsAsleep(naps, isOfOne ? night : []);
    const shown = (code: SeriesCode[]) => (night.length > 0 ? this.figures(date, code) : undefined);
    const heart = shown(['heart_rate']);
    const hrv = shown(['heart_rate_variability_rmssd', 'heart_rate_variability_sdnn']);
    const oxygen = shown(['oxygen_saturation']);
    const tenths = (value: number | undefined) => (value === undefined ? null : round(value, 1));
    const beats = heart?.values.get('heart_rate');
    return {
      date,
      source: named(lead.source ?? napSource),
      sources: {
        sleep: named(lead.source),
        naps: named(napSource),
        heart_rate: named(heart?.source),
        hrv: named(hrv?.source),
        oxygen_saturation: named(oxygen?.source),
        respiratory_rate: null,
      },
      start_time: instant(anchor?.startMs ?? 0),
      end_time: instant(anchor?.endMs ?? 0),
      duration_minutes: Math.floor(secondsAsleep(night) / 60),
      nap_count: naps.length,
      // A duration of 0 s asleep counts as unknown.
      nap_duration_minutes:
        naps.length > 0 && naps.every((one) => one.asleepSeconds === 0) ? null : Math.floor(napSeconds / 60),
      sessions: night.length + naps.length,
      avg_heart_rate_bpm: beats === undefined ? null : round(beats),
      avg_hrv_rmssd_ms: tenths(hrv?.values.get('heart_rate_variability_rmssd')),
      avg_hrv_sdnn_ms: tenths(hrv?.values.get('heart_rate_variability_sdnn')),
      avg_spo2_percent: tenths(oxygen?.values.get('oxygen_saturation')),
    };
  }

  /** Returns the source of a group of figures on a date, and its values. */
  private figures(date: string, codes: SeriesCode[], dates: readonly string[] = []) {
    const candidates = this.sourcesOf(this.samples).flatMap((source) => {
      const values = new Map<SeriesCode, number>();
      for (const code of codes) {
        const value = this.valueOf(source, code, date, dates);
        if (value !== undefined) values.set(code, value);
      }
      const [lead] = values.values();
      return lead === undefined ? [] : [{ source, lead, values }];
    });
    return winnerOf(candidates, false, this.slept(date).lead);
  }

  /** Returns one source's measurement of a series on a date. */
  private valueOf(
    source: SourceIdentity,
    code: SeriesCode,
    date: string,
    dates: readonly string[],
  ): number | undefined {
    const { night } = this.slept(date);
    const own = this.of(code).filter((sample) => sample.source === source);
    const isResting = code === 'resting_heart_rate';
    const oncePerNight = isResting || (ONCE_PER_NIGHT.includes(source.provider) && code !== 'heart_rate');
    const near = (sessions: SleepSessionRecord[], ms: number, margins: boolean) => {
      if (sessions.length === 0) return false;
      const { from, to } = spanOf(sessions);
      return ms >= from - (margins ? MS_PER_HOUR : 0) && ms < to + (margins ? 6 * MS_PER_HOUR : 0);
    };
    const placed = own.map((sample) => {
      const offset = sample.offsetMinutes ?? this.offsetAt(sample.startMs);
      const isLocalMidnight = isResting && (sample.startMs + offset * MS_PER_MINUTE) % MS_PER_DAY === 0;
      const standsFor =
        code === 'heart_rate' ? undefined : isLocalMidnight ? this.wallDate(sample) : this.writtenDate(sample);
      const margins = oncePerNight || sample.sampleKind === 'aggregate';
      const claimed = dates.some((other) => other !== date && near(this.slept(other).night, sample.startMs, margins));
      return {
        sample,
        isDated: standsFor === date,
        isInstant: standsFor === undefined,
        isNear: standsFor === undefined && near(night, sample.startMs, true),
        isInWindow: near(night, sample.startMs, false),
        isLocal: standsFor === undefined && this.wallDate(sample) === date && !claimed,
      };
    });
    if (isResting) {
      const counted = placed.filter(({ isDated, isNear, isLocal }) => isDated || isNear || isLocal);
      return counted.length === 0 ? undefined : mean(counted.map(({ sample }) => sample.value));
    }
    const isAggregate = ({ sample }: (typeof placed)[number]) => sample.sampleKind === 'aggregate';
    const ordinary = placed.filter(({ sample }) => sample.sampleKind === 'sample');
    const counted = ordinary.filter(({ isDated, isInstant }) => isDated || isInstant);
    const asleep = counted.filter(({ sample }) => night.length > 0 && isDuringSleep(night, sample.startMs));
    const inWindow = counted.filter(({ isInWindow }) => isInWindow);
    const aggregates = placed.filter(
      (one) => isAggregate(one) && (night.length > 0 ? one.isDated || one.isNear : one.isDated),
    );
    const restingValues = placed.filter(
      (one) =>
        !isAggregate(one) &&
        (one.isDated || (night.length > 0 && oncePerNight && one.isNear && one.sample.sampleKind === 'sample')),
    );
    const local = night.length > 0 ? [] : ordinary.filter(({ isLocal }) => isLocal);
    const ofDate = night.length > 0 ? [] : placed.filter((one) => isAggregate(one) && one.isLocal);
    const steps =
      code === 'heart_rate'
        ? [asleep, aggregates, inWindow]
        : code === 'oxygen_saturation'
          ? [inWindow, [...restingValues, ...aggregates], ofDate, local]
          : [aggregates, asleep, inWindow, restingValues, ofDate, local];
    const found = steps.find((step) => step.length > 0);
    return found && mean(found.map(({ sample }) => sample.value));
  }

  /**
   * Returns the score of the provider that won the sleep: each source's last score up to noon, otherwise its first
   * score.
   */
  private score(date: string, dates: readonly string[]) {
    const { lead } = this.slept(date);
    const local = (ms: number) => ms + this.offsetAt(ms) * MS_PER_MINUTE;
    const isOf = ({ atMs }: HealthScoreRecord) => {
      if (atMs % MS_PER_DAY === 0) return fromDayNumber(atMs / MS_PER_DAY) === date;
      const claimed = dates.filter((one) => {
        const { night } = this.slept(one);
        if (night.length === 0) return false;
        const { from, to } = spanOf(night);
        return atMs >= from - MS_PER_HOUR && atMs < to + 6 * MS_PER_HOUR;
      });
      return claimed.length > 0 ? claimed.includes(date) : localDate(atMs, this.offsetAt(atMs)) === date;
    };
    const ofDate = this.scores
      .filter((one) => SCORED.includes(one.source.provider) && isOf(one))
      .filter(({ source }) => lead.source === undefined || source.provider === lead.source.provider)
      .sort((a, b) => a.atMs - b.atMs);
    const candidates = this.sourcesOf(ofDate).map((source) => {
      const own = ofDate.filter((one) => one.source === source);
      const shown = own.findLast(({ atMs }) => local(atMs) <= Date.parse(`${date}T12:00:00Z`)) ?? own[0];
      return { source, lead: shown?.value ?? null };
    });
    return winnerOf(candidates, false, lead);
  }

  /** @param dates all dates that may have a night, because another date's night can claim a reading */
  recovery(date: string, dates: readonly string[]) {
    const hrv = this.figures(date, ['heart_rate_variability_rmssd', 'heart_rate_variability_sdnn'], dates);
    const oxygen = this.figures(date, ['oxygen_saturation'], dates);
    const resting = this.figures(date, ['resting_heart_rate'], dates);
    const score = this.score(date, dates);
    if (!hrv && !oxygen && !resting && !score) return undefined;
    const { lead, night } = this.slept(date);
    const tenths = (value: number | undefined) => (value === undefined ? null : round(value, 1));
    const bpm = resting?.values.get('resting_heart_rate');
    return {
      date,
      source: named(lead.source ?? hrv?.source ?? oxygen?.source ?? resting?.source ?? score?.source),
      sources: {
        sleep: named(lead.source),
        hrv: named(hrv?.source),
        oxygen_saturation: named(oxygen?.source),
        resting_heart_rate: named(resting?.source),
        score: named(score?.source),
      },
      recovery_score: score?.lead ?? null,
      sleep_duration_seconds: night.length === 0 ? null : secondsAsleep(night),
      resting_heart_rate_bpm: bpm === undefined ? null : round(bpm),
      avg_hrv_sdnn_ms: tenths(hrv?.values.get('heart_rate_variability_sdnn')),
      avg_hrv_rmssd_ms: tenths(hrv?.values.get('heart_rate_variability_rmssd')),
      avg_spo2_percent: tenths(oxygen?.values.get('oxygen_saturation')),
    };
  }
}

function areCopies(a: SleepSessionRecord, b: SleepSessionRecord): boolean {
  if (a.source === b.source) return false;
  return overlapOf(a, b) > Math.min(a.endMs - a.startMs, b.endMs - b.startMs) / 2;
}

function overlapOf(a: SleepSessionRecord, b: SleepSessionRecord): number {
  return Math.min(a.endMs, b.endMs) - Math.max(a.startMs, b.startMs);
}

function spanOf(sessions: readonly SleepSessionRecord[]) {
  return {
    from: Math.min(...sessions.map(({ startMs }) => startMs)),
    to: Math.max(...sessions.map(({ endMs }) => endMs)),
  };
}

function isDuringSleep(sessions: readonly SleepSessionRecord[], ms: number): boolean {
  const staged = sessions.flatMap(({ stages = [] }) => stages.filter(({ stage }) => isAsleep(stage)));
  return (staged.length > 0 ? staged : sessions).some(({ startMs, endMs }) => ms >= startMs && ms < endMs);
}

/**
 * Returns the seconds asleep in sessions of one source, counting each instant once and excluding instants in `before`.
 */
function secondsAsleep(sessions: readonly SleepSessionRecord[], before: readonly SleepSessionRecord[] = []): number {
  return total(
    sessions.map((session) => {
      const whole = session.asleepSeconds ?? (session.endMs - session.startMs) / 1000;
      const share = ownShare(session, sessions, before);
      return share === 1 ? whole : Math.round(whole * share);
    }),
  );
}

/** Returns the share of a session outside of longer sessions and of `before`. Ignores sessions without sleep data. */
function ownShare(
  session: SleepSessionRecord,
  all: readonly SleepSessionRecord[],
  before: readonly SleepSessionRecord[],
): number {
  const length = ({ startMs, endMs }: SleepSessionRecord) => endMs - startMs;
  const longer = all.filter(
    (one) => one !== session && (length(session) - length(one) || one.startMs - session.startMs) < 0,
  );
  const others = [...longer, ...before].filter((one) => one.asleepSeconds !== 0);
  let minutes = 0;
  for (let ms = session.startMs; ms < session.endMs; ms += MS_PER_MINUTE) {
    if (!others.some(({ startMs, endMs }) => ms >= startMs && ms < endMs)) minutes++;
  }
  return (minutes * MS_PER_MINUTE) / length(session);
}
