import { type DragEvent, useEffect, useRef, useState } from 'react';
import { Command } from '../../components/command.js';
import { Problem } from '../../components/problem.js';
import { Progress } from '../../components/progress.js';
import { formatBytes } from '../../format.js';
import { useUploadExport } from '../../hooks/use-runs.js';
import type { ImportHow } from '../../upload.js';
import { ImportRun } from './import-run.js';

/** Imports a selected or dropped export file and shows progress. */
export function ImportPanel({ userId }: { userId: string }) {
  const [over, setOver] = useState(false);
  const [sent, setSent] = useState(0);
  const abort = useRef<AbortController>(undefined);
  const upload = useUploadExport(userId);
  const [how, setHow] = useState<ImportHow>({ mode: 'merge', isDryRun: false });
  const send = (file: File) => {
    abort.current = new AbortController();
    setSent(0);
    upload.mutate({ file, how, signal: abort.current.signal, onProgress: setSent });
  };
  useLeaveWarning(upload.isPending);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer.files[0];
    if (file && !upload.isPending) send(file);
  };
  return (
    <section
      className={over ? 'card drop over' : 'card drop'}
      aria-label="Import"
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      {upload.isPending ? (
        <div className="sending">
          <span>
            Uploading {upload.variables.file.name} ({formatBytes(upload.variables.file.size)})
          </span>
          <Progress value={sent} name="Upload" />
          <button type="button" onClick={() => abort.current?.abort()}>
            Cancel
          </button>
        </div>
      ) : (
        <div className="row">
          <FileButton onFile={send} />
          <HowToImport how={how} onHow={setHow} />
          <span className="muted">or drop a health export here: .zip, .xml or .xml.gz</span>
        </div>
      )}
      {upload.error && upload.error.name !== 'AbortError' && <Problem error={upload.error} />}
      {upload.data && !upload.isPending && (
        <ImportRun runId={upload.data.run_id} userId={userId} isDryRun={upload.variables.how.isDryRun} />
      )}
      <Command
        line={`healthctl import export.zip --user ${userId}${how.mode === 'replace' ? ' --replace' : ''}${how.isDryRun ? ' --dry-run' : ''}`}
      />
    </section>
  );
}

/** Selects the import mode and the dry run. */
function HowToImport({ how, onHow }: { how: ImportHow; onHow: (how: ImportHow) => void }) {
  return (
    <>
      <select
        aria-label="Import mode"
        value={how.mode}
        onChange={({ target }) => onHow({ ...how, mode: target.value as ImportHow['mode'] })}
      >
        <option value="merge">Add to stored data</option>
        <option value="replace">Replace data of earlier files</option>
      </select>
      <label className="check">
        <input
          type="checkbox"
          checked={how.isDryRun}
          onChange={({ target }) => onHow({ ...how, isDryRun: target.checked })}
        />
        Dry run: preview the changes first
      </label>
    </>
  );
}

function FileButton({ onFile }: { onFile: (file: File) => void }) {
  return (
    <label className="button primary">
      Import file
      <input
        type="file"
        className="unseen"
        accept=".zip,.xml,.gz"
        onChange={(event) => {
          const file = event.target.files?.[0];
          // Resets the input, so that the same file can be selected again.
          event.target.value = '';
          if (file) onFile(file);
        }}
      />
    </label>
  );
}

/** Warns before leaving the page, because leaving cancels the upload. */
function useLeaveWarning(active: boolean): void {
  useEffect(() => {
    if (!active) return undefined;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [active]);
}
