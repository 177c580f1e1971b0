import { Fragment } from 'react';
import type { CoverageTable } from './coverage-table.js';

/** Matrix of metrics and providers with sticky headings. */
export function Matrix({ table }: { table: CoverageTable }) {
  const headers = table.getFlatHeaders();
  return (
    <section className="card">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <section className="scroll" tabIndex={0} aria-label="Coverage">
        <table className="matrix">
          <thead>
            <tr>
              {headers.map((header) => {
                const { className } = header.column.columnDef.meta ?? {};
                return (
                  <th key={header.id} scope="col" className={className === 'mark' ? className : undefined}>
                    <table.FlexRender header={header} />
                  </th>
                );
              })}
            </tr>
          </thead>
          <tbody>
            {table.getGroupedRowModel().rows.map((group) => (
              <Fragment key={group.id}>
                <tr className="group-head">
                  <th scope="colgroup" colSpan={headers.length}>
                    {String(group.groupingValue)}
                  </th>
                </tr>
                {group.subRows.map((row) => (
                  <tr key={row.id}>
                    {row.getAllCells().map((cell) =>
                      cell.column.id === 'metric' ? (
                        <th key={cell.id} scope="row" title={row.original.code}>
                          <table.FlexRender cell={cell} />
                        </th>
                      ) : (
                        <td key={cell.id} className={cell.column.columnDef.meta?.className}>
                          <table.FlexRender cell={cell} />
                        </td>
                      ),
                    )}
                  </tr>
                ))}
              </Fragment>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}
