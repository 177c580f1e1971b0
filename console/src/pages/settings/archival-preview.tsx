import { Problem } from '../../components/problem.js';
import { formatCount } from '../../format.js';
import type { useArchivalPreview } from '../../hooks/use-archival.js';

interface ArchivalPreviewProps {
  preview: ReturnType<typeof useArchivalPreview>;
  /** True while the settings are being typed and the preview is outdated. */
  stale: boolean;
}

/** Preview of archiving and deletion. */
export function ArchivalPreview({ preview, stale }: ArchivalPreviewProps) {
  if (preview.error && !stale) return <Problem error={preview.error} retry={preview.refetch} />;
  if (!preview.data || stale) return <p className="muted">Counting…</p>;
  const { archive, delete: remove } = preview.data;
  return (
    <dl className="facts plain-facts" aria-label="Dry run">
      <div>
        <dt>Would be archived now</dt>
        <dd>{countsOf(archive)}</dd>
      </div>
      <div>
        <dt>Would be deleted now</dt>
        <dd>{countsOf(remove)}</dd>
      </div>
    </dl>
  );
}

function countsOf({
  before,
  users,
  days,
  samples,
}: {
  before: string | null;
  users: number;
  days: number;
  samples: number;
}) {
  if (before === null || samples + days === 0) return 'nothing';
  const affected = `${formatCount(users)} ${users === 1 ? 'user' : 'users'}`;
  return `${formatCount(samples)} samples of ${formatCount(days)} days before ${before}, of ${affected}`;
}
