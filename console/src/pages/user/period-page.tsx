import { mergeAttributions } from '@healthd/client';
import type { Attribution } from '@healthd/schemas';
import type { ReactNode } from 'react';
import { AttributionLine } from '../../components/attribution.js';
import { Loading } from '../../components/loading.js';
import { PeriodChooser } from '../../components/period-chooser.js';
import { Problem } from '../../components/problem.js';
import { TableCard } from '../../components/table-card.js';
import { NothingInPeriod } from './nothing-in-period.js';

interface PeriodPageProps<T> {
  title: string;
  /** Name of the missing data in the empty state. */
  what: string;
  userId: string;
  columns: readonly string[];
  pages: Pages<T>;
  row: (item: T) => ReactNode;
  /** Note about all rows, such as their time zone. */
  note?: string;
  /** Shell commands. */
  commands: ReactNode;
}

interface ListPage<T> {
  data: readonly T[];
  metadata?: { attribution?: Attribution | undefined };
}

/** Required members of a paged list. */
interface Pages<T> {
  data: { pages: readonly ListPage<T>[] } | undefined;
  error: Error | null;
  isPending: boolean;
  isPlaceholderData: boolean;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  refetch: () => unknown;
  fetchNextPage: () => unknown;
}

/** Table of a period's sessions, newest first, with more rows on demand. */
export function PeriodPage<T>({ title, what, userId, columns, pages, row, note, commands }: PeriodPageProps<T>) {
  const rows = pages.data?.pages.flatMap(({ data }) => data) ?? [];
  const attribution = mergeAttributions(...(pages.data?.pages ?? []).map(({ metadata }) => metadata?.attribution));
  const isAwaited = pages.isPending || (pages.isPlaceholderData && rows.length === 0);
  return (
    <>
      <div className="row spread">
        <h2>{title}</h2>
        <PeriodChooser />
      </div>
      {pages.error && !pages.isFetchNextPageError && <Problem error={pages.error} retry={pages.refetch} />}
      {isAwaited && <Loading />}
      {pages.data && rows.length === 0 && !isAwaited && <NothingInPeriod what={what} userId={userId} />}
      {rows.length > 0 && note && <p className="muted sentence">{note}</p>}
      {rows.length > 0 && (
        <TableCard name={title} columns={columns} stale={pages.isPlaceholderData}>
          {rows.map(row)}
        </TableCard>
      )}
      {rows.length > 0 && <AttributionLine of={attribution} />}
      {pages.error && pages.isFetchNextPageError && <Problem error={pages.error} />}
      {pages.hasNextPage && (
        <div className="row">
          <button type="button" disabled={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
            Show older
          </button>
        </div>
      )}
      {commands}
    </>
  );
}
