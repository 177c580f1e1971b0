import type { SourceIdentity } from '@healthd/model';
import { type AppSource, appOf, identityOf, isSameApp } from './app-source.js';

/** Reverse DNS, as `io.strongapp.strong`. Names for people have a space or no dot. */
const BUNDLE_ID = /^[A-Za-z0-9-]+(\.[A-Za-z0-9_-]+)+$/;

/** One app on one device, as an export and as a phone gives it. */
export interface SourceAlias {
  named: AppSource;
  /** By bundle id. */
  bundled: AppSource;
}

/**
 * The pairs that may turn out to be one source: a name and a bundle id, on one device or where one of the two names no
 * device. Where an app names no device, exports give none and phones give themselves. A name has one bundle id, and a
 * bundle id one name.
 */
export function openPairs<App extends AppSource>(
  apps: readonly App[],
  learnt: readonly SourceAlias[],
): { named: App; bundled: App }[] {
  const left = apps.filter((app) => !learnt.some(({ bundled }) => isSameApp(bundled, app)));
  const isId = ({ writer }: AppSource) => BUNDLE_ID.test(writer);
  return left
    .filter((app) => !isId(app))
    .flatMap((named) => left.filter(isId).map((bundled) => ({ named, bundled })))
    .filter(
      ({ named, bundled }) =>
        isSameDevice(named, bundled) && !learnt.some((known) => contradicts(known, { named, bundled })),
    );
}

function isSameDevice(a: AppSource, b: AppSource): boolean {
  return a.deviceModel === b.deviceModel || a.deviceModel === '' || b.deviceModel === '';
}

/** Whether two pairs give one name two bundle ids, one bundle id two names, or one source of a phone two others. */
export function contradicts(a: SourceAlias, b: SourceAlias): boolean {
  const isOneName = a.named.writer === b.named.writer;
  return (
    isOneName !== (a.bundled.writer === b.bundled.writer) ||
    (isSameApp(a.bundled, b.bundled) && !isSameApp(a.named, b.named))
  );
}

/**
 * The source that a source of a batch is: itself, or the named one that it was learnt to be. The named one is described by
 * exports alone: a phone that holds an app is not the device that measured.
 */
export function knownSource(source: SourceIdentity, aliases: readonly SourceAlias[]): SourceIdentity {
  const app = appOf(source);
  const alias = app && aliases.find(({ bundled }) => isSameApp(bundled, app));
  return alias ? identityOf(alias.named) : source;
}
