import {
  fromDayNumber,
  type HealthRecord,
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

/** Summaries computed from raw records by looking at every record for every date: slow, and easy to check by eye. */

const PROVIDERS = ['apple', 'garmin', 'polar', 'suunto', 'whoop'];
const DEVICES = ['watch', 'band', 'ring', 'phone', 'scale', 'other'];
const NIGHTLY = ['whoop', 'suunto', 'polar'];

const rankIn = (list: string[], name: string | undefined) => {
  const at = list.indexOf(name ?? '');
  return at < 0 ? 99 : at + 1;
};
/** Providers beyond the listed ones rank in the order of their names here; tests use one of them at most. */
const rank = ({ provider, deviceType }: SourceIdentity) => [rankIn(PROVIDERS, provider), rankIn(DEVICES, deviceType)];
const better = (a: SourceIdentity, b: SourceIdentity) => {
  const [x, y] = [rank(a), rank(b)];
  return (x[0] ?? 0) - (y[0] ?? 0) || (x[1] ?? 0) - (y[1] ?? 0);
};
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const total = (values: number[]) => values.reduce((sum, value) => sum + value, 0);
const instant = (ms: number) => new Date(ms).toISOString().replace('.000Z', 'Z');

/** The raw records of one user. */
export class SlowSummaries {
  private readonly samples: SampleRecord[];
  private readonly sessions: SleepSessionRecord[];

  /** @param seen all records that ever were stored: an offset is not unlearnt when its record goes */
  constructor(
    records: readonly HealthRecord[],
    private readonly seen: readonly HealthRecord[] = records,
  ) {
    this.samples = records.filter((record) => record.kind === 'sample');
    this.sessions = records.filter((record) => record.kind === 'sleep_session');
  }

  /** The nearest offset, since no zone is known; an offset holds from its first to its last sight on a UTC day. */
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

  private writtenDate(sample: SampleRecord): string | undefined {
    if (sample.offsetMinutes === undefined && sample.startMs % MS_PER_DAY === 0)
      return fromDayNumber(sample.startMs / MS_PER_DAY);
    return sample.sampleKind === 'daily_total' ? this.wallDate(sample) : undefined;
  }

  private of(code: SeriesCode): SampleRecord[] {
    const { id } = seriesTypeByCode(code);
    return this.samples.filter((sample) => sample.typeId === id);
  }

  private best(samples: SampleRecord[]): SourceIdentity | undefined {
    return samples.map(({ source }) => source).sort(better)[0];
  }

  activity(date: string) {
    const onDate = (code: SeriesCode) =>
      this.of(code).filter((sample) => this.dateOf(sample) === date && sample.sampleKind !== 'aggregate');
    const sum = (samples: SampleRecord[], source: SourceIdentity | undefined) => {
      const own = samples.filter((sample) => sample.source === source);
      const totals = own.filter((sample) => sample.sampleKind === 'daily_total');
      const counted = totals.length > 0 ? totals : own;
      return counted.length === 0 ? null : total(counted.map(({ value }) => value));
    };
    const [steps, energy, heart] = [onDate('steps'), onDate('energy'), onDate('heart_rate')];
    const source = this.best(steps) ?? this.best(energy) ?? this.best(heart);
    if (!source) return undefined;
    const beats = heart.filter((sample) => sample.source === this.best(heart)).map(({ value }) => value);
    return {
      date,
      device: source.deviceModel ?? null,
      steps: sum(steps, this.best(steps)),
      active_calories_kcal: sum(energy, this.best(energy)),
      heart_rate:
        beats.length === 0
          ? null
          : { avg_bpm: round(mean(beats)), max_bpm: Math.max(...beats), min_bpm: Math.min(...beats) },
    };
  }

  private wakeDate({ endMs, offsetMinutes }: SleepSessionRecord): string {
    return localDate(endMs, offsetMinutes ?? this.offsetAt(endMs));
  }

  private sleptOn(date: string): SleepSessionRecord[] {
    return this.sessions.filter((session) => this.wakeDate(session) === date).sort((a, b) => a.startMs - b.startMs);
  }

  /** The sources of some sessions, best first: those that recorded sleep in a night, then a night, then those with naps alone. */
  private sleepers(sessions: SleepSessionRecord[]): SourceIdentity[] {
    const missing = ({ isNap, asleepSeconds }: SleepSessionRecord) => (isNap ? 2 : Number(asleepSeconds === 0));
    const gap = (own: SourceIdentity) =>
      Math.min(...sessions.filter(({ source }) => source === own).map((session) => missing(session)));
    const sources = [...new Set(sessions.map(({ source }) => source))];
    return sources.sort((a, b) => gap(a) - gap(b) || better(a, b));
  }

  sleep(date: string) {
    const all = this.sleptOn(date);
    const [source] = this.sleepers(all);
    if (!source) return undefined;
    const own = all.filter((session) => session.source === source);
    const [main, naps] = [own.filter(({ isNap }) => !isNap), own.filter(({ isNap }) => isNap)];
    const length = ({ startMs, endMs }: SleepSessionRecord) => endMs - startMs;
    const anchor = [...(main.length > 0 ? main : naps)].sort(
      (a, b) => length(b) - length(a) || a.startMs - b.startMs,
    )[0];
    const seconds = (sessions: SleepSessionRecord[]) =>
      total(
        sessions.map((session) => {
          const whole = session.asleepSeconds ?? length(session) / 1000;
          const share = shareOfItsOwn(session, own);
          return share === 1 ? whole : Math.round(whole * share);
        }),
      );
    const withNight = new Set(this.sleepers(all.filter(({ isNap }) => !isNap)).map(({ provider }) => provider));
    const others = withNight.size === 0 ? [] : this.samples.map(({ source: { provider } }) => provider);
    others.sort((a, b) => rankIn(PROVIDERS, a) - rankIn(PROVIDERS, b));
    const providers = [...new Set([...withNight, ...others])];
    // A vendor's value of a date is its figure of the night that ended on it; a heart rate's is the whole day's.
    const ofDate = (code: SeriesCode, provider: string) => {
      const totals = this.of(code).filter(
        (sample) =>
          sample.source.provider === provider && sample.sampleKind === 'daily_total' && this.dateOf(sample) === date,
      );
      return totals.length > 0 && code !== 'heart_rate' ? mean(totals.map(({ value }) => value)) : undefined;
    };
    const physiology = (code: SeriesCode) => {
      for (const provider of providers) {
        const found = this.nightMean(code, provider, date) ?? ofDate(code, provider);
        if (found !== undefined) return found;
      }
      return null;
    };
    const heart = physiology('heart_rate');
    return {
      date,
      device: source.deviceModel ?? null,
      start_time: instant(anchor?.startMs ?? 0),
      end_time: instant(anchor?.endMs ?? 0),
      duration_minutes: Math.floor(seconds(main) / 60),
      nap_count: naps.length,
      nap_duration_minutes: Math.floor(seconds(naps) / 60),
      sessions: own.length,
      avg_heart_rate_bpm: heart === null ? null : round(heart),
      avg_hrv_rmssd_ms: physiology('heart_rate_variability_rmssd'),
      avg_spo2_percent: physiology('oxygen_saturation'),
    };
  }

  /** Whether the heart rate of a night is that of a provider that recorded none, of which archival leaves nothing. */
  borrowsHeartRate(date: string): boolean {
    const withNight = this.sleptOn(date).flatMap(({ source, isNap }) => (isNap ? [] : [source.provider]));
    return withNight.every((provider) => this.nightMean('heart_rate', provider, date) === undefined);
  }

  private nightMean(code: SeriesCode, provider: string, date: string): number | undefined {
    const main = this.night(provider, date);
    if (main.length === 0) return undefined;
    const { from, to } = spanOf(main);
    const own = this.of(code).filter((sample) => sample.source.provider === provider);
    const ordinary = own.filter(({ sampleKind }) => sampleKind === 'sample');
    const asleep = ordinary.filter(({ startMs }) => isDuringSleep(main, startMs));
    const aggregates = own.filter(
      ({ sampleKind, startMs }) =>
        sampleKind === 'aggregate' && startMs >= from - MS_PER_HOUR && startMs < to + 6 * MS_PER_HOUR,
    );
    const inWindow = ordinary.filter(({ startMs }) => startMs >= from && startMs < to);
    const hasOwn = main.some(({ source }) => source.provider === provider);
    const window = hasOwn ? inWindow : [];
    const steps = code.startsWith('heart_rate_variability')
      ? [aggregates, asleep, window]
      : [asleep, aggregates, window];
    const found = steps.find((samples) => samples.length > 0);
    return found && mean(found.map(({ value }) => value));
  }

  /** The main sessions that make a provider's night: its own, else those of the best sleeper. */
  private night(provider: string, date: string): SleepSessionRecord[] {
    const all = this.sleptOn(date);
    const own = all.filter((one) => one.source.provider === provider && !one.isNap);
    if (own.length > 0) return own;
    const [lender] = this.sleepers(all);
    return all.filter((one) => one.source === lender && !one.isNap);
  }

  private isNear(provider: string, date: string, ms: number, margins: boolean): boolean {
    const night = this.night(provider, date);
    if (night.length === 0) return false;
    const { from, to } = spanOf(night);
    return ms >= from - (margins ? MS_PER_HOUR : 0) && ms < to + (margins ? 6 * MS_PER_HOUR : 0);
  }

  private providerRow(provider: string, date: string, dates: readonly string[]) {
    const night = this.night(provider, date);
    const belonging = (code: SeriesCode, oncePerNight: boolean) => {
      const own = this.of(code).filter((sample) => sample.source.provider === provider);
      return own.map((sample) => {
        const margins = oncePerNight || sample.sampleKind === 'aggregate';
        const written = this.writtenDate(sample);
        const near = written === undefined && this.isNear(provider, date, sample.startMs, margins);
        const claimed = dates.some((other) => other !== date && this.isNear(provider, other, sample.startMs, margins));
        const onDate = written === undefined && this.wallDate(sample) === date && !claimed;
        return { sample, dated: written === date, near, onDate };
      });
    };
    const resting = belonging('resting_heart_rate', true)
      .filter(({ dated, near, onDate }) => dated || near || onDate)
      .map(({ sample }) => sample.value);
    const chain = (code: SeriesCode, saturation: boolean) => {
      const nightly = NIGHTLY.includes(provider);
      const all = belonging(code, nightly);
      const ordinary = all.filter(({ sample }) => sample.sampleKind === 'sample');
      const ofVendor = all.filter(({ sample }) => sample.sampleKind === 'aggregate');
      const aggregates = ofVendor.filter(({ dated, near }) => dated || near);
      const ofDay = ofVendor.filter(({ near, onDate }) => onDate && !near);
      const unshifted = ordinary.filter(({ sample, dated }) => dated || this.writtenDate(sample) === undefined);
      const span = night.length > 0 ? spanOf(night) : { from: 0, to: 0 };
      const asleep = unshifted.filter(({ sample }) => night.length > 0 && isDuringSleep(night, sample.startMs));
      const inWindow = unshifted.filter(({ sample }) => sample.startMs >= span.from && sample.startMs < span.to);
      const given = all.filter(
        ({ sample, dated, near }) => sample.sampleKind !== 'aggregate' && (dated || (nightly && near)),
      );
      const local = ordinary.filter(({ onDate }) => onDate);
      const steps = saturation
        ? [inWindow, [...given, ...aggregates], ofDay, local]
        : [aggregates, asleep, inWindow, given, ofDay, local];
      const found = steps.find((step) => step.length > 0);
      return found ? round(mean(found.map(({ sample }) => sample.value)), 1) : null;
    };
    return {
      date,
      provider,
      resting_heart_rate_bpm: resting.length > 0 ? round(mean(resting)) : null,
      avg_hrv_sdnn_ms: chain('heart_rate_variability_sdnn', false),
      avg_hrv_rmssd_ms: chain('heart_rate_variability_rmssd', false),
      avg_spo2_percent: chain('oxygen_saturation', true),
    };
  }

  /** `dates` are all dates near which anything happened. */
  recovery(date: string, dates: readonly string[]) {
    const providers = [...new Set(this.samples.map(({ source }) => source.provider))];
    const rows = providers.map((provider) => this.providerRow(provider, date, dates));
    const completeness = (row: (typeof rows)[number]) =>
      (row.resting_heart_rate_bpm === null ? 1 : 0) +
      (row.avg_hrv_sdnn_ms === null && row.avg_hrv_rmssd_ms === null ? 1 : 0);
    return rows
      .filter((row) => completeness(row) < 2 || row.avg_spo2_percent !== null)
      .sort(
        (a, b) => completeness(a) - completeness(b) || rankIn(PROVIDERS, a.provider) - rankIn(PROVIDERS, b.provider),
      )[0];
  }
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

/** How much of a session no longer one with sleep of its kind, and no night where it is a nap, covers; by the minute. */
function shareOfItsOwn(session: SleepSessionRecord, all: readonly SleepSessionRecord[]): number {
  const length = ({ startMs, endMs }: SleepSessionRecord) => endMs - startMs;
  const before = (one: SleepSessionRecord) =>
    Number(one.isNap) - Number(session.isNap) || length(session) - length(one) || one.startMs - session.startMs;
  const others = all.filter((one) => one !== session && one.asleepSeconds !== 0 && before(one) < 0);
  let minutes = 0;
  for (let ms = session.startMs; ms < session.endMs; ms += MS_PER_MINUTE) {
    if (!others.some(({ startMs, endMs }) => ms >= startMs && ms < endMs)) minutes++;
  }
  return (minutes * MS_PER_MINUTE) / length(session);
}
