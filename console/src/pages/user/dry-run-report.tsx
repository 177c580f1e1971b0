import type { SyncRun } from '@healthd/schemas';
import { Problem } from '../../components/problem.js';
import { TableCard } from '../../components/table-card.js';
import { formatCount, humanize } from '../../format.js';
import { useConfirmImport } from '../../hooks/use-runs.js';
import { changesOf } from './import-changes.js';

/** Changes of a dry run, with an import button. */
export function DryRunReport({ run, onConfirmed }: { run: SyncRun; onConfirmed: (runId: string) => void }) {
  const confirm = useConfirmImport(run, onConfirmed);
  const changes = changesOf(run);
  const deletedCount = changes.reduce((sum, change) => sum + change.gone, 0);
  if (changes.length === 0) return <p className="message">The import would not change any data.</p>;
  return (
    <>
      <TableCard name="Changes of the import" columns={['Data', '#New', '#Updated', '#Deleted']}>
        {changes.map(({ series, fresh, changed, gone: lost }) => (
          <tr key={series}>
            <td>{humanize(series)}</td>
            <td className="number">{formatCount(fresh)}</td>
            <td className="number">{formatCount(changed)}</td>
            <td className="number">{formatCount(lost)}</td>
          </tr>
        ))}
      </TableCard>
      {confirm.error && <Problem error={confirm.error} />}
      <button
        type="button"
        className={deletedCount > 0 ? 'danger solid' : 'primary'}
        disabled={confirm.isPending}
        onClick={() => confirm.mutate()}
      >
        {deletedCount > 0 ? `Start import and delete ${formatCount(deletedCount)} rows` : 'Start import'}
      </button>
    </>
  );
}
