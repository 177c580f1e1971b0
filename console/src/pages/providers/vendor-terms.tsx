import { listProviderTerms, type VendorTermName } from '@healthd/contract';
import type { ProviderTermsResponse, VendorTermResponse } from '@healthd/schemas';
import { useState } from 'react';
import { Commands } from '../../components/commands.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { Instant } from '../../components/instant.js';
import { loadDialog } from '../../components/load-dialog.js';
import { Loading } from '../../components/loading.js';
import { Problem } from '../../components/problem.js';
import { SeverityMark } from '../../components/severity-mark.js';
import { TableCard } from '../../components/table-card.js';
import { useChangeTerms, useVendorTerms } from '../../hooks/use-vendor-terms.js';
import { deletesData, effectText, questionText, rowsText, ruleText, sourceText, TERM_NAMES } from './term-texts.js';

const AcceptTermDialog = loadDialog(async () => (await import('./accept-term-dialog.js')).AcceptTermDialog);
const OverrideTermDialog = loadDialog(async () => (await import('./override-term-dialog.js')).OverrideTermDialog);

interface OfProvider {
  provider: string;
}

/** Terms of one provider; undefined while they are loading. */
function useTermsOf(provider: string) {
  const { data, error, refetch } = useVendorTerms();
  return { terms: data?.find((one) => one.provider === provider), error, refetch };
}

/** Vendor terms that need the operator's answer; hidden if there are none. */
export function TermQuestions({ provider }: OfProvider) {
  const { terms, error } = useTermsOf(provider);
  const change = useChangeTerms(provider);
  const [accepted, setAccepted] = useState<VendorTermResponse>();
  // The table of terms below shows the error.
  if (error) return null;
  if (!terms) return <Loading height={0} />;
  const undecided = terms.terms.filter(({ state }) => state === 'asks');
  return (
    <>
      {undecided.length > 0 && (
        <section className="card" aria-label="Questions">
          <header>
            <h2>The vendor’s terms need your answer</h2>
          </header>
          <ul className="groups questions">
            {undecided.map((term) => (
              <li key={term.term} className="group">
                <SeverityMark severity="attention" />
                <div className="group-what">
                  <b>{questionText(term)}</b>
                  <div className="muted">{waitText(term)}</div>
                </div>
                <div className="actions">
                  <button
                    type="button"
                    aria-label={`Accept ${TERM_NAMES[term.term]}`}
                    disabled={change.isPending}
                    onClick={() => setAccepted(term)}
                  >
                    Accept…
                  </button>
                  <button
                    type="button"
                    aria-label={`Decline ${TERM_NAMES[term.term]}`}
                    disabled={change.isPending}
                    onClick={() => change.mutate({ [term.term]: { answer: 'declined' } })}
                  >
                    Decline
                  </button>
                </div>
              </li>
            ))}
          </ul>
          {change.error && <Problem error={change.error} />}
        </section>
      )}
      {accepted && <AcceptTermDialog of={terms} term={accepted} onClose={() => setAccepted(undefined)} />}
    </>
  );
}

function waitText({ term, rows }: VendorTermResponse): string {
  return deletesData(term)
    ? `${rowsText(rows)} now. Nothing is deleted before you accept.`
    : `${rowsText(rows)} now. Nothing is withheld before you accept.`;
}

const COLUMNS = ['Term', 'Vendor requirement', 'Rule here', 'Actions'];

/** Vendor terms and their effect. */
export function VendorTerms({ provider }: OfProvider) {
  const { terms, error, refetch } = useTermsOf(provider);
  const change = useChangeTerms(provider);
  const [dialog, setDialog] = useState<{ kind: 'override' | 'remove' | 'accept'; term: VendorTermName }>();
  if (error) return <Problem error={error} retry={refetch} />;
  if (!terms) return <Loading height={420} />;
  const chosen = terms.terms.find(({ term }) => term === dialog?.term);
  const close = () => setDialog(undefined);
  return (
    <>
      <TableCard name="Terms" heading stacked columns={COLUMNS}>
        {inOrder(terms).map((term) => (
          <TermRow
            key={term.term}
            term={term}
            isPending={change.isPending}
            onOpen={(kind) => setDialog({ kind, term: term.term })}
            onDecline={() => change.mutate({ [term.term]: { answer: 'declined' } })}
          />
        ))}
      </TableCard>
      {change.error && <Problem error={change.error} />}
      <Commands healthctl={`healthctl providers terms ${provider}`} route={listProviderTerms} input={{}} />
      {dialog?.kind === 'accept' && chosen && <AcceptTermDialog of={terms} term={chosen} onClose={close} />}
      {dialog?.kind === 'override' && chosen && <OverrideTermDialog of={terms} term={chosen} onClose={close} />}
      {dialog?.kind === 'remove' && chosen && (
        <ConfirmDialog
          title={`Remove the override of ${TERM_NAMES[chosen.term]}?`}
          action="Remove override"
          onConfirm={() => change.mutateAsync({ [chosen.term]: null })}
          onClose={close}
        >
          {afterRemoval(chosen)}
        </ConfirmDialog>
      )}
    </>
  );
}

/** Returns the terms with the unknown terms last. */
function inOrder({ terms }: ProviderTermsResponse): VendorTermResponse[] {
  const isUnknown = ({ state }: VendorTermResponse) => Number(state === 'unknown');
  return terms.toSorted((a, b) => isUnknown(a) - isUnknown(b));
}

function afterRemoval({ term, declared }: VendorTermResponse): string {
  if (!declared) return 'The vendor’s term is unknown, so the data is used without restriction.';
  return `The vendor’s term applies again: ${ruleText(term, declared.value)}.`;
}

interface TermRowProps {
  term: VendorTermResponse;
  isPending: boolean;
  onOpen: (dialog: 'override' | 'remove' | 'accept') => void;
  onDecline: () => void;
}

function TermRow({ term: row, isPending, onOpen, onDecline }: TermRowProps) {
  const { term, declared, override, answer: response } = row;
  const name = TERM_NAMES[term];
  return (
    <tr>
      <td className="nobreak">{name}</td>
      <td className="long">
        {declared ? (
          <>
            {ruleText(term, declared.value)}
            <div className="muted small">{sourceText(declared)}</div>
          </>
        ) : (
          <span className="muted">not known</span>
        )}
      </td>
      <td className="long">
        <InForce term={row} />
      </td>
      <td>
        <div className="actions">
          {response?.answer === 'declined' && (
            <button type="button" aria-label={`Accept ${name}`} onClick={() => onOpen('accept')}>
              Accept…
            </button>
          )}
          {response?.answer === 'accepted' && (
            <button type="button" aria-label={`Decline ${name}`} disabled={isPending} onClick={onDecline}>
              Decline
            </button>
          )}
          <button
            type="button"
            aria-label={override ? `Change the override of ${name}` : `Override ${name}`}
            onClick={() => onOpen('override')}
          >
            {override ? 'Change…' : 'Override…'}
          </button>
          {override && (
            <button type="button" aria-label={`Remove the override of ${name}`} onClick={() => onOpen('remove')}>
              Remove…
            </button>
          )}
        </div>
      </td>
    </tr>
  );
}

/** Effect of a term and the source of the decision. */
function InForce({ term }: { term: VendorTermResponse }) {
  const { state, value, override, answer: response } = term;
  return (
    <>
      {state === 'unknown' ? <span className="muted">{effectText(term)}</span> : effectText(term)}
      {state === 'asks' && (
        <div>
          <span className="badge warn">needs your answer</span>
        </div>
      )}
      {override && (
        <div className="muted small">
          <span className="badge plain">override</span> {state !== 'allows' && `${ruleText(term.term, value)}. `}
          {override.reason} ({override.changed_by}, <Instant at={override.changed_at} />)
        </div>
      )}
      {response && (
        <div className="muted small">
          {response.answer === 'accepted' ? 'Accepted' : 'Declined'} by {response.answered_by},{' '}
          <Instant at={response.answered_at} />
        </div>
      )}
    </>
  );
}
