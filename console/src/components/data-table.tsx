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

/** How the cells of a column look. */
interface CellLook {
  className: string;
}

const features = tableFeatures({ rowSortingFeature, rowSelectionFeature, columnMeta: metaHelper<CellLook>() });

type Features = typeof features;

/** What rows are in order of: the id of a column, and the direction. */
export interface RowOrder {
  by: string;
  direction: SortDirection;
}

interface DataTableProps<Row extends object> {
  /** What the table lists, for screen readers. */
  name: string;
  columns: TableOptions<Features, Row>['columns'];
  rows: readonly Row[];
  rowId: (row: Row) => string;
  empty: ReactNode;
  stale: boolean;
  /** In which order the service gave the rows, and how another is asked for: by the heading of a column that can be sorted. */
  order?: { now: RowOrder; onChange: (order: RowOrder) => void };
  selection?: RowSelection<Row> | undefined;
}

/** Rows that are chosen, by their ids. */
export interface RowSelection<Row> {
  chosen: RowSelectionState;
  onChange: (chosen: RowSelectionState) => void;
  /** Whether a row can be chosen. */
  canChoose: (row: Row) => boolean;
}

/** Declares columns of a {@link DataTable}. A column with `enableSorting` has the id by which the service sorts. */
export function columnHelper<Row extends object>() {
  return createColumnHelper<Features, Row>();
}

/** A list that the service filters, sorts and gives page by page. On a narrow screen each row is a block of named values. */
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
