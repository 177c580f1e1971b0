import text from '../../../../docs/selection.md?raw';
import { Markdown } from '../../components/markdown.js';

/** Source selection rule from the documentation. */
export function SelectionPage() {
  return (
    <article className="card">
      <div className="body document">
        <Markdown text={text} />
      </div>
    </article>
  );
}
