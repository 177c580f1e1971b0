import { Calendar } from '../calendar.js';
import { Random } from '../random.js';
import type { Person, PersonFacts } from '../vendor/index.js';

/**
 * `linked`: has a health profile. `not_linked`: a Google account without one (400). `legacy`: an old account that has
 * not been migrated (403). `no_profile`: the profile is not ready yet (412).
 */
export type AccountState = 'linked' | 'not_linked' | 'legacy' | 'no_profile';

export interface AccountInput {
  /** Name of the account in the control interface; default `account-<n>`. Its address is `<id>@example.org`. */
  id?: string;
  state?: AccountState;
  /** IANA zone of its settings and of the wall clocks of its points. Default `Europe/Berlin`. */
  timeZone?: string;
  /** Scopes this person ticks, of those asked for; default all. */
  grants?: string[];
}

export type AccountChange = Partial<Omit<AccountInput, 'id'>>;

export interface GoogleAccount {
  id: string;
  email: string;
  /** Subject of the identity token. */
  subject: string;
  healthUserId: string;
  legacyUserId: string;
  state: AccountState;
  timeZone: string;
  grants?: string[];
}

/** How much a made-up history holds. */
export interface HistoryOptions {
  /** Default 1. */
  seed?: number;
  /** Local days, the one that runs included. Default 90. */
  days?: number;
  /** `full`: steps by the minute, heart rate every 5 min (30 s in workouts). `light`: about a tenth of it. Default. */
  density?: 'light' | 'full';
  /** Only these types; default all that the generator knows. */
  dataTypes?: string[];
}

/** Calendars by zone: offsets that were looked up once serve all people in the zone. */
const calendars = new Map<string, Calendar>();

/** A person with what the simulator keeps beside the facts. */
export class Account implements Person {
  readonly subject: string;
  readonly legacyUserId: string;
  state: AccountState = 'linked';
  ticks: string[] | undefined;
  calendar: Calendar;
  /** The made-up life that it was seeded with, and until when. */
  history?: { options: Required<Omit<HistoryOptions, 'dataTypes'>> & { dataTypes?: string[] }; untilMs: number };

  /** @throws if the zone is unknown */
  constructor(readonly facts: PersonFacts) {
    ({ subject: this.subject, legacyUserId: this.legacyUserId } = identityOf(facts.id));
    this.calendar = calendarOf(facts.timeZone);
  }

  get id(): string {
    return this.facts.id;
  }

  get healthUserId(): string {
    return this.facts.userId;
  }

  get aliases(): string[] {
    return [this.subject];
  }

  /** @throws if the zone is unknown */
  change({ state = this.state, timeZone, grants = this.ticks }: AccountChange): void {
    if (timeZone !== undefined) {
      this.calendar = calendarOf(timeZone);
      this.facts.timeZone = timeZone;
    }
    this.state = state;
    this.ticks = grants;
  }

  /** Returns what the control interface reports. */
  face(): GoogleAccount {
    const { id, email, userId: healthUserId, timeZone } = this.facts;
    const { subject, legacyUserId, state, ticks } = this;
    return { id, email, subject, healthUserId, legacyUserId, state, timeZone, ...(ticks && { grants: ticks }) };
  }
}

/** Returns the ids of an account, which are the same for the same name. */
export function identityOf(id: string) {
  const random = new Random('google account', id);
  return {
    subject: `1${random.integer(10 ** 9, 10 ** 10 - 1)}${random.integer(10 ** 9, 10 ** 10 - 1)}`,
    healthUserId: `${random.integer(4 * 10 ** 8, 10 ** 9 - 1)}${random.integer(10 ** 9, 10 ** 10 - 1)}`,
    legacyUserId: random
      .integer(36 ** 5, 36 ** 6 - 1)
      .toString(36)
      .toUpperCase(),
  };
}

function calendarOf(timeZone: string): Calendar {
  const calendar = calendars.get(timeZone) ?? new Calendar(timeZone);
  calendars.set(timeZone, calendar);
  return calendar;
}
