import { GENDERS, isProviderId, SCORE_CATEGORIES, seriesTypeByCode } from '@healthd/model';
import { readApiKeys } from './copy-accounts.js';
import { PROVIDER_SQL, providerOf, type SourceRow } from './migrated-source.js';
import { isOlderVersion, readOlderVersions } from './older-versions.js';
import { EVENT_CATEGORIES, type EventCategory } from './read-events.js';
import { readSeries } from './read-samples.js';
import type { SourceDatabase } from './source-database.js';
import { countIfPresent } from './source-shape.js';

/** Contents of a source. All numbers are row counts. */
export interface Survey {
  users: number;
  personalRecords: number;
  connections: { provider: string; status: string; withTokens: number; count: number }[];
  apiKeys: number;
  /** Samples by series code, most frequent first. */
  samples: Map<string, number>;
  archivedDays: number;
  events: Record<EventCategory, number>;
  healthScores: number;
  /** Row counts of data that is not copied, by reason, in the order in which it was found. */
  left: Map<string, number>;
  archival: { archiveAfterDays: number | null; deleteAfterDays: number | null };
}

/** Tables that are not copied, with the reason and the action to take. */
const UNCOPIED_TABLES = {
  developer: 'developer accounts: their passwords cannot be moved; invite them again',
  application: 'applications: their secrets cannot be moved; create them again',
  refresh_token: 'sessions of developers and phones: they log in again',
  invitation: 'invitations of developers: invite them again',
  user_invitation_code: 'invitation codes of users: issue them again',
  provider_settings: 'settings of providers: set them again',
};

/** A group of rows of one provider. Either all of its rows have a user, or no row has a user. */
type Group<More> = Pick<SourceRow, 'provider' | 'source' | 'original_source_name'> & {
  is_orphan: boolean;
  count: number;
} & More;

// If the provider is missing, also groups by the source's names, because they may identify it.
const GROUP = `u.id is null as is_orphan, ds.provider,
  case when coalesce(ds.provider, '') in ('', 'unknown') then ds.source end as source,
  case when coalesce(ds.provider, '') in ('', 'unknown') then ds.original_source_name end as original_source_name,
  count(*)::float8 as count`;
const OWNER = `left join (select ds.id, ds.user_id, ds.source, ds.original_source_name, ${PROVIDER_SQL} as provider from data_source ds) ds
  on ds.id = r.data_source_id left join "user" u on u.id = ds.user_id`;

/** Counts the contents of the source, divided into data that can and cannot be copied. */
export async function surveySource(source: SourceDatabase): Promise<Survey> {
  const left = new Map<string, number>();
  const leave = (reason: string, count: number) => {
    if (count > 0) left.set(reason, (left.get(reason) ?? 0) + count);
  };
  const { keys, unusable } = await readApiKeys(source);
  const [totals] = await source.query<{ users: number; personal: number; genders: number }>(
    `select (select count(*)::float8 from "user") as users,
            (select count(*)::float8 from personal_record p join "user" u on u.id = p.user_id) as personal,
            (select count(*)::float8 from personal_record where gender <> all ($1::text[])) as genders`,
    [GENDERS],
  );
  const survey: Survey = {
    users: totals?.users ?? 0,
    personalRecords: totals?.personal ?? 0,
    apiKeys: keys.length,
    connections: await surveyConnections(source, leave),
    samples: await surveySamples(source, leave),
    archivedDays: await surveyArchive(source, leave),
    events: await surveyEvents(source, leave),
    healthScores: await surveyScores(source, leave),
    archival: await readArchival(source),
    left,
  };
  leave('unsupported genders', totals?.genders ?? 0);
  leave('API keys that do not start with sk-, or whose hash is not a SHA-256: create them again', unusable);
  for (const [table, reason] of Object.entries(UNCOPIED_TABLES))
    leave(reason, (await countIfPresent(source, table)) ?? 0);
  return survey;
}

type ReportUnsupported = (reason: string, count: number) => void;

/** True if a group is copied. Otherwise records the reason. */
function isSupported(what: string, group: Group<unknown>, leave: ReportUnsupported): boolean {
  if (group.is_orphan) leave(`${what} that belong to no user`, group.count);
  else if (providerOf(group) === undefined) {
    leave(
      `${what} of ${group.provider ? `the unsupported provider ${group.provider}` : 'an unsupported provider'}`,
      group.count,
    );
  } else return true;
  return false;
}

async function surveyConnections(source: SourceDatabase, leave: ReportUnsupported): Promise<Survey['connections']> {
  const rows = await source.query<{ provider: string; status: string; tokens: number; count: number; orphan: boolean }>(
    `select c.provider, c.status, u.id is null as orphan, count(*)::float8 as count,
            count(*) filter (where c.access_token is not null or c.refresh_token is not null)::float8 as tokens
       from user_connection c left join "user" u on u.id = c.user_id group by 1, 2, 3 order by 1, 2`,
  );
  return rows.flatMap(({ provider, status, tokens, count, orphan }) => {
    const group = { provider, source: null, original_source_name: null, is_orphan: orphan, count };
    return isSupported('connections', group, leave) ? [{ provider, status, withTokens: tokens, count }] : [];
  });
}

async function surveySamples(source: SourceDatabase, leave: ReportUnsupported): Promise<Survey['samples']> {
  const definitions = await source.query<{ id: number; code: string; unit: string }>(
    'select id, code, unit from series_type_definition',
  );
  const byId = new Map(definitions.map((definition) => [definition.id, definition]));
  const rows = await source.query<Group<{ type: number }>>(
    `select r.series_type_definition_id as type, ${GROUP} from data_point_series r ${OWNER} group by 1, 2, 3, 4, 5`,
  );
  const samples = new Map<string, number>();
  for (const row of rows) {
    if (!isSupported('samples', row, leave)) continue;
    const { code = `number ${row.type}`, unit } = byId.get(row.type) ?? {};
    const series = seriesTypeByCode(code);
    if (!series) leave(`samples of the unsupported series ${code}`, row.count);
    else if (series.unit !== unit) leave(`samples of ${code} in ${unit} instead of ${series.unit}`, row.count);
    else samples.set(code, (samples.get(code) ?? 0) + row.count);
  }
  return new Map([...samples].sort(([, a], [, b]) => b - a));
}

async function surveyArchive(source: SourceDatabase, leave: ReportUnsupported): Promise<number> {
  const series = await readSeries(source);
  const rows = await source.query<Group<{ type: number }>>(
    `select r.series_type_definition_id as type, ${GROUP} from data_point_series_archive r ${OWNER}
      group by 1, 2, 3, 4, 5`,
  );
  let count = 0;
  for (const row of rows) {
    if (!isSupported('archived days', row, leave)) continue;
    if (series.has(row.type)) count += row.count;
    else leave('archived days of unsupported series', row.count);
  }
  return count;
}

async function surveyEvents(source: SourceDatabase, leave: ReportUnsupported): Promise<Survey['events']> {
  const events: Survey['events'] = { sleep: 0, workout: 0, menstrual_cycle: 0 };
  const rows = await source.query<Group<{ category: string; is_older: boolean }>>(
    `select r.category, r.is_older, ${GROUP} from (select e.*, ${isOlderVersion('$1')} as is_older from event_record e) r
      ${OWNER} group by 1, 2, 3, 4, 5, 6`,
    [await readOlderVersions(source)],
  );
  for (const row of rows) {
    const category = EVENT_CATEGORIES.find((known) => known === row.category);
    if (!isSupported('events', row, leave)) continue;
    if (category === undefined) leave(`events of the unsupported category ${row.category}`, row.count);
    else if (row.is_older) leave('events that are older versions of another event', row.count);
    else events[category] += row.count;
  }
  return events;
}

async function surveyScores(source: SourceDatabase, leave: ReportUnsupported): Promise<number> {
  const rows = await source.query<{ provider: string; category: string; orphan: boolean; count: number }>(
    `select s.provider, s.category, u.id is null as orphan, count(*)::float8 as count
       from health_score s left join "user" u on u.id = s.user_id group by 1, 2, 3`,
  );
  let copied = 0;
  for (const { provider, category, orphan, count } of rows) {
    const isKnown = isProviderId(provider) && (SCORE_CATEGORIES as readonly string[]).includes(category);
    if (orphan) leave('health scores that belong to no user', count);
    else if (provider === 'internal') leave('scores that Open Wearables computed itself', count);
    else if (isKnown) copied += count;
    else leave(`health scores of ${provider} in the unsupported category ${category}`, count);
  }
  return copied;
}

async function readArchival(source: SourceDatabase): Promise<Survey['archival']> {
  const [row] = await source.query<{ archive: number | null; remove: number | null }>(
    'select archive_after_days as archive, delete_after_days as remove from archival_settings limit 1',
  );
  return { archiveAfterDays: row?.archive ?? null, deleteAfterDays: row?.remove ?? null };
}
