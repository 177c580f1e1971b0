import type { PrioritiesPreview } from '@healthd/schemas';
import { Problem } from '../../components/problem.js';
import { formatCount } from '../../format.js';
import { type Ranked, usePrioritiesPreview } from '../../hooks/use-priorities.js';

/** What the changed order does to the figures of all people, counted by the service; nothing is stored for it. */
export function OrderEffect({ ranked, order }: { ranked: Ranked; order: readonly string[] }) {
  const preview = usePrioritiesPreview(ranked, order);
  if (preview.error) return <Problem error={preview.error} retry={preview.refetch} />;
  return (
    <p className="muted" aria-live="polite">
      {preview.data ? effectOf(preview.data) : 'Counting the days that change…'}
    </p>
  );
}

function effectOf({ users, days, nights, users_compared, users_concerned }: PrioritiesPreview): string {
  const whose =
    users_compared < users_concerned
      ? ` Counted: a random sample of ${formatCount(users_compared)} of ${formatCount(users_concerned)} people.`
      : '';
  if (users === 0) return `No day and no night comes from another source then.${whose}`;
  const people = `${formatCount(users)} ${users === 1 ? 'person' : 'people'}`;
  const sum = [
    `${formatCount(days)} ${days === 1 ? 'day' : 'days'}`,
    `${formatCount(nights)} ${nights === 1 ? 'night' : 'nights'}`,
  ];
  return `${sum.join(' and ')} of ${people} come from another source then.${whose}`;
}
