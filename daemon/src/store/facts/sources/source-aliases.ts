import type { ProviderId, SourceIdentity } from '@healthd/model';
import type pg from 'pg';

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
  bundled: AppSource;
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

/** Name of the repair that looks for sources that are one, and joins what is stored of them. */
export const JOIN_SOURCES = 'join_sources';

/** Has the user's sources compared, and what is stored of those that are one joined, by a job. */
export async function requestJoining(client: pg.ClientBase, userKey: number): Promise<void> {
  await client.query(
    `insert into pending_repair (user_key, repair) values ($1, $2) on conflict (user_key, repair) do nothing`,
    [userKey, JOIN_SOURCES],
  );
}

/** What was learnt of the user's sources. */
export async function loadAliases(client: pg.ClientBase, userKey: number): Promise<SourceAlias[]> {
  const { rows } = await client.query<{
    provider: AppSource['provider'];
    writer: string;
    device_model: string;
    named_writer: string;
    named_device_model: string;
  }>(
    `select provider, writer, device_model, named_writer, named_device_model from source_alias where user_key = $1
      order by learnt_at, writer, device_model`,
    [userKey],
  );
  return rows.map((row) => ({
    bundled: { provider: row.provider, writer: row.writer, deviceModel: row.device_model },
    named: { provider: row.provider, writer: row.named_writer, deviceModel: row.named_device_model },
  }));
}

/**
 * Remembers that two sources are one. From now on what arrives under the bundle id is the named source's; what was
 * deleted here stays deleted under that.
 */
export async function addAlias(client: pg.ClientBase, userKey: number, alias: SourceAlias): Promise<void> {
  await client.query(
    `insert into source_alias (user_key, provider, writer, device_model, named_writer, named_device_model)
     values ($1, $2, $3, $4, $5, $6)`,
    valuesOf(userKey, alias),
  );
  await moveTombstones(client, userKey, alias);
}

/** Keeps what was deleted here under the bundle id deleted under the name, by which all of the app arrives from now on. */
export async function moveTombstones(client: pg.ClientBase, userKey: number, alias: SourceAlias): Promise<void> {
  await client.query(
    `update session_tombstone set writer = $5, device_model = nullif($6, '')
      where user_key = $1 and provider = $2 and writer = $3 and coalesce(device_model, '') = $4 and device_id is null`,
    valuesOf(userKey, alias),
  );
}

function valuesOf(userKey: number, { bundled, named }: SourceAlias): (number | string)[] {
  return [userKey, bundled.provider, bundled.writer, bundled.deviceModel, named.writer, named.deviceModel];
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

export function identityOf({ provider, writer, deviceModel }: AppSource): SourceIdentity {
  return { provider, writer, deviceModel: deviceModel || undefined, originalSourceName: writer };
}
