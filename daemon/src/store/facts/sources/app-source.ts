import type { ProviderId, SourceIdentity } from '@healthd/model';

/** The one store of which exports name the apps and phones give bundle ids. */
const PROVIDER: ProviderId = 'apple';

/** An app that wrote into the store, on one device. */
export interface AppSource {
  provider: ProviderId;
  /** Name or bundle id of the app. */
  writer: string;
  /** Empty for none. */
  deviceModel: string;
}

/** What may be one side of a {@link SourceAlias}; undefined for devices' own data and for other stores. */
export function appOf(source: {
  provider: ProviderId;
  writer?: string | null | undefined;
  deviceModel?: string | null | undefined;
  deviceId?: string | null | undefined;
}): AppSource | undefined {
  const { provider, writer, deviceModel, deviceId } = source;
  if (provider !== PROVIDER || !writer || deviceId) return undefined;
  return { provider, writer, deviceModel: deviceModel ?? '' };
}

/** Whether two are one app on one device. */
export function isSameApp(a: AppSource, b: AppSource): boolean {
  return a.provider === b.provider && a.writer === b.writer && a.deviceModel === b.deviceModel;
}

/** The source that an app is. */
export function identityOf({ provider, writer, deviceModel }: AppSource): SourceIdentity {
  return { provider, writer, deviceModel: deviceModel || undefined, originalSourceName: writer };
}
