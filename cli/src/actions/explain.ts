import { explainActivitySummary } from '@healthd/contract';
import type { ActivityExplanation } from '@healthd/schemas';
import type { Cli } from '../cli.js';
import type { FieldPath } from '../output/fields.js';
import { type Shape, writeRecord, writeRows } from '../output/writer.js';
import { newestDay, parseBounds } from '../service/dates.js';
import { numberText } from '../ui/amounts.js';

export interface ExplainOptions {
  user: string;
  merge?: 'source' | 'interval';
}

/** One source of one metric as a table or CSV. */
interface CandidateRow {
  metric: string;
  unit: string;
  value: number | null;
  provider: string;
  device: string | null;
  samples: number;
  sum: number | null;
  amount: number;
  best: boolean;
  reason: string;
}

const right = 'right' as const;
const amountText = (amount: number | null) => (amount === null ? null : numberText(amount, 1));

const CANDIDATES = {
  fields: ['metric', 'unit', 'value', 'provider', 'device', 'samples', 'sum', 'amount', 'best', 'reason'],
  columns: [
    { header: 'Metric', cell: (row: CandidateRow) => row.metric },
    { header: 'Shown', cell: (row: CandidateRow) => amountText(row.value), align: right },
    { header: 'Unit', cell: (row: CandidateRow) => row.unit },
    {
      header: 'Source',
      cell: (row: CandidateRow) => [row.provider, row.device].filter(Boolean).join(' '),
      shrinkTo: 14,
    },
    { header: 'Gave', cell: (row: CandidateRow) => amountText(row.amount), align: right },
    { header: 'Has', cell: (row: CandidateRow) => amountText(row.sum), align: right },
    { header: 'Samples', cell: (row: CandidateRow) => numberText(row.samples), align: right },
    { header: 'Best', cell: (row: CandidateRow) => (row.best ? 'yes' : 'no') },
    { header: 'Decided by', cell: (row: CandidateRow) => row.reason },
  ],
} satisfies Shape<CandidateRow>;

const FIELDS = ['date', 'merge', 'metrics'] as const satisfies FieldPath<ActivityExplanation>[];

/** `healthctl data explain` */
export async function explain(cli: Cli, date: string, options: ExplainOptions): Promise<void> {
  cli.willWrite({ fields: FIELDS });
  const { start } = parseBounds(date, undefined, newestDay(new Date()));
  const client = await cli.client();
  const answer = await client.call(explainActivitySummary, {
    params: { user_id: options.user },
    query: { date: start, merge: options.merge },
    signal: cli.signal,
  });
  const { format } = cli.sink;
  if (format !== 'table' && format !== 'csv') return writeRecord(cli.sink, { fields: FIELDS }, answer);
  const count = await writeRows(cli.sink, CANDIDATES, candidateRows(answer));
  if (count === 0) cli.hint(`No source measured steps, distance, floors or energy on ${answer.date}.`);
}

function candidateRows({ metrics }: ActivityExplanation): CandidateRow[] {
  return metrics.flatMap(({ type, unit, value, candidates }) =>
    candidates.map(({ source, sample_count, sample_sum, daily_total, amount, best, reason }) => ({
      metric: type,
      unit,
      value,
      provider: source.provider,
      amount,
      best,
      reason,
      device: source.device_name ?? source.device ?? source.source,
      samples: sample_count,
      sum: daily_total ?? sample_sum,
    })),
  );
}
