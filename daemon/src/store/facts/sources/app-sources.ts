import type { ProviderId } from '@healthd/model';

/** The one store of which exports name the apps and phones give bundle ids. */
const PROVIDER: ProviderId = 'apple';
/** Reverse DNS, as `io.strongapp.strong`. Names for people have a space or no dot. */
const BUNDLE_ID = /^[A-Za-z0-9-]+(\.[A-Za-z0-9_-]+)+$/;

/** An app that wrote into the store, on one device. */
export interface AppSource {
  provider: ProviderId;
  /** Name or bundle id of the app. */
  writer: string;
  /** Empty for none. */
  deviceModel: string;
}

/** One app on one device, as an export and as a phone gives it. */
export interface SourceAlias {
  named: AppSource;
  /** By bundle id. */
  told: AppSource;
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

export function isSameApp(a: AppSource, b: AppSource): boolean {
  return a.provider === b.provider && a.writer === b.writer && a.deviceModel === b.deviceModel;
}

/**
 * The pairs that may turn out to be one source: a name and a bundle id, on one device or where one of the two tells no
 * device, as exports do where an app names none and phones give themselves. A name has one bundle id, and the other way.
 */
export function openPairs(apps: readonly AppSource[], learnt: readonly SourceAlias[]): SourceAlias[] {
  const left = apps.filter((app) => !learnt.some(({ told }) => isSameApp(told, app)));
  const isId = ({ writer }: AppSource) => BUNDLE_ID.test(writer);
  return left
    .filter((app) => !isId(app))
    .flatMap((named) => left.filter(isId).map((told) => ({ named, told })))
    .filter(
      ({ named, told }) => isSameDevice(named, told) && !learnt.some((known) => contradicts(known, { named, told })),
    );
}

function isSameDevice(a: AppSource, b: AppSource): boolean {
  return a.deviceModel === b.deviceModel || a.deviceModel === '' || b.deviceModel === '';
}

/** Whether two pairs give one name two bundle ids, one bundle id two names, or one source of a phone two others. */
export function contradicts(a: SourceAlias, b: SourceAlias): boolean {
  const isOneName = a.named.writer === b.named.writer;
  return isOneName !== (a.told.writer === b.told.writer) || (isSameApp(a.told, b.told) && !isSameApp(a.named, b.named));
}
