import type { SleepSession, SleepStages, SleepSummary } from '@healthd/schemas';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import { Link } from 'react-router';
import { None } from '../../../components/none.js';
import { Figure, FigureCell } from '../../../components/withheld.js';
import { formatMinutes, formatPercent, minutesOf, sourceName } from '../../../format.js';
import { formatInZone } from '../../../zone.js';
import type { Night } from './nights.js';

interface NightRowsProps {
  night: Night;
  columns: number;
}

/** Row of a night, with all its sessions on demand. */
export function NightRows({ night, columns }: NightRowsProps) {
  const [open, setOpen] = useState(false);
  const folded = useId();
  const { summary, sessions, date } = night;
  const main = sessions.find(({ session, counts }) => counts && !session.is_nap) ?? sessions[0];
  const Icon = open ? ChevronDown : ChevronRight;
  return (
    <>
      <tr>
        <td className="date">{main ? <Link to={main.session.id}>{date}</Link> : date}</td>
        <td className="date">
          {/* Without a night, the row shows the start and end of the longest nap. */}
          <Figure row={summary} group={summary.sources.sleep === null ? 'naps' : 'sleep'}>
            {hours(summary)}
          </Figure>
        </td>
        <FigureCell row={summary} group="sleep">
          {formatMinutes(summary.duration_minutes)}
        </FigureCell>
        <td>
          <Figure row={summary} group="sleep">
            <StageBar stages={summary.stages} />
          </Figure>
        </td>
        <FigureCell row={summary} group="sleep">
          {formatMinutes(summary.stages?.deep_minutes)}
        </FigureCell>
        <FigureCell row={summary} group="sleep">
          {formatMinutes(summary.stages?.rem_minutes)}
        </FigureCell>
        <FigureCell row={summary} group="sleep">
          {formatMinutes(summary.stages?.light_minutes)}
        </FigureCell>
        <FigureCell row={summary} group="sleep">
          {formatMinutes(summary.stages?.awake_minutes)}
        </FigureCell>
        <FigureCell row={summary} group="sleep">
          {formatPercent(summary.efficiency_percent)}
        </FigureCell>
        <td className="nobreak">
          <Figure row={summary} group="naps">
            {naps(summary.nap_count, summary.nap_duration_minutes)}
          </Figure>
        </td>
        <td className="source short" title={sourceName(summary.source)}>
          {sourceName(summary.source)}
        </td>
        <td>
          <button
            type="button"
            className="quiet fold"
            aria-expanded={open}
            aria-controls={folded}
            aria-label={`Sleeps recorded for ${date}: ${sessions.length}`}
            onClick={() => setOpen(!open)}
          >
            <Icon className="icon" aria-hidden="true" /> {sessions.length}
          </button>
        </td>
      </tr>
      {open && (
        <tr id={folded} className="folded">
          <td colSpan={columns}>
            <ul className="sessions" aria-label={`Recorded for ${date}`}>
              {sessions.map(({ session, counts }) => (
                <SessionLine key={session.id} session={session} counts={counts} />
              ))}
            </ul>
          </td>
        </tr>
      )}
    </>
  );
}

interface SessionLineProps {
  session: SleepSession;
  counts: boolean | undefined;
}

function SessionLine({ session, counts }: SessionLineProps) {
  return (
    <li>
      <Link to={session.id}>{sourceName(session.source)}</Link>
      <span className="date">{hours(session)}</span>
      <span>{formatMinutes(minutesOf(session.sleep_duration_seconds))} asleep</span>
      {session.is_nap && <span className="badge plain">nap</span>}
      {counts !== undefined && (
        <span className={`badge ${counts ? 'good' : 'plain'}`}>{counts ? 'counts' : 'not counted'}</span>
      )}
    </li>
  );
}

type Bounds = Pick<SleepSummary, 'start_time' | 'end_time' | 'local_offset'>;

/** Formats `23:08 – 06:47` in local time. */
function hours({ start_time, end_time, local_offset }: Bounds): string {
  if (!start_time || !end_time || !local_offset) return '–';
  const [from, to] = [start_time, end_time].map((instant) => formatInZone(Date.parse(instant), local_offset).slice(11));
  return `${from} – ${to}`;
}

function naps(count: number | null, minutes: number | null): string {
  return count ? `${count} · ${formatMinutes(minutes)}` : '–';
}

const PARTS = [
  ['deep', 'deep_minutes'],
  ['rem', 'rem_minutes'],
  ['light', 'light_minutes'],
  ['awake', 'awake_minutes'],
] as const;

/** Width of a night's bar in pixels. */
const BAR = 90;

/** Bar of a night's stages. The columns contain the figures. */
function StageBar({ stages }: { stages: SleepStages | null }) {
  const parts = PARTS.map(([look, name]) => ({ look, minutes: stages?.[name] ?? 0 }));
  const all = parts.reduce((sum, { minutes }) => sum + minutes, 0);
  if (all === 0) return <None />;
  let before = 0;
  return (
    <svg className="stage-bar" width={BAR} height="12" aria-hidden="true">
      {parts.map(({ look, minutes }) => {
        const x = (before / all) * BAR;
        before += minutes;
        return <rect key={look} className={`stage-${look}`} x={x} width={(minutes / all) * BAR} height="12" />;
      })}
    </svg>
  );
}
