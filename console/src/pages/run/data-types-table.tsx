import { None } from '../../components/none.js';
import { StatusBadge } from '../../components/status-badge.js';
import { TableCard } from '../../components/table-card.js';
import { formatCount } from '../../format.js';
import type { DataTypeState } from './data-types.js';

const COLUMNS = ['Data type', 'State', '#New', '#Updated', '#Deleted', '#Rejected', 'Error'];

/** State of a sync's data types; hidden for other runs. */
export function DataTypesTable({ dataTypes }: { dataTypes: readonly DataTypeState[] }) {
  if (dataTypes.length === 0) return null;
  return (
    <TableCard name="Data types" heading columns={COLUMNS}>
      {dataTypes.map(({ id, status, waiting, inserted, updated, deleted, rejected, error }) => (
        <tr key={id}>
          <td className="mono">{id}</td>
          <td>
            <StatusBadge status={status} waiting={waiting} />
          </td>
          <td className="number">{formatCount(inserted)}</td>
          <td className="number">{formatCount(updated)}</td>
          <td className="number">{formatCount(deleted)}</td>
          <td className="number">{formatCount(rejected)}</td>
          <td className="mono">{error ?? <None />}</td>
        </tr>
      ))}
    </TableCard>
  );
}
