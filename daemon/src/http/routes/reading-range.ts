import type { DateOrInstant } from '@healthd/schemas';

interface Dates {
  start_date: DateOrInstant;
  end_date: DateOrInstant;
}

/** The dates of a request under the names that readers use. */
export function dateRange<Q extends Dates>({ start_date: start, end_date: end, ...rest }: Q) {
  return { start, end, ...rest };
}

interface EitherNames {
  start_time?: DateOrInstant;
  end_time?: DateOrInstant;
  start_date?: DateOrInstant;
  end_date?: DateOrInstant;
}

/** The schema has seen to it that one name of each pair was sent; the name with `time` counts where both were. */
export function eitherDateRange<Q extends EitherNames>({ start_time, end_time, start_date, end_date, ...rest }: Q) {
  const endName = end_time === undefined ? 'end_date' : 'end_time';
  return {
    start: (start_time ?? start_date) as DateOrInstant,
    end: (end_time ?? end_date) as DateOrInstant,
    endName,
    ...rest,
  };
}
