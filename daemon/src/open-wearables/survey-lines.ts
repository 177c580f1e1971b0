import type { Survey } from './survey.js';

/** Numbers of the source's items that already exist here. */
export interface ExistingCounts {
  users: number;
  apiKeys: number;
  /** Number of the source's users who were erased here. */
  erased: number;
}

/** True for a provider whose cloud or phone app this service supports. */
export type HasAdapter = (provider: string) => boolean;

/** Formats a survey for the terminal: data to copy, and unsupported data with reasons. */
export function surveyLines(survey: Survey, here: ExistingCounts, hasAdapter: HasAdapter): string[] {
  const { events, archival } = survey;
  const samples = [...survey.samples.values()].reduce((sum, count) => sum + count, 0);
  return [
    'To copy:',
    row('Users', survey.users, here.users > 0 ? `${figure(here.users)} already exist in this service` : undefined),
    row('Personal records', survey.personalRecords),
    ...survey.connections.map(({ provider, status, count, withTokens }) => {
      const tokens = status === 'active' && withTokens > 0 ? `${figure(withTokens)} with tokens` : 'without tokens';
      const adapter = hasAdapter(provider) ? '' : '; kept, but this version does not sync the provider';
      return row(`Connections, ${provider} ${status}`, count, tokens + adapter);
    }),
    row(
      'API keys',
      survey.apiKeys,
      here.apiKeys > 0 ? `${figure(here.apiKeys)} already exist in this service` : undefined,
    ),
    row('Samples', samples),
    ...[...survey.samples].map(([code, count]) => row(`  ${code}`, count)),
    row('Archived days', survey.archivedDays),
    row('Nights and naps', events.sleep),
    row('Workouts', events.workout),
    row('Menstrual cycles', events.menstrual_cycle),
    row('Health scores', survey.healthScores),
    ...leftLines(survey, here),
    ...archivalLines(archival),
  ];
}

function leftLines({ left }: Survey, { erased }: ExistingCounts): string[] {
  const reasons = new Map(left);
  if (erased > 0) reasons.set('users who were erased here', erased);
  if (reasons.size === 0) return ['Everything is copied.'];
  return ['Not copied:', ...[...reasons].map(([reason, count]) => `  ${figure(count).padStart(9)} ${reason}`)];
}

/**
 * Formats the source's archival settings. They are only shown, not copied, because they would delete samples
 * unexpectedly.
 */
function archivalLines({ archiveAfterDays, deleteAfterDays }: Survey['archival']): string[] {
  if (archiveAfterDays === null && deleteAfterDays === null) return [];
  const set = [
    ...(archiveAfterDays === null ? [] : [`archived after ${archiveAfterDays} days`]),
    ...(deleteAfterDays === null ? [] : [`deleted after ${deleteAfterDays} days`]),
  ];
  return [
    `In the source, samples are ${set.join(' and ')}. Here they are kept until you change the archival settings.`,
  ];
}

function row(name: string, count: number, remark?: string): string {
  return `  ${name.padEnd(36)} ${figure(count).padStart(13)}${remark === undefined ? '' : `  (${remark})`}`;
}

export function figure(count: number): string {
  return count.toLocaleString('en-US');
}
