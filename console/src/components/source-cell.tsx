import { sourceName } from '../format.js';

/** Source cell: one line, with the full name on hover. */
export function SourceCell({ source }: { source: Parameters<typeof sourceName>[0] }) {
  const name = sourceName(source);
  return (
    <td className="source" title={name}>
      {name}
    </td>
  );
}
