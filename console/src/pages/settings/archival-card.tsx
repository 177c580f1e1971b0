import type { Archival } from '@healthd/schemas';
import { useState } from 'react';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { Problem } from '../../components/problem.js';
import { type ArchivalSettings, useArchivalPreview, useRunArchival, useSetArchival } from '../../hooks/use-archival.js';
import { usePaused } from '../../hooks/use-paused.js';
import { ArchivalPreview } from './archival-preview.js';

/** Typing pause before the preview starts. */
const TYPING_PAUSE_MS = 600;

/** Retention settings with a preview of their effect. */
export function ArchivalCard({ stored }: { stored: Archival }) {
  const [changed, setChanged] = useState<ArchivalSettings>();
  const [pending, setPending] = useState<'save' | 'run'>();
  const save = useSetArchival(() => setChanged(undefined));
  const run = useRunArchival();
  const settings = changed ?? stored.settings;
  const settled = usePaused(settings, TYPING_PAUSE_MS);
  const preview = useArchivalPreview(settled);
  const isTyping = !isSame(settled, settings);
  const isOff = settings.archive_after_days === null && settings.delete_after_days === null;
  return (
    <section className="card" aria-label="Archival">
      <header>
        <h2>Archival and retention</h2>
        <span className="muted">daily at 03:00 UTC</span>
      </header>
      <div className="body archival">
        <DaysField
          label="Archive samples after"
          help="Older samples become daily figures and are removed from time series."
          most={3650}
          value={settings.archive_after_days}
          onChange={(days) => setChanged({ ...settings, archive_after_days: days })}
        />
        <DaysField
          label="Delete data after"
          help="Older samples and daily figures are deleted. You cannot restore them."
          most={7300}
          value={settings.delete_after_days}
          onChange={(days) => setChanged({ ...settings, delete_after_days: days })}
        />
        {stored.warnings.map((warning) => (
          <p key={warning} className="problem">
            {warning}
          </p>
        ))}
        {isOff ? (
          <p className="muted">All data is kept forever.</p>
        ) : (
          <ArchivalPreview preview={preview} stale={isTyping} />
        )}
        {save.error && <Problem error={save.error} />}
        {run.error && <Problem error={run.error} />}
        {run.isSuccess && (
          <div className="notice" role="status">
            Archiving started.
          </div>
        )}
        <div className="row end">
          {changed ? (
            <>
              <button type="button" onClick={() => setChanged(undefined)}>
                Discard
              </button>
              <button
                type="button"
                className="primary"
                disabled={!isOff && (isTyping || !preview.isSuccess)}
                onClick={() => setPending('save')}
              >
                Save…
              </button>
            </>
          ) : (
            <button type="button" disabled={run.isPending || isOff} onClick={() => setPending('run')}>
              Archive now…
            </button>
          )}
        </div>
      </div>
      {pending === 'run' && (
        <ConfirmDialog
          title="Archive and delete now?"
          action="Archive now"
          onConfirm={() => run.mutateAsync(undefined)}
          onClose={() => setPending(undefined)}
        >
          {words(stored.settings)} The numbers of affected samples are shown above.
        </ConfirmDialog>
      )}
      {pending === 'save' && changed && (
        <ConfirmDialog
          title="Change the retention of samples?"
          action="Save changes"
          onConfirm={() => save.mutateAsync(changed)}
          onClose={() => setPending(undefined)}
        >
          {words(changed)} Archival starts immediately.
        </ConfirmDialog>
      )}
    </section>
  );
}

function isSame(one: ArchivalSettings, other: ArchivalSettings): boolean {
  return one.archive_after_days === other.archive_after_days && one.delete_after_days === other.delete_after_days;
}

function words({ archive_after_days: archive, delete_after_days: remove }: ArchivalSettings): string {
  const archived = archive === null ? 'Nothing is archived.' : `Samples older than ${archive} days are archived.`;
  const deleted = remove === null ? 'Nothing is deleted.' : `Data older than ${remove} days is deleted permanently.`;
  return `${archived} ${deleted}`;
}

interface DaysFieldProps {
  label: string;
  help: string;
  /** Maximum number of days. */
  most: number;
  value: number | null;
  onChange: (days: number | null) => void;
}

/** Number of days; empty means never. */
function DaysField({ label, help, most, value, onChange }: DaysFieldProps) {
  return (
    <label className="days">
      {label}
      <span className="row">
        <input
          type="number"
          min={1}
          max={most}
          placeholder="never"
          value={value ?? ''}
          onChange={({ target }) => onChange(daysOf(target.value, most))}
        />
        <span>days</span>
      </span>
      <small className="muted">{help}</small>
    </label>
  );
}

function daysOf(text: string, most: number): number | null {
  const days = Math.trunc(Number(text));
  return text === '' || !Number.isFinite(days) ? null : Math.min(most, Math.max(1, days));
}
