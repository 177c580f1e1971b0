import { dayNumber, fromDayNumber, MS_PER_HOUR } from '@healthd/model';
import type { Priorities } from '../../priorities/index.js';
import { rankedSources } from '../sleep/ranked-sources.js';
import type { RecoverySession } from './evidence.sql.js';

/** Vendors stamp what they say about a night from an hour before it to six hours after it. */
const BEFORE_NIGHT_MS = MS_PER_HOUR;
const AFTER_NIGHT_MS = 6 * MS_PER_HOUR;
/** Wake dates whose nights can touch one local day. */
const REACH_DAYS = 2;

/** From going to bed to getting up. */
export interface Night {
  fromMs: number;
  toMs: number;
  /** The source whose night this is, where the provider has none of its own. */
  lender: number | undefined;
}

/** The nights of one user by provider and wake date. */
export class Nights {
  private readonly byDate = new Map<string, RecoverySession[]>();
  private readonly known = new Map<string, Night | undefined>();
  private readonly datesNear = [new Map<string, readonly string[]>(), new Map<string, readonly string[]>()] as const;

  constructor(
    sessions: readonly RecoverySession[],
    private readonly priorities: Priorities,
  ) {
    for (const session of sessions) {
      const day = this.byDate.get(session.wake_date);
      if (day) day.push(session);
      else this.byDate.set(session.wake_date, [session]);
    }
  }

  /** The main sessions of the provider's best source with this wake date. */
  ownSessions(provider: string, date: string): RecoverySession[] {
    const own = (this.byDate.get(date) ?? []).filter((session) => session.provider === provider && !session.is_nap);
    return rankedSources(own, this.priorities)[0] ?? [];
  }

  /** The night of all of the provider's main sessions; without any, that of the best source of the sleep summary. */
  night(provider: string, date: string): Night | undefined {
    const key = `${date} ${provider}`;
    if (!this.known.has(key)) this.known.set(key, this.find(provider, date));
    return this.known.get(key);
  }

  /** Whether any source recorded a night near this date. */
  anyNear(date: string): boolean {
    return this.around(date, REACH_DAYS).some((near) => this.byDate.get(near)?.some((session) => !session.is_nap));
  }

  /** The nights near a date that are not its own. */
  others(provider: string, date: string): Night[] {
    return this.around(date, REACH_DAYS).flatMap((near) => {
      const night = near === date ? undefined : this.night(provider, near);
      return night ? [night] : [];
    });
  }

  /** Wake dates of the nights around which an instant of a local date lies, margins included. */
  claims(provider: string, localDate: string, ms: number): string[] {
    return this.around(localDate, REACH_DAYS).filter((date) => {
      const night = this.night(provider, date);
      return night !== undefined && isNear(night, ms);
    });
  }

  /** The dates up to one or two days away from a date, itself included, in order. */
  around(date: string, days: 1 | 2): readonly string[] {
    const near = this.datesNear[days - 1] as Map<string, readonly string[]>;
    let dates = near.get(date);
    if (!dates) {
      const middle = dayNumber(date) ?? 0;
      dates = Array.from({ length: 2 * days + 1 }, (_, at) => fromDayNumber(middle - days + at));
      near.set(date, dates);
    }
    return dates;
  }

  private find(provider: string, date: string): Night | undefined {
    const day = this.byDate.get(date);
    if (!day) return undefined;
    const own = day.filter((session) => session.provider === provider && !session.is_nap);
    if (own.length > 0) return spanOf(own, undefined);
    const best = rankedSources(day, this.priorities)[0]?.filter((session) => !session.is_nap) ?? [];
    return best.length > 0 ? spanOf(best, best[0]?.source_id) : undefined;
  }
}

/** Whether an instant is in a night or in the margins within which vendors stamp what they say about it. */
export function isNear(night: Night, ms: number): boolean {
  return ms >= night.fromMs - BEFORE_NIGHT_MS && ms < night.toMs + AFTER_NIGHT_MS;
}

/** Nights as a multirange of instants in SQL, with or without their margins. */
export function multirange(nights: readonly Night[], withMargins: boolean): string {
  const [before, after] = withMargins ? [BEFORE_NIGHT_MS, AFTER_NIGHT_MS] : [0, 0];
  const text = (ms: number) => new Date(ms).toISOString();
  return `{${nights.map(({ fromMs, toMs }) => `[${text(fromMs - before)},${text(toMs + after)})`).join(',')}}`;
}

function spanOf(sessions: readonly RecoverySession[], lender: number | undefined): Night {
  return {
    fromMs: Math.min(...sessions.map((session) => session.start_at.getTime())),
    toMs: Math.max(...sessions.map((session) => session.end_at.getTime())),
    lender,
  };
}
