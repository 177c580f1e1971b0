import type { Archival } from '@healthd/schemas';
import { TableCard } from '../../components/table-card.js';
import { formatBytes, formatCount } from '../../format.js';

const GROWTH = {
  bounded: 'Old data is deleted, so storage does not keep growing.',
  linear_efficient: 'Storage grows slowly, because old samples become daily figures.',
  linear: 'Storage keeps growing, because every sample is kept.',
} as const;

/** Storage use. */
export function StorageCard({ storage }: { storage: Archival['storage'] }) {
  const rows = [
    ['Samples', storage.live_row_count, storage.live_data_bytes, storage.live_index_bytes],
    ['Archived days', storage.archive_row_count, storage.archive_data_bytes, storage.archive_index_bytes],
    ['Everything else', null, storage.other_tables_bytes, null],
  ] as const;
  return (
    <>
      <TableCard name="Storage" heading columns={['Content', '#Rows', '#Data', '#Indexes']}>
        {rows.map(([what, count, data, indexes]) => (
          <tr key={what}>
            <td>{what}</td>
            <td className="number">{formatCount(count)}</td>
            <td className="number">{formatBytes(data)}</td>
            <td className="number">{indexes === null ? '–' : formatBytes(indexes)}</td>
          </tr>
        ))}
      </TableCard>
      <p className="message muted">
        {formatBytes(storage.total_bytes)} in all. {GROWTH[storage.growth_class]}
      </p>
    </>
  );
}
