import { sourceName } from '../format.js';

/** The cell of a source: one line, whole on hover. */
export function SourceCell({ source }: { source: Parameters<typeof sourceName>[0] }) {
  const name = sourceName(source);
  return (
    <td className="source" title={name}>
      {name}
    </td>
  );
}
