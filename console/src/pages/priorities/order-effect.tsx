import type { PrioritiesPreview } from '@healthd/schemas';
import { Problem } from '../../components/problem.js';
import { formatCount } from '../../format.js';
import { type Ranked, usePrioritiesPreview } from '../../hooks/use-priorities.js';

/** Preview of a changed order over all users. The preview stores nothing. */
export function OrderEffect({ ranked, order }: { ranked: Ranked; order: readonly string[] }) {
  const preview = usePrioritiesPreview(ranked, order);
  if (preview.error) return <Problem error={preview.error} retry={preview.refetch} />;
  return (
    <p className="muted" aria-live="polite">
      {preview.data ? effectOf(preview.data) : 'Counting changed days…'}
    </p>
  );
}

/**
 * Describes how many days, nights, recovery dates and body summaries change their source, and how many archived nights
 * keep their source.
 */
export function effectOf(preview: PrioritiesPreview): string {
  const { users, days, nights, recoveries, body_summaries, nights_archived, users_compared, users_concerned } = preview;
  const archived =
    nights_archived === 0
      ? ''
      : ` ${formatCount(nights_archived)} archived ${nights_archived === 1 ? 'night keeps its' : 'nights keep their'} source.`;
  const whose =
    users_compared < users_concerned
      ? ` Based on a random sample of ${formatCount(users_compared)} of ${formatCount(users_concerned)} users.`
      : '';
  if (users === 0) return `No day or night changes its source.${archived}${whose}`;
  const affected = `${formatCount(users)} ${users === 1 ? 'user' : 'users'}`;
  const sum = [
    `${formatCount(days)} ${days === 1 ? 'day' : 'days'}`,
    `${formatCount(nights)} ${nights === 1 ? 'night' : 'nights'}`,
    `${formatCount(recoveries)} recovery ${recoveries === 1 ? 'date' : 'dates'}`,
  ];
  const bodies = `${formatCount(body_summaries)} body ${body_summaries === 1 ? 'summary' : 'summaries'}`;
  return `${sum.join(', ')} and ${bodies} of ${affected} change their source.${archived}${whose}`;
}
