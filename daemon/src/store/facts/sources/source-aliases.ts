import type { SourceIdentity } from '@healthd/model';
import { type AppSource, appOf, identityOf, isSameApp } from './app-source.js';

/** Reverse DNS name, such as `io.strongapp.strong`. Display names contain a space or no dot. */
const BUNDLE_ID = /^[A-Za-z0-9-]+(\.[A-Za-z0-9_-]+)+$/;

/** One app on one device: its name in exports and its bundle id on phones. */
export interface SourceAlias {
  named: AppSource;
  /** Identified by bundle id. */
  bundled: AppSource;
}

/**
 * Returns pairs of a name and a bundle id that may be the same source: both sources are on one device, or at least one
 * source has no device. If an app reports no device, exports contain no device, while phones report themselves as the
 * device. Excludes pairs that contradict a detected alias: a name has one bundle id, and a bundle id has one name.
 */
export function openPairs<App extends AppSource>(
  apps: readonly App[],
  detected: readonly SourceAlias[],
): { named: App; bundled: App }[] {
  const left = apps.filter((app) => !detected.some(({ bundled }) => isSameApp(bundled, app)));
  const isId = ({ writer }: AppSource) => BUNDLE_ID.test(writer);
  return left
    .filter((app) => !isId(app))
    .flatMap((named) => left.filter(isId).map((bundled) => ({ named, bundled })))
    .filter(
      ({ named, bundled }) =>
        isSameDevice(named, bundled) && !detected.some((known) => contradicts(known, { named, bundled })),
    );
}

function isSameDevice(a: AppSource, b: AppSource): boolean {
  return a.deviceModel === b.deviceModel || a.deviceModel === '' || b.deviceModel === '';
}

/** True if the pairs map one name to two bundle ids, one bundle id to two names, or one phone source to two sources. */
export function contradicts(a: SourceAlias, b: SourceAlias): boolean {
  const isOneName = a.named.writer === b.named.writer;
  return (
    isOneName !== (a.bundled.writer === b.bundled.writer) ||
    (isSameApp(a.bundled, b.bundled) && !isSameApp(a.named, b.named))
  );
}

/**
 * Returns the named source if the source was detected as its alias, otherwise the source itself. Drops the alias's
 * device facts, because a phone reports itself as the device, not the device that measured.
 */
export function knownSource(source: SourceIdentity, aliases: readonly SourceAlias[]): SourceIdentity {
  const app = appOf(source);
  const alias = app && aliases.find(({ bundled }) => isSameApp(bundled, app));
  return alias ? identityOf(alias.named) : source;
}
