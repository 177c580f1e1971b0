import { Calendar } from '../calendar.js';
import { Random } from '../random.js';
import type { AccountChange, AccountInput, GoogleAccount } from './account-types.js';
import type { HistoryOptions } from './control.js';

/** An account with what the simulator keeps beside it. */
export interface Account extends GoogleAccount {
  calendar: Calendar;
  /** The made-up life that it was seeded with, and until when. */
  history?: { options: Required<Omit<HistoryOptions, 'dataTypes'>> & { dataTypes?: string[] }; untilMs: number };
}

/** The people that the simulator knows. */
export class Accounts {
  private readonly byId = new Map<string, Account>();
  /** Offsets that were looked up once serve all people in the zone. */
  private readonly calendars = new Map<string, Calendar>();

  /** @throws when the id is taken or the zone unknown */
  add(input: AccountInput = {}): Account {
    const id = input.id ?? `account-${this.byId.size + 1}`;
    if (this.byId.has(id)) throw new Error(`there is an account called ${id} already`);
    const random = new Random('google account', id);
    const timeZone = input.timeZone ?? 'Europe/Berlin';
    const account: Account = {
      id,
      email: `${id}@example.org`,
      subject: `1${random.integer(10 ** 9, 10 ** 10 - 1)}${random.integer(10 ** 9, 10 ** 10 - 1)}`,
      healthUserId: `${random.integer(4 * 10 ** 8, 10 ** 9 - 1)}${random.integer(10 ** 9, 10 ** 10 - 1)}`,
      legacyUserId: random
        .integer(36 ** 5, 36 ** 6 - 1)
        .toString(36)
        .toUpperCase(),
      state: input.state ?? 'linked',
      timeZone,
      grants: input.grants,
      calendar: this.calendar(timeZone),
    };
    this.byId.set(id, account);
    return account;
  }

  /** @throws when there is none */
  get(id: string): Account {
    const account = this.byId.get(id);
    if (!account) throw new Error(`no account is called ${id}`);
    return account;
  }

  change(id: string, change: AccountChange): Account {
    const account = this.get(id);
    if (change.timeZone !== undefined) account.calendar = this.calendar(change.timeZone);
    return Object.assign(account, change);
  }

  all(): Account[] {
    return [...this.byId.values()];
  }

  /** By what a login hint may hold: address, subject, or the control id. */
  hinted(hint: string): Account | undefined {
    return this.all().find(({ id, email, subject }) => hint === id || hint === email || hint === subject);
  }

  clear(): void {
    this.byId.clear();
  }

  private calendar(timeZone: string): Calendar {
    const calendar = this.calendars.get(timeZone) ?? new Calendar(timeZone);
    this.calendars.set(timeZone, calendar);
    return calendar;
  }
}

/** What the control interface reports of an account. */
export function accountFace(account: Account): GoogleAccount {
  const { calendar: _calendar, history: _history, ...face } = account;
  return face;
}
