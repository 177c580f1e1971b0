import type { ProviderId, SourceIdentity } from '@healthd/model';

/** The only store whose exports contain app names while its phones report bundle ids. */
const PROVIDER: ProviderId = 'apple';

/** An app on one device that wrote to the store. */
export interface AppSource {
  provider: ProviderId;
  /** Name or bundle id of the app. */
  writer: string;
  /** Empty if unknown. */
  deviceModel: string;
}

/**
 * Returns the app of a source for a {@link SourceAlias}. Returns undefined for devices' own data and for other stores.
 */
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

/** True if both sources are the same app on the same device. */
export function isSameApp(a: AppSource, b: AppSource): boolean {
  return a.provider === b.provider && a.writer === b.writer && a.deviceModel === b.deviceModel;
}

/** Returns the identity of an app's source. */
export function identityOf({ provider, writer, deviceModel }: AppSource): SourceIdentity {
  return { provider, writer, deviceModel: deviceModel || undefined, originalSourceName: writer };
}
