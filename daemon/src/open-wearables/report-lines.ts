import type { MigrationReport } from './migrate-from.js';
import { figure } from './survey-lines.js';

/** Formats a migration's result as lines. */
export function reportLines({ users, profiles, connections, items, rejected, ...report }: MigrationReport): string[] {
  return [
    `Users: ${figure(users.new)} new, ${figure(users.here)} here already, ${figure(users.erased)} erased here and left out.`,
    ...lineIf(
      profiles.updated,
      'users had changed their name, email or external_user_id there, and are up to date here.',
    ),
    ...lineIf(
      profiles.kept,
      'users differ there in fields that stay as they are, because they were changed here or copied by an older version:',
    ),
    ...profiles.shown.map(({ id, fields }) => `  ${id}: ${fields.join(', ')}`),
    ...lineIf(report.droppedExternalIds, 'users have no external_user_id here, because somebody else has it.'),
    `Connections: ${figure(connections.new)} new, ${figure(connections.updated)} brought up to date.`,
    `API keys: ${figure(report.apiKeys)} new.`,
    `Items: ${figure(items.read)} read, ${figure(items.inserted)} new, ${figure(items.updated)} changed, ` +
      `${figure(items.unchanged)} as they were.`,
    ...lineIf(items.duplicates, 'items say what another one says, and count once.'),
    ...lineIf(items.superseded, 'items are stored in more detail already.'),
    ...lineIf(items.archived, 'items lie in days that were archived here.'),
    ...lineIf(items.suppressed, 'items were deleted here, and stay so.'),
    ...lineIf(report.removed, 'items of an earlier copy are not in the source any more, and were removed.'),
    ...[...rejected].map(([reason, count]) => `Rejected: ${figure(count)} of ${reason}.`),
  ];
}

function lineIf(count: number, text: string): string[] {
  return count > 0 ? [`${figure(count)} ${text}`] : [];
}
