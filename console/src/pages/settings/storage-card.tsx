import type { Archival } from '@healthd/schemas';
import { TableCard } from '../../components/table-card.js';
import { formatBytes, formatCount } from '../../format.js';

const GROWTH = {
  bounded: 'Storage stays bounded: what is old is deleted.',
  linear_efficient: 'Storage grows with time, slowly: old samples become daily figures.',
  linear: 'Storage grows with time: every sample is kept.',
} as const;

/** How much space the data take. */
export function StorageCard({ storage }: { storage: Archival['storage'] }) {
  const rows = [
    ['Samples', storage.live_row_count, storage.live_data_bytes, storage.live_index_bytes],
    ['Archived days', storage.archive_row_count, storage.archive_data_bytes, storage.archive_index_bytes],
    ['Everything else', null, storage.other_tables_bytes, null],
  ] as const;
  return (
    <>
      <TableCard name="Storage" heading columns={['What', '#Rows', '#Data', '#Indexes']}>
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
