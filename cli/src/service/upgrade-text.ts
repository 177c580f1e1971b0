import type { UpgradePreview } from '@healthd/schemas';
import { countText, numberText } from '../ui/amounts.js';

/** Maximum number of reasons in the text, which contains the most frequent reasons. */
const MOST_REASONS = 2;

type ComparedUsers = Pick<UpgradePreview, 'users_compared' | 'users_concerned'>;

/** Describes which share of each summary changed its source in the upgrade, why, and which users were compared. */
export function upgradeText(preview: UpgradePreview): string {
  const { upgraded_at: upgradedAt, reasons } = preview;
  if (upgradedAt === null) return 'No user with several sources existed before the upgrade.';
  const { nights_archived: archived } = preview;
  const stay = archived > 0 ? ` ${countText(archived, 'archived night')} kept the earlier source.` : '';
  const why = reasons.slice(0, MOST_REASONS).map(({ reason }) => reason);
  const shares = [
    `${percent(preview.days_changed, preview.days)} of days`,
    `${percent(preview.nights_changed, preview.nights)} of nights`,
    `${percent(preview.recoveries_changed, preview.recoveries)} of recovery dates`,
  ];
  const bodies = `${percent(preview.body_summaries_changed, preview.body_summaries)} of body summaries`;
  const merged =
    preview.merged_days_changed > 0
      ? ` With merge=interval, sources of one account count in a different order on ${percent(preview.merged_days_changed, preview.merged_days)} of their days.`
      : '';
  return (
    `Since the upgrade ${shares.join(', ')} and ${bodies} have another source${why.length > 0 ? `, mostly by ${why.join(' and ')}` : ''}.` +
    `${merged} Compared: ${comparedUsers(preview)} with several sources.${stay}`
  );
}

/** Describes the users that a preview compared: all users or a random sample. */
export function comparedUsers({ users_compared: compared, users_concerned: concerned }: ComparedUsers): string {
  const users = countText(concerned, 'user');
  return compared < concerned ? `a random sample of ${numberText(compared)} of ${users}` : users;
}

function percent(part: number, whole: number): string {
  if (part === 0 || whole === 0) return '0 %';
  const share = (100 * part) / whole;
  return share < 1 ? 'less than 1 %' : `${Math.round(share)} %`;
}
