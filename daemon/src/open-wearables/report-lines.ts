import type { MigrationReport } from './migrate-from.js';
import { figure } from './survey-lines.js';

/** Formats a migration's result as lines. */
export function reportLines({ users, profiles, connections, items, rejected, ...report }: MigrationReport): string[] {
  return [
    `Users: ${figure(users.new)} new, ${figure(users.here)} here already, ${figure(users.erased)} erased here and not copied.`,
    ...lineIf(profiles.updated, 'users had a new name, email or external_user_id in the source and were updated.'),
    ...lineIf(
      profiles.kept,
      'users have fields that differ from the source and were kept, because they were changed here or copied by an older version:',
    ),
    ...profiles.shown.map(({ id, fields }) => `  ${id}: ${fields.join(', ')}`),
    ...lineIf(report.droppedExternalIds, 'users have no external_user_id here, because another user has it.'),
    `Connections: ${figure(connections.new)} new, ${figure(connections.updated)} updated.`,
    `API keys: ${figure(report.apiKeys)} new.`,
    `Items: ${figure(items.read)} read, ${figure(items.inserted)} new, ${figure(items.updated)} changed, ` +
      `${figure(items.unchanged)} unchanged.`,
    ...lineIf(items.duplicates, 'items are duplicates of another item and count once.'),
    ...lineIf(items.superseded, 'items are already stored in more detail.'),
    ...lineIf(items.archived, 'items belong to days that are archived here.'),
    ...lineIf(items.suppressed, 'items were deleted here and remain deleted.'),
    ...lineIf(report.removed, 'items of an earlier copy were removed, because the source no longer has them.'),
    ...[...rejected].map(([reason, count]) => `Rejected: ${figure(count)} of ${reason}.`),
  ];
}

function lineIf(count: number, text: string): string[] {
  return count > 0 ? [`${figure(count)} ${text}`] : [];
}
