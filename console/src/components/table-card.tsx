import type { ReactNode } from 'react';

interface TableCardProps {
  /** What the table lists: its heading, or its name for screen readers only. */
  name: string;
  heading?: boolean;
  columns: readonly Column[];
  /** Shown in place of the rows when there are none. */
  empty?: ReactNode;
  /** What is shown is being replaced. */
  stale?: boolean;
  children: readonly ReactNode[];
}

/** A column's title; a leading `#` marks a column of numbers. */
type Column = string;

/** A table that scrolls sideways inside its card when the screen is narrower than it. */
export function TableCard({ name, heading = false, columns, empty, stale = false, children }: TableCardProps) {
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
        <table>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col" className={column.startsWith('#') ? 'number' : undefined}>
                  {column.replace(/^#/, '')}
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

function TableHeading({ name }: { name: string }) {
  return (
    <header>
      <h2>{name}</h2>
    </header>
  );
}
