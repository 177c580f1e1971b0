import type { CSSProperties, ReactNode } from 'react';

interface TableCardProps {
  /** What the table lists: its heading, or its name for screen readers only. */
  name: string;
  heading?: boolean;
  columns: readonly Column[];
  /** On a narrow screen each row is a block of named values; without it the table scrolls sideways, for figures in columns. */
  stacked?: boolean;
  /** Shown in place of the rows when there are none. */
  empty?: ReactNode;
  /** What is shown is being replaced. */
  stale?: boolean;
  children: readonly ReactNode[];
}

/** A column's title; a leading `#` marks a column of numbers. */
type Column = string;

/** A table in a card, for wide and narrow screens. */
export function TableCard(props: TableCardProps) {
  const { name, heading = false, columns, stacked = false, empty, stale = false, children } = props;
  if (children.length === 0 && empty !== undefined) {
    return (
      <section className="card">
        {heading && <TableHeading name={name} />}
        <div className="empty">{empty}</div>
      </section>
    );
  }
  return (
    <section className="card" aria-busy={stale}>
      {heading && <TableHeading name={name} />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="scroll" tabIndex={0} aria-label={name}>
        <table className={stacked ? 'stacked' : undefined} style={stacked ? columnNames(columns) : undefined}>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col" className={column.startsWith('#') ? 'number' : undefined}>
                  {titleOf(column)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      </section>
    </section>
  );
}

function titleOf(column: Column): string {
  return column.replace(/^#/, '');
}

/** The titles as CSS writes them before the values of a stacked row: `--column-2: "Status"`. */
function columnNames(columns: readonly Column[]): CSSProperties {
  return Object.fromEntries(columns.map((column, at) => [`--column-${at + 1}`, JSON.stringify(titleOf(column))]));
}

function TableHeading({ name }: { name: string }) {
  return (
    <header>
      <h2>{name}</h2>
    </header>
  );
}
