import type { UpgradePreview } from '@healthd/schemas';
import { countText, numberText } from '../ui/amounts.js';

/** The most frequent reasons that a sentence names. */
const MOST_REASONS = 2;

type ComparedUsers = Pick<UpgradePreview, 'users_compared' | 'users_concerned'>;

/** Describes which share of days and nights changed their source in the upgrade, why, and which users were compared. */
export function upgradeText(preview: UpgradePreview): string {
  const { upgraded_at: upgradedAt, days, days_changed, nights, nights_changed, reasons } = preview;
  if (upgradedAt === null) return 'No user with several sources existed before the upgrade.';
  const { nights_archived: archived } = preview;
  const stay = archived > 0 ? ` ${countText(archived, 'archived night')} kept the earlier source.` : '';
  const why = reasons.slice(0, MOST_REASONS).map(({ reason }) => reason);
  return (
    `Since the upgrade ${percent(days_changed, days)} of days and ${percent(nights_changed, nights)} of nights have another ` +
    `source${why.length > 0 ? `, mostly by ${why.join(' and ')}` : ''}. Compared: ${comparedUsers(preview)} with several sources, without recovery and body values.${stay}`
  );
}

/** Names the users that a preview compared. */
export function comparedUsers({ users_compared: compared, users_concerned: concerned }: ComparedUsers): string {
  const users = countText(concerned, 'user');
  return compared < concerned ? `a random sample of ${numberText(compared)} of ${users}` : users;
}

function percent(part: number, whole: number): string {
  if (part === 0 || whole === 0) return '0 %';
  const share = (100 * part) / whole;
  return share < 1 ? 'less than 1 %' : `${Math.round(share)} %`;
}
