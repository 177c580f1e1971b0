import { formatCount } from '../format.js';

/** Figure with a label. */
export function Tile({ figure, label }: { figure: number; label: string }) {
  return (
    <div className="card tile">
      <b>{formatCount(figure)}</b>
      <span className="muted">{label}</span>
    </div>
  );
}
