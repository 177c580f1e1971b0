import {
  createColumnHelper,
  metaHelper,
  type RowSelectionState,
  rowSelectionFeature,
  rowSortingFeature,
  type SortDirection,
  type TableOptions,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import type { ReactNode } from 'react';
import { TableCard } from './table-card.js';

/** Cell style of a column. */
interface CellLook {
  className: string;
}

const features = tableFeatures({ rowSortingFeature, rowSelectionFeature, columnMeta: metaHelper<CellLook>() });

type Features = typeof features;

/** Sort order: column id and direction. */
export interface RowOrder {
  by: string;
  direction: SortDirection;
}

interface DataTableProps<Row extends object> {
  /** Table name for screen readers. */
  name: string;
  columns: TableOptions<Features, Row>['columns'];
  rows: readonly Row[];
  rowId: (row: Row) => string;
  empty: ReactNode;
  stale: boolean;
  /** Current order of the rows and the handler for a new order. Sortable headings call it. */
  order?: { now: RowOrder; onChange: (order: RowOrder) => void };
  selection?: RowSelection<Row> | undefined;
}

/** Selected rows by id. */
export interface RowSelection<Row> {
  chosen: RowSelectionState;
  onChange: (chosen: RowSelectionState) => void;
  /** True if the row can be selected. */
  canChoose: (row: Row) => boolean;
}

/**
 * Declares columns of a {@link DataTable}. The id of a column with `enableSorting` is the service's sort key.
 */
export function columnHelper<Row extends object>() {
  return createColumnHelper<Features, Row>();
}

/**
 * Table whose rows the service filters, sorts and pages. On narrow screens each row becomes a block of named values.
 */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { name, columns, rows, rowId, empty, stale, order, selection } = props;
  const table = useTable<Features, Row>({
    features,
    columns,
    data: rows,
    getRowId: rowId,
    defaultColumn: { enableSorting: false },
    manualSorting: true,
    enableSortingRemoval: false,
    enableMultiSort: false,
    enableRowSelection: selection ? ({ original }) => selection.canChoose(original) : false,
    state: {
      sorting: order ? [{ id: order.now.by, desc: order.now.direction === 'desc' }] : [],
      rowSelection: selection?.chosen ?? {},
    },
    onSortingChange: (change) => {
      const [first] = typeof change === 'function' ? change(table.state.sorting) : change;
      if (first) order?.onChange({ by: first.id, direction: first.desc ? 'desc' : 'asc' });
    },
    onRowSelectionChange: (change) => {
      selection?.onChange(typeof change === 'function' ? change(selection.chosen) : change);
    },
  });
  return (
    <TableCard
      name={name}
      stacked
      columns={table.getFlatHeaders().map(({ column }) => ({
        title: String(column.columnDef.header),
        isNumber: column.columnDef.meta?.className === 'number',
        sorted: column.getIsSorted() || undefined,
        onSort: order && column.getCanSort() ? () => column.toggleSorting() : undefined,
      }))}
      empty={empty}
      stale={stale}
    >
      {table.getRowModel().rows.map((row) => (
        <tr key={row.id}>
          {row.getAllCells().map((cell) => (
            <td key={cell.id} className={cell.column.columnDef.meta?.className}>
              <table.FlexRender cell={cell} />
            </td>
          ))}
        </tr>
      ))}
    </TableCard>
  );
}
