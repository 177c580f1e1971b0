import { Fragment, type ReactNode } from 'react';

/** Renders our own Markdown: headings, paragraphs, nested lists, tables, bold text and code. */
export function Markdown({ text }: { text: string }) {
  return text
    .trim()
    .split(/\n{2,}/)
    .map((block) => <Block key={block} lines={block.split('\n')} />);
}

function Block({ lines }: { lines: readonly string[] }) {
  const first = lines[0] ?? '';
  const [, hashes, title = ''] = /^(#+) (.*)$/.exec(first) ?? [];
  if (hashes) return hashes.length === 1 ? <h1>{inline(title)}</h1> : <h2>{inline(title)}</h2>;
  if (first.startsWith('|')) return <Table lines={lines} />;
  if (ITEM.test(first)) return <List lines={lines} />;
  return <p>{inline(lines.join(' '))}</p>;
}

function Table({ lines }: { lines: readonly string[] }) {
  const [head = [], , ...rows] = lines.map((line) => line.split('|').slice(1, -1));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <section className="scroll" tabIndex={0} aria-label={head.map((cell) => cell.trim()).join(', ')}>
      <table>
        <thead>
          <tr>
            {head.map((cell) => (
              <th key={cell} scope="col">
                {inline(cell.trim())}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.join()}>
              {row.map((cell) => (
                <td key={cell}>{inline(cell.trim())}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const ITEM = /^(?:-|\d+\.) +/;

/** Parses a list. Indented lines continue an item or start a nested list. */
function List({ lines }: { lines: readonly string[] }) {
  const items: string[][] = [];
  for (const line of lines) {
    if (ITEM.test(line)) items.push([line.replace(ITEM, '')]);
    else items.at(-1)?.push(line.replace(/^ {2,3}/, ''));
  }
  const entries = items.map((item) => {
    const nested = item.findIndex((line, at) => at > 0 && ITEM.test(line));
    const own = nested < 0 ? item : item.slice(0, nested);
    return (
      <li key={item[0]}>
        {inline(own.map((line) => line.trim()).join(' '))}
        {nested > 0 && <List lines={item.slice(nested)} />}
      </li>
    );
  });
  return (lines[0] ?? '').startsWith('-') ? <ul>{entries}</ul> : <ol>{entries}</ol>;
}

/** Renders bold text and code. Links to other documents become plain text. */
function inline(text: string): ReactNode {
  const words = text.replace(/\[([^\]]+)\]\([^)]*\)/g, '$1');
  return words.split(/(\*\*[^*]+\*\*|`[^`]+`)/).map((part, at) => {
    const key = `${at} ${part}`;
    if (part.startsWith('**')) return <b key={key}>{part.slice(2, -2)}</b>;
    if (part.startsWith('`')) return <code key={key}>{part.slice(1, -1)}</code>;
    return <Fragment key={key}>{part}</Fragment>;
  });
}
