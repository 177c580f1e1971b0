import type { AccountFacts } from '../vendor/index.js';
import { localDateOf } from './dates.js';
import { type PolarForms, polarForms, type TrueNightSeconds } from './forms.js';
import type { PolarCollection, PolarDocument, PolarEvent, PolarInput, PolarPeriod } from './wire-types.js';

const API = 'https://www.polaraccesslink.com/v3';

/** Names of the members that identify the items of each collection. */
const KEYS: Readonly<Record<PolarCollection, readonly string[]>> = {
  exercises: ['id'],
  activities: ['date'],
  sleep: ['date'],
  recharges: ['date'],
  heartRates: ['date'],
  cardioLoads: ['date'],
  alertness: ['period_start_time'],
  bedtimes: ['period_start_time'],
  bodyTemperatures: ['source_device_id', 'start_time'],
  skinTemperatures: ['sleep_date'],
  spo2: ['test_time'],
  ecg: ['test_time'],
};
const COLLECTIONS = Object.keys(KEYS) as PolarCollection[];

/** Events of changes. Changes of recharges, loads and measurements have no events. */
type Reported = Pick<PolarEvent, 'event' | 'url' | 'entity_id' | 'date' | 'from' | 'to'>;
const REPORTED: Readonly<Partial<Record<PolarCollection, (item: PolarDocument) => Reported>>> = {
  exercises: ({ id }) => ({ event: 'EXERCISE', entity_id: String(id), url: `${API}/exercises/${id}` }),
  sleep: ({ date }) => dated('SLEEP', 'sleep', date),
  heartRates: ({ date }) => dated('CONTINUOUS_HEART_RATE', 'continuous-heart-rate', date),
  activities: (day) => dated('ACTIVITY_SUMMARY', 'activities', dayOf(day)),
  alertness: (period) => ranged('SLEEP_WISE_ALERTNESS', 'alertness', period),
  bedtimes: (period) => ranged('SLEEP_WISE_CIRCADIAN_BEDTIME', 'circadian-bedtime', period),
};

/** All data of one account at the vendor. */
export class PolarAccount {
  readonly items: Readonly<Record<PolarCollection, Map<string, PolarDocument>>>;
  /** The client's name of the registered user. */
  memberId: string | undefined;
  registeredAt = '';
  /** True if the user accepted all of the vendor's mandatory consents. */
  hasConsented = true;
  physical: PolarDocument | undefined = {
    weight: 63.5,
    height: 171,
    birthday: '1988-04-19',
    gender: 'FEMALE',
    maximum_heart_rate: 186,
    resting_heart_rate: 49,
    vo2_max: 47,
    weight_source: 'SOURCE_MEASURED',
    sleep_goal: 'PT8H',
    created: '2025-02-03T07:15:12Z',
    modified: '2026-04-20T05:00:00Z',
  };

  /** Facts about generated nights, by date. */
  readonly nights = new Map<string, TrueNightSeconds>();
  readonly forms: PolarForms;

  constructor(readonly facts: AccountFacts) {
    this.forms = polarForms(facts.id);
    const empty = COLLECTIONS.map((name) => [name, new Map<string, PolarDocument>()]);
    this.items = Object.fromEntries(empty) as PolarAccount['items'];
  }

  /** Stores new and changed items. @returns the events of the changes */
  put(input: PolarInput, at: string): PolarEvent[] {
    return COLLECTIONS.flatMap((name) =>
      (input[name] ?? []).flatMap((item) => {
        const key = keyOf(name, item);
        if (JSON.stringify(this.items[name].get(key)) === JSON.stringify(item)) return [];
        this.items[name].set(key, item);
        const reported = REPORTED[name]?.(item);
        return reported ? [this.event(reported, at)] : [];
      }),
    );
  }

  physicalChanged(at: string): PolarEvent {
    return this.event({ event: 'PHYSICAL_INFORMATION', url: `${API}/users/physical-info` }, at);
  }

  private event(reported: Reported, timestamp: string): PolarEvent {
    return { user_id: Number(this.facts.userId), timestamp, ...reported };
  }
}

/** Returns the date of an activity day. */
export function dayOf({ start_time: start }: PolarDocument): string {
  return String(start).slice(0, 10);
}

function keyOf(name: PolarCollection, item: PolarDocument): string {
  if (name === 'activities') return dayOf(item);
  return KEYS[name].map((member) => String(item[member])).join(' ');
}

function dated(event: string, path: string, date: unknown): Reported {
  return { event, date: String(date), url: `${API}/users/${path}/${date}` };
}

function ranged(event: string, path: string, period: PolarDocument): Reported {
  const date = localDateOf(period as PolarPeriod);
  return { event, from: date, to: date, url: `${API}/users/sleepwise/${path}/date?from=${date}&to=${date}` };
}
