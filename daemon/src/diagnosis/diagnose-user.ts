import { MS_PER_DAY, PROFILE_VALUE_COLUMNS, type ProviderId } from '@healthd/model';
import type { Provider } from '@healthd/providers';
import type pg from 'pg';
import type { Connection } from '../connections/index.js';
import type { ProviderFacts } from './provider-facts.js';
import { sentenceOf } from './sentence.js';
import {
  type FailingTypeRow,
  failingTypes,
  type LastDataRow,
  lastData,
  type OpenRunRow,
  openRuns,
  type PushedRow,
  pushed,
  type UnplacedTypeRow,
  type UserFactsRow,
  unplacedTypes,
  userFacts,
} from './stored-facts.sql.js';
import { type Verdict, verdictOf } from './verdict.js';

/** Time for which rejections because of an unknown time zone are reported. */
const UNPLACED_MS = 30 * MS_PER_DAY;

export interface DiagnosisServices {
  pool: pg.Pool;
  providers: readonly Provider[];
  connectionsOf(userKey: number): Promise<Connection[]>;
  isConfigured(provider: ProviderId): boolean;
  isEnabled(provider: ProviderId): Promise<boolean>;
  missingDataTypes(connection: Connection): readonly string[];
  /** False for a vendor without notifications. */
  isWebhookStale(connection: Connection): Promise<boolean>;
  nextPollAt(connection: Connection): Promise<Date | undefined>;
  now(): Date;
}

/** The diagnosis of one provider of a user, with its facts. */
interface ProviderDiagnosis {
  facts: ProviderFacts;
  verdict: Verdict;
  /** Text for support staff, with times in {@link Diagnosis.zone}. */
  sentence: string;
}

export interface Diagnosis {
  at: Date;
  /** The user's time zone if known, otherwise UTC. */
  zone: string;
  isZoneKnown: boolean;
  providers: ProviderDiagnosis[];
}

/**
 * Diagnoses whether a user's data arrives, for each provider with a connection, data or an open run. If there is no
 * such provider, covers every provider that the user could connect. Sorts the most severe cause first.
 * @param only the only provider to diagnose, even if the user does not use it yet
 */
export async function diagnoseUser(
  services: DiagnosisServices,
  userKey: number,
  only?: ProviderId,
): Promise<Diagnosis> {
  const { pool, providers } = services;
  const at = services.now();
  const [connections, last, failing, open, pushes, users] = await Promise.all([
    services.connectionsOf(userKey),
    pool.query<LastDataRow>(lastData([userKey, ...PROFILE_VALUE_COLUMNS, at])),
    pool.query<FailingTypeRow>(failingTypes([userKey])),
    pool.query<OpenRunRow>(openRuns([userKey, at])),
    pool.query<PushedRow>(pushed([userKey])),
    pool.query<UserFactsRow>(userFacts([userKey])),
  ]);
  const user = users.rows[0];
  const isZoneUnknown = !user?.time_zone && user?.has_offsets === false;
  const unplaced = isZoneUnknown
    ? (await pool.query<UnplacedTypeRow>(unplacedTypes([userKey, new Date(at.getTime() - UNPLACED_MS)]))).rows
    : [];
  const zone = user?.time_zone ?? 'UTC';
  const seen = new Set([...connections, ...last.rows, ...open.rows].map(({ provider }) => provider as string));
  const concerned = seen.size > 0 ? ({ id }: Provider) => seen.has(id) : canConnect(services);
  const shown = providers.filter(only === undefined ? concerned : ({ id }) => id === only);
  const diagnoses = await Promise.all(
    shown.map(async (provider): Promise<ProviderDiagnosis> => {
      const connection = connections.find((one) => one.provider === provider.id);
      const facts: ProviderFacts = {
        provider: provider.id,
        name: provider.displayName,
        canConnect: provider.capabilities.oauth,
        canPush: provider.capabilities.push,
        hasPushed: pushes.rows.some((row) => row.provider === provider.id),
        isConfigured: services.isConfigured(provider.id),
        isEnabled: await services.isEnabled(provider.id),
        connection,
        missingDataTypes: connection ? services.missingDataTypes(connection) : [],
        dataTypeCount: failing.rows.find((row) => row.provider === provider.id)?.kinds,
        failingDataTypes: failing.rows
          .filter((row) => row.provider === provider.id)
          .map((row) => ({ dataType: row.data_type, error: row.last_error, since: row.since ?? undefined })),
        openRun: openRunOf(open.rows.find((row) => row.provider === provider.id)),
        isWebhookStale: connection?.hasTokens ? await services.isWebhookStale(connection) : false,
        nextPollAt: connection && (await services.nextPollAt(connection)),
        lastDataAt: last.rows.find((row) => row.provider === provider.id)?.last_at,
        archivedBefore: user?.archived_before ?? undefined,
        isZoneUnknown,
        unplacedDataTypes: unplaced.filter((row) => row.provider === provider.id).map(({ data_type }) => data_type),
      };
      const verdict = verdictOf(facts, at);
      return { facts, verdict, sentence: sentenceOf(facts, verdict, zone) };
    }),
  );
  diagnoses.sort((a, b) => RANK[a.verdict.severity] - RANK[b.verdict.severity]);
  return { at, zone, isZoneKnown: Boolean(user?.time_zone), providers: diagnoses };
}

const RANK = { problem: 0, attention: 1, ok: 2 };

/** True for providers that a user could connect now: clouds with credentials, and phone apps. */
function canConnect({ isConfigured }: DiagnosisServices) {
  return ({ id, capabilities }: Provider) => (capabilities.oauth ? isConfigured(id) : capabilities.push);
}

function openRunOf(row: OpenRunRow | undefined): ProviderFacts['openRun'] {
  return (
    row && {
      runId: row.run_id,
      createdAt: row.created_at,
      retryReason: row.retry_reason ?? undefined,
      attempt: row.retry_attempt ?? undefined,
      maxAttempts: row.retry_max_attempts ?? undefined,
      nextTryAt: row.next_try_at ?? undefined,
    }
  );
}
