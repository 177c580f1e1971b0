import { TableCard } from '../../components/table-card.js';
import { formatCount, humanize } from '../../format.js';
import type { RunReport } from './run-report.js';

/** Stored and rejected items of a run. Empty tables are hidden. */
export function ReportTables({ report }: { report: RunReport }) {
  return (
    <>
      {report.items.length > 0 && (
        <TableCard name={`${formatCount(report.itemsRead)} items read`} heading columns={['Outcome', '#Items']}>
          {report.items.map(([outcome, count]) => (
            <tr key={outcome}>
              <td>{humanize(outcome)}</td>
              <td className="number">{formatCount(count)}</td>
            </tr>
          ))}
        </TableCard>
      )}
      {report.stored.length > 0 && (
        <TableCard name="Stored" heading columns={['Type', '#New', '#Updated', '#Unchanged']}>
          {report.stored.map(({ kind, inserted, updated, unchanged }) => (
            <tr key={kind}>
              <td>{humanize(kind)}</td>
              <td className="number">{formatCount(inserted)}</td>
              <td className="number">{formatCount(updated)}</td>
              <td className="number">{formatCount(unchanged)}</td>
            </tr>
          ))}
        </TableCard>
      )}
      {report.rejectedTotal > 0 && <Rejected report={report} />}
      {report.unsupported.length > 0 && <CountTable name="Unsupported types" column="Type" rows={report.unsupported} />}
      {report.unsupportedElements.length > 0 && (
        <CountTable name="Unsupported elements" column="Element" rows={report.unsupportedElements} />
      )}
      {report.unsupportedFiles.length > 0 && (
        <CountTable
          name="Files not read"
          column="Type"
          rows={report.unsupportedFiles.map(([kind, count]) => [humanize(kind), count])}
          unit="#Files"
        />
      )}
      <Outcomes name="Elements of the export" column="Element" rows={report.contents.elements} />
      <Outcomes name="Files of the upload" column="Type" rows={report.contents.files} />
      {report.samplesByType.length > 0 && (
        <CountTable name="Samples read, by series" column="Series" rows={report.samplesByType} />
      )}
    </>
  );
}

function Rejected({ report }: { report: RunReport }) {
  const { rejectedItems: items, rejectedTotal: total } = report;
  const name =
    items.length < total ? `First ${items.length} of ${formatCount(total)} rejected items` : 'Rejected items';
  return (
    <>
      <CountTable name="Rejected, by reason" column="Reason" rows={report.rejectedByReason} />
      <TableCard name={name} heading columns={['List', '#Index (from 0)', 'Field', 'Reason', 'Detail']}>
        {items.map((item) => (
          <tr key={`${item.collection} ${item.index} ${item.field} ${item.code}`}>
            <td>{item.collection}</td>
            <td className="number">{formatCount(item.index)}</td>
            <td className="mono">{item.field ?? '–'}</td>
            <td className="mono">{item.code}</td>
            <td className="mono">{item.detail ?? '–'}</td>
          </tr>
        ))}
      </TableCard>
    </>
  );
}

interface OutcomesProps {
  name: string;
  column: string;
  rows: RunReport['contents']['elements'];
}

/** Outcome of each type of element or file, with the reasons why it was not imported. */
function Outcomes({ name, column, rows }: OutcomesProps) {
  if (rows.length === 0) return null;
  return (
    <TableCard name={name} heading columns={[column, '#Read', '#Imported', '#Rejected', '#Not imported', 'Reason']}>
      {rows.map((row) => (
        <tr key={row.name}>
          <td className="mono">{row.name}</td>
          <td className="number">{formatCount(row.read)}</td>
          <td className="number">{formatCount(row.imported)}</td>
          <td className="number">{formatCount(row.rejected)}</td>
          <td className="number">{formatCount(row.notImported.reduce((sum, [, count]) => sum + count, 0))}</td>
          <td className="mono">{row.notImported.map(([reason]) => reason).join(', ') || '–'}</td>
        </tr>
      ))}
    </TableCard>
  );
}

interface CountTableProps {
  name: string;
  column: string;
  rows: [string, number][];
  /** Title of the count column. */
  unit?: string;
}

function CountTable({ name, column, rows, unit = '#Items' }: CountTableProps) {
  return (
    <TableCard name={name} heading columns={[column, unit]}>
      {rows.map(([key, count]) => (
        <tr key={key}>
          <td className="mono">{key}</td>
          <td className="number">{formatCount(count)}</td>
        </tr>
      ))}
    </TableCard>
  );
}
