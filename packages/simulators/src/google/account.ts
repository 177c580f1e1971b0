import { Calendar } from '../calendar.js';
import { Random } from '../random.js';
import type { AccountFacts, SimulatedAccount } from '../vendor/index.js';

/**
 * `linked`: has a health profile. `not_linked`: a Google account without a health profile (400). `legacy`: an old
 * account that has not been migrated (403). `no_profile`: the profile is not ready yet (412).
 */
export type AccountState = 'linked' | 'not_linked' | 'legacy' | 'no_profile';

export interface AccountInput {
  /**
   * The account's name in the control interface. Default: `account-<n>`. Its email is `<id>@example.org`.
   */
  id?: string;
  state?: AccountState;
  /** IANA time zone of the account's settings and of its points' civil times. Default: `Europe/Berlin`. */
  timeZone?: string;
  /** Scopes that the user grants on the consent page. Default: all requested scopes. */
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

/** Size of a generated history. */
export interface HistoryOptions {
  /** Default 1. */
  seed?: number;
  /** Local days, including today. Default 90. */
  days?: number;
  /**
   * `full`: steps per minute, heart rate every 5 min (30 s in workouts). `light` (default): about a tenth of the
   * points.
   */
  density?: 'light' | 'full';
  /** Default: all data types that the generator supports. */
  dataTypes?: string[];
}

/** Calendars by time zone. Users in the same time zone share a calendar and its cached offsets. */
const calendars = new Map<string, Calendar>();

/** A user with the simulator's own state. */
export class Account implements SimulatedAccount {
  readonly subject: string;
  readonly legacyUserId: string;
  state: AccountState = 'linked';
  ticks: string[] | undefined;
  calendar: Calendar;
  /** Options of the generated history, and its end. */
  history?: { options: Required<Omit<HistoryOptions, 'dataTypes'>> & { dataTypes?: string[] }; untilMs: number };

  /**
   * @throws if the time zone is unknown
   */
  constructor(readonly facts: AccountFacts) {
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

  /**
   * @throws if the time zone is unknown
   */
  change({ state = this.state, timeZone, grants = this.ticks }: AccountChange): void {
    if (timeZone !== undefined) {
      this.calendar = calendarOf(timeZone);
      this.facts.timeZone = timeZone;
    }
    this.state = state;
    this.ticks = grants;
  }

  /** Returns the account for the control interface. */
  face(): GoogleAccount {
    const { id, email, userId: healthUserId, timeZone } = this.facts;
    const { subject, legacyUserId, state, ticks } = this;
    return { id, email, subject, healthUserId, legacyUserId, state, timeZone, ...(ticks && { grants: ticks }) };
  }
}

/** Returns an account's ids, which depend on its name only. */
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
