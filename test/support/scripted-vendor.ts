import {
  batchOf,
  type HealthRecord,
  MS_PER_DAY,
  MS_PER_HOUR,
  MS_PER_MINUTE,
  RejectionTally,
  seriesTypeByCode,
} from '@healthd/model';
import {
  type CloudProvider,
  type Provider,
  type PullDataType,
  providerById,
  type TimeRange,
  VendorError,
  type VendorFailure,
  type WindowReading,
} from '@healthd/providers';

/** Scopes of the generated vendor. */
const SCOPES = { activity: 'activity', heart: 'heart' } as const;

const SERIES = { steps: seriesTypeByCode('steps').id, pulse: seriesTypeByCode('heart_rate').id };

const samples = (typeId: number) => ({ of: 'samples', typeIds: [typeId] }) as const;

/** Two data types for samples and one data type for workouts. Workouts have no notifications. */
const DATA_TYPES: readonly PullDataType[] = [
  {
    id: 'steps',
    part: '247',
    scopes: [SCOPES.activity],
    latenessMs: 2 * MS_PER_DAY,
    notified: true,
    stored: samples(SERIES.steps),
  },
  {
    id: 'pulse',
    part: '247',
    scopes: [SCOPES.heart],
    latenessMs: 2 * MS_PER_DAY,
    notified: true,
    stored: samples(SERIES.pulse),
  },
  {
    id: 'runs',
    part: 'workouts',
    scopes: [SCOPES.activity],
    latenessMs: 3 * MS_PER_DAY,
    notified: false,
    stored: { of: 'workouts' },
  },
];

/** A generated vendor account and its faults. An adapter reads the account without a network. */
export class ScriptedVendor {
  /** Values by data type and instant. */
  readonly truth = new Map<string, Map<number, number>>(DATA_TYPES.map(({ id }) => [id, new Map()]));
  /** Windows of all reads that were started. */
  readonly calls: { dataType: string; window: TimeRange }[] = [];
  accountCalls = 0;
  /** Returns the fault of a read, or undefined for a successful read. */
  fault: (dataType: string, window: TimeRange) => VendorFailure | Error | undefined = () => undefined;
  /** Runs while a read is in progress. */
  meanwhile: (dataType: string, window: TimeRange) => Promise<void> = async () => {};
  accountFault: () => VendorFailure | undefined = () => undefined;
  /** Maximum length of the window of one read. */
  windowMs = MS_PER_DAY;

  put(dataType: string, at: string, value: number): void {
    this.truth.get(dataType)?.set(Date.parse(at), value);
  }

  remove(dataType: string, at: string): void {
    this.truth.get(dataType)?.delete(Date.parse(at));
  }

  callsOf(dataType: string): TimeRange[] {
    return this.calls.filter((call) => call.dataType === dataType).map(({ window }) => window);
  }

  /** Returns a provider that reads this account, with Oura's ID and with Google's webhook, coverage and terms. */
  provider(): Provider {
    const google = providerById('google');
    if (!google?.cloud?.webhook) throw new Error('the webhook of a real provider is needed');
    const cloud: CloudProvider = {
      settingsPrefix: 'SCRIPTED',
      settings: [],
      addresses: { api: 'http://127.0.0.1:9', authorize: 'http://127.0.0.1:9', token: 'http://127.0.0.1:9' },
      quotas: { perUserAndMinute: 1_000, perApplicationAndMinute: 1_000 },
      maxResponseBytes: 1_000,
      readError: () => undefined,
      oauth: {
        defaultScope: 'activity heart',
        pkce: false,
        clientAuthentication: 'body',
        authorizeParameters: {},
        accessTokenSeconds: 3_600,
        identify: async () => ({ userId: 'vendor-1' }),
      },
      webhook: { ...google.cloud.webhook, dataTypes: DATA_TYPES.map(({ id }) => id) },
      pull: {
        dataTypes: DATA_TYPES,
        account: async (_api, scopes) => {
          this.accountCalls += 1;
          const fault = this.accountFault();
          if (fault) throw new VendorError(fault);
          return { timeZone: 'UTC', scopes };
        },
        windows: (_type, range) => this.windows(range),
        read: async (_api, dataType, window) => {
          const reading = this.read(dataType, window);
          await this.meanwhile(dataType, window);
          return reading;
        },
      },
    };
    return {
      id: 'oura',
      displayName: 'Invented',
      capabilities: { oauth: true, pull: true, push: false, file: false, webhook: true },
      coverage: google.coverage,
      terms: google.terms,
      cloud,
    };
  }

  private windows({ startMs, endMs }: TimeRange): TimeRange[] {
    const windows: TimeRange[] = [];
    const firstMs = Math.floor(startMs / MS_PER_HOUR) * MS_PER_HOUR;
    for (let atMs = Math.ceil(endMs / MS_PER_HOUR) * MS_PER_HOUR; atMs > firstMs; atMs -= this.windowMs) {
      windows.push({ startMs: Math.max(firstMs, atMs - this.windowMs), endMs: atMs });
    }
    return windows;
  }

  private read(dataType: string, window: TimeRange): WindowReading {
    this.calls.push({ dataType, window });
    const fault = this.fault(dataType, window);
    if (fault) throw fault instanceof Error ? fault : new VendorError(fault);
    const source = { provider: 'oura', writer: 'invented' } as const;
    const found = [...(this.truth.get(dataType) ?? [])].filter(([at]) => at >= window.startMs && at < window.endMs);
    const records = found.map(([startMs, value]): HealthRecord => {
      if (dataType === 'runs') {
        return {
          kind: 'workout',
          source,
          type: 'running',
          startMs,
          endMs: startMs + value * MS_PER_MINUTE,
          offsetMinutes: 0,
        };
      }
      const typeId = SERIES[dataType as keyof typeof SERIES];
      return { kind: 'sample', source, typeId, startMs, value, sampleKind: 'sample', offsetMinutes: 0 };
    });
    const base = { kind: 'replacement', provider: 'oura', writer: 'invented', ...window } as const;
    const replacement: HealthRecord =
      dataType === 'runs'
        ? { ...base, of: 'workouts' }
        : { ...base, of: 'samples', typeIds: [SERIES[dataType as keyof typeof SERIES]] };
    return {
      batch: batchOf([replacement, ...records]),
      rejections: new RejectionTally().report,
      received: records.length,
      noValue: 0,
      superseded: 0,
    };
  }
}
