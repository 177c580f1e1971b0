import { ArrowDown, ArrowUp } from 'lucide-react';
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

/** A column's title, where a leading `#` marks a column of numbers, or all that its heading says and does. */
type Column = string | ColumnHeading;

interface ColumnHeading {
  title: string;
  isNumber: boolean;
  /** In which direction the rows are sorted by it. */
  sorted?: 'asc' | 'desc' | undefined;
  /** Sorts by it, or the other way round. */
  onSort?: (() => void) | undefined;
}

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
              {columns.map(headingOf).map((column) => (
                <Heading key={column.title} {...column} />
              ))}
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      </section>
    </section>
  );
}

const ARIA_SORT = { asc: 'ascending', desc: 'descending' } as const;

function Heading({ title, isNumber, sorted, onSort }: ColumnHeading) {
  const Arrow = sorted === 'asc' ? ArrowUp : ArrowDown;
  return (
    <th scope="col" className={isNumber ? 'number' : undefined} aria-sort={sorted && ARIA_SORT[sorted]}>
      {onSort ? (
        <button type="button" className="sort" onClick={onSort}>
          {title} {sorted && <Arrow className="icon" aria-hidden="true" />}
        </button>
      ) : (
        title
      )}
    </th>
  );
}

function headingOf(column: Column): ColumnHeading {
  if (typeof column !== 'string') return column;
  return { title: column.replace(/^#/, ''), isNumber: column.startsWith('#') };
}

/** The titles as CSS writes them before the values of a stacked row: `--column-2: "Status"`. */
function columnNames(columns: readonly Column[]): CSSProperties {
  return Object.fromEntries(
    columns.map((column, at) => [`--column-${at + 1}`, JSON.stringify(headingOf(column).title)]),
  );
}

function TableHeading({ name }: { name: string }) {
  return (
    <header>
      <h2>{name}</h2>
    </header>
  );
}
