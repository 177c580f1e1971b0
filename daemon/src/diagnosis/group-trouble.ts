import type { TroubledOrder } from '@healthd/contract';
import type { ProviderId } from '@healthd/model';
import type { Provider } from '@healthd/providers';
import type { DiagnosisCause } from '@healthd/schemas';
import type pg from 'pg';
import type { Connection } from '../connections/index.js';
import { decodeInstantCursor, encodeInstantCursor } from '../platform/instant-cursor.js';
import { factsOf, type InstantOf, type ProviderState } from './signature-facts.js';
import { INSTANTS, type SignatureRow, signatures, type TroubledRow, troubledUsers } from './trouble.sql.js';
import { readTrends, type TrendPoint } from './trouble-history.js';
import { PHONE_SILENT_MS, type Verdict, verdictOf } from './verdict.js';

export interface TroubleServices {
  pool: pg.Pool;
  providers: readonly Provider[];
  isConfigured(provider: ProviderId): boolean;
  settingOf(provider: ProviderId): Promise<{ isEnabled: boolean; isNotified: boolean }>;
  missingDataTypes(connection: Connection): readonly string[];
  webhookSilenceMs: number;
  now(): Date;
}

/** Connections with the same cause at the same provider. */
interface TroubleGroup extends Pick<Verdict, 'cause' | 'severity' | 'remedy'> {
  provider: Provider;
  connections: number;
  firstSince: Date | undefined;
  lastSince: Date | undefined;
  details: readonly string[];
  /** Numbers of connections over the last week, oldest first, without the current number. */
  trend: readonly TrendPoint[];
}

/** All connection problems at one time, grouped by cause. */
export interface Trouble {
  at: Date;
  working: number;
  groups: readonly TroubleGroup[];
}

/** A user in a group. The times belong to the user's connection to the group's provider. */
export interface TroubledUser extends Pick<TroubledRow, 'user_id' | 'first_name' | 'last_name' | 'email'> {
  since: Date | undefined;
  lastSyncedAt: Date | undefined;
}

/** Filter for the users of a group. */
export interface TroubledUsersQuery {
  provider: ProviderId;
  cause: DiagnosisCause;
  order: TroubledOrder;
  limit: number;
  /** `nextCursor` of the previous page. */
  after?: string | undefined;
}

/** A {@link SignatureRow} with the diagnosis of its earliest connection. */
interface DiagnosedSignature {
  row: SignatureRow;
  state: ProviderState;
  verdict: Verdict;
}

/** A detail of a diagnosis, and the number of connections with it. */
interface Detail {
  detail: string;
  connections: number;
}

/** Lifetime of a cached result. Every query scans all connections, so readers share one result. */
const CACHE_MS = 20_000;
/** A vendor counts as silent after this many of its usual intervals between notifications. */
const SILENCES = 3;
const DETAILS_SHOWN = 3;
const USERS = { latest: troubledUsers('latest'), created_at: troubledUsers('created_at') };
const RANK = { problem: 0, attention: 1, ok: 2 };

/** Problems of all users, grouped by cause. A single user's diagnosis uses the same rule. */
export class TroubleGroups {
  #kept: { at: number; trouble: Promise<Trouble> } | undefined;

  constructor(private readonly services: TroubleServices) {}

  /** Returns the problems, at most 20 seconds old. */
  all(): Promise<Trouble> {
    const now = this.services.now().getTime();
    if (!this.#kept || now - this.#kept.at >= CACHE_MS) {
      const trouble = this.read();
      this.#kept = { at: now, trouble };
      trouble.catch(() => {
        this.#kept = undefined;
      });
    }
    return this.#kept.trouble;
  }

  /** Returns one page of a group's current users. @throws Failure `unprocessable` for an invalid cursor */
  async users({
    provider,
    cause,
    order,
    limit,
    after,
  }: TroubledUsersQuery): Promise<{ total: number; items: TroubledUser[]; nextCursor: string | undefined }> {
    const place = after === undefined ? undefined : decodeInstantCursor(order, after, 'after');
    const at = this.services.now();
    const diagnosed = (await this.judged(at)).filter(
      (one) => one.row.provider === provider && one.verdict.cause === cause,
    );
    const parameters = await this.parameters(at);
    const { rows } = await this.services.pool.query<TroubledRow>(
      USERS[order]([
        ...parameters,
        diagnosed.map(({ row }) => row.signature),
        provider,
        limit + 1,
        place?.micros ?? null,
        place?.id ?? null,
      ]),
    );
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? page.at(-1) : undefined;
    return {
      total: diagnosed.reduce((sum, { row }) => sum + row.connections, 0),
      nextCursor: last && encodeInstantCursor(order, { micros: last.position_micros, id: last.user_id }),
      items: page.map((row) => {
        const own = diagnosed.find((one) => one.row.signature === row.signature);
        return {
          ...row,
          since: own && this.judge(own.row, own.state, at, (name) => instantOf(row, name)).since,
          lastSyncedAt: row.last_synced_at ?? undefined,
        };
      }),
    };
  }

  private async read(): Promise<Trouble> {
    const at = this.services.now();
    const groups = new Map<string, TroubleGroup & { found: Detail[] }>();
    let working = 0;
    for (const { row, state, verdict } of await this.judged(at)) {
      if (verdict.severity === 'ok') {
        working += row.connections;
        continue;
      }
      const key = `${row.provider} ${verdict.cause}`;
      const latest = this.judge(row, state, at, (name) => parsed(row.latest[name])).since;
      const known = groups.get(key);
      groups.set(key, {
        cause: verdict.cause,
        severity: verdict.severity,
        remedy: verdict.remedy,
        provider: state.provider,
        connections: (known?.connections ?? 0) + row.connections,
        firstSince: earlier(known?.firstSince, verdict.since),
        lastSince: later(known?.lastSince, latest),
        details: [],
        trend: [],
        found: [
          ...(known?.found ?? []),
          { detail: verdict.details.filter(Boolean).join(', '), connections: row.connections },
        ],
      });
    }
    const sorted = [...groups.values()].sort(
      (a, b) => RANK[a.severity] - RANK[b.severity] || b.connections - a.connections,
    );
    const trendOf = await readTrends(this.services.pool, at);
    return {
      at,
      working,
      groups: sorted.map(({ found, ...group }) => ({ ...group, details: mostFrequent(found), trend: trendOf(group) })),
    };
  }

  private async judged(at: Date): Promise<DiagnosedSignature[]> {
    const states = new Map((await this.states()).map((state) => [state.provider.id as string, state]));
    const { rows } = await this.services.pool.query<SignatureRow>(signatures(await this.parameters(at)));
    return rows.flatMap((row) => {
      const state = states.get(row.provider);
      if (!state) return [];
      return [{ row, state, verdict: this.judge(row, state, at, (name) => parsed(row.earliest[name])) }];
    });
  }

  private judge(row: SignatureRow, state: ProviderState, at: Date, instant: InstantOf): Verdict {
    return verdictOf(
      factsOf(row, state, at, instant, (connection) => this.services.missingDataTypes(connection)),
      at,
    );
  }

  private states(): Promise<ProviderState[]> {
    const { providers, isConfigured, settingOf } = this.services;
    return Promise.all(
      providers.map(async (provider) => ({
        provider,
        isConfigured: isConfigured(provider.id),
        isEnabled: (await settingOf(provider.id)).isEnabled,
      })),
    );
  }

  private async parameters(at: Date): Promise<[Date, Date, Date, string[]]> {
    const { providers, settingOf, webhookSilenceMs } = this.services;
    const uses = await Promise.all(providers.map(async ({ id }) => ({ id, use: await settingOf(id) })));
    return [
      at,
      new Date(at.getTime() - PHONE_SILENT_MS),
      new Date(at.getTime() - SILENCES * webhookSilenceMs),
      uses.filter(({ use }) => use.isNotified).map(({ id }) => id),
    ];
  }
}

function instantOf(row: TroubledRow, name: string): Date | undefined {
  const known = INSTANTS.find((one) => one === name);
  return (known && row[known]) ?? undefined;
}

function parsed(text: string | null | undefined): Date | undefined {
  return text ? new Date(text) : undefined;
}

function earlier(a: Date | undefined, b: Date | undefined): Date | undefined {
  return a && b ? (a < b ? a : b) : (a ?? b);
}

function later(a: Date | undefined, b: Date | undefined): Date | undefined {
  return a && b ? (a > b ? a : b) : (a ?? b);
}

/** Returns the most frequent details, by number of connections. */
function mostFrequent(found: readonly Detail[]): string[] {
  const counts = new Map<string, number>();
  for (const { detail, connections } of found) {
    if (detail) counts.set(detail, (counts.get(detail) ?? 0) + connections);
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, DETAILS_SHOWN)
    .map(([detail]) => detail);
}
