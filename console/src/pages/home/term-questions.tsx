import { Link } from 'react-router';
import { Loading } from '../../components/loading.js';
import { SeverityMark } from '../../components/severity-mark.js';
import { useTermQuestions } from '../../hooks/use-vendor-terms.js';
import { TERM_NAMES } from '../providers/term-texts.js';

/** Vendors whose terms would delete or withhold data and need the operator's answer. */
export function TermQuestions() {
  const questions = useTermQuestions();
  if (questions.isPending) return <Loading height={0} />;
  if (!questions.data || questions.data.length === 0) return null;
  return (
    <section className="card" aria-label="Vendor terms">
      <header>
        <h2>Vendor terms need your answer</h2>
        <span className="muted">no data is deleted or withheld before you answer</span>
      </header>
      <ul className="groups questions">
        {questions.data.map(({ provider, name, terms }) => (
          <li key={provider} className="group">
            <SeverityMark severity="attention" />
            <div className="group-what">
              <b>
                {terms.length} {terms.length === 1 ? 'question' : 'questions'} · {name}
              </b>
              <div className="muted">{terms.map(({ term }) => TERM_NAMES[term]).join(' · ')}</div>
            </div>
            <Link className="button" to={`/providers/${provider}`} aria-label={`Answer ${name}`}>
              Answer
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
