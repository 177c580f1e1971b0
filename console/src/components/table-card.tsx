import { ArrowDown, ArrowUp } from 'lucide-react';
import type { CSSProperties, ReactNode } from 'react';

interface TableCardProps {
  /** Table name: a visible heading, or a label for screen readers. */
  name: string;
  heading?: boolean;
  columns: readonly Column[];
  /** Stacks rows on narrow screens. Without it, the table scrolls horizontally. */
  stacked?: boolean;
  /** Text for an empty table. */
  empty?: ReactNode;
  /** True while newer data is loading. */
  stale?: boolean;
  children: readonly ReactNode[];
}

/** Column title, with a leading `#` for number columns, or a full heading definition. */
type Column = string | ColumnHeading;

interface ColumnHeading {
  title: string;
  isNumber: boolean;
  /** Sort direction of this column. */
  sorted?: 'asc' | 'desc' | undefined;
  /** Sorts by this column or reverses the order. */
  onSort?: (() => void) | undefined;
}

/** Table in a card for wide and narrow screens. */
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
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
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

/** CSS variables with the titles for stacked rows: `--column-2: "Status"`. */
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
