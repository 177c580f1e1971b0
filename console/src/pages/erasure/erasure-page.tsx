import { ApiError } from '@healthd/client';
import { getErasure } from '@healthd/contract';
import type { Erasure } from '@healthd/schemas';
import { Copy, Download } from 'lucide-react';
import { useRef } from 'react';
import { useLocation, useParams } from 'react-router';
import { Commands } from '../../components/commands.js';
import { Instant } from '../../components/instant.js';
import { Loading } from '../../components/loading.js';
import { Problem } from '../../components/problem.js';
import { providerName } from '../../components/provider-name.js';
import { TableCard } from '../../components/table-card.js';
import { formatCount } from '../../format.js';
import { useCopy } from '../../hooks/use-copy.js';
import { useErasure } from '../../hooks/use-erasure.js';
import { usePageTitle } from '../../page-title.js';
import { saveFile } from '../../save-file.js';
import { quoted } from '../../shell-command.js';
import { NoSuchErasure } from './no-such-erasure.js';
import { CONSENT_WORDS, erasedKinds, receiptText } from './receipt.js';

/** Erasure receipt. It names the user only directly after the deletion. */
export function ErasurePage() {
  const { erasureId = '' } = useParams();
  const { state: arrival } = useLocation() as { state: { notice?: string } | null };
  const receipt = useErasure(erasureId);
  usePageTitle('Erasure receipt');
  if (receipt.error instanceof ApiError && [404, 422].includes(receipt.error.status))
    return <NoSuchErasure erasureId={erasureId} error={receipt.error} />;
  return (
    <>
      {arrival?.notice && (
        <div className="notice" role="status">
          {arrival.notice}
        </div>
      )}
      {receipt.error && <Problem error={receipt.error} retry={receipt.refetch} />}
      {receipt.isPending && <Loading />}
      {receipt.data && <Receipt receipt={receipt.data} />}
    </>
  );
}

function Receipt({ receipt }: { receipt: Erasure }) {
  const text = receiptText(receipt);
  const pre = useRef<HTMLPreElement>(null);
  const { copied, copy } = useCopy(text, pre);
  return (
    <>
      <div className="row spread">
        <h1>Erasure receipt</h1>
        <div className="row">
          <button type="button" onClick={copy}>
            <Copy className="icon" aria-hidden="true" /> {copied ? 'Copied' : 'Copy'}
          </button>
          <button
            type="button"
            onClick={() => saveFile(new Blob([`${text}\n`], { type: 'text/plain' }), `erasure-${receipt.id}.txt`)}
          >
            <Download className="icon" aria-hidden="true" /> Save
          </button>
          <span className="unseen" role="status">
            {copied ? 'Copied' : ''}
          </span>
        </div>
      </div>
      <p className="message">
        Erased on <Instant at={receipt.erased_at} />. This receipt does not identify the user.
      </p>
      <TableCard name="Erased data" heading columns={['Type', '#Erased']}>
        {erasedKinds(receipt).map(({ kind, count }) => (
          <tr key={kind}>
            <td>{kind}</td>
            <td className="number">{formatCount(count)}</td>
          </tr>
        ))}
      </TableCard>
      <TableCard
        name="Consents at vendors"
        heading
        stacked
        columns={['Provider', 'Consent']}
        empty="The user was not connected to any provider."
      >
        {receipt.connections.map(({ provider, consent }) => (
          <tr key={provider}>
            <td className="name">{providerName(provider)}</td>
            <td className="wide">
              <span className={`badge ${CONSENT_WORDS[consent].look}`}>{consent.replaceAll('_', ' ')}</span>{' '}
              {CONSENT_WORDS[consent].text}
            </td>
          </tr>
        ))}
      </TableCard>
      <p className="message muted">
        Earlier backups still contain the data. If a backup is restored, the service erases the data again, based on the
        entry of the erasure ledger with this hash: <code>{receipt.ledger_hash}</code>
      </p>
      <details className="card">
        <summary>Receipt as text</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
        <pre ref={pre} tabIndex={0}>
          {text}
        </pre>
      </details>
      <Commands
        healthctl={`healthctl users erasure ${quoted(receipt.id)}`}
        route={getErasure}
        input={{ params: { erasure_id: receipt.id } }}
      />
    </>
  );
}
