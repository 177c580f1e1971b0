import text from '../../../../docs/selection.md?raw';
import { Markdown } from '../../components/markdown.js';

/** The rule that selects the source of every figure, as the documentation states it. */
export function SelectionPage() {
  return (
    <article className="card">
      <div className="body document">
        <Markdown text={text} />
      </div>
    </article>
  );
}
