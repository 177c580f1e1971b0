import { type DragEvent, useEffect, useRef, useState } from 'react';
import { Command } from '../../components/command.js';
import { Problem } from '../../components/problem.js';
import { Progress } from '../../components/progress.js';
import { formatBytes } from '../../format.js';
import { useUploadExport } from '../../hooks/use-runs.js';
import { ImportRun } from './import-run.js';

/** Takes an export file by choice or by drop, and follows it until it is read. */
export function ImportPanel({ userId }: { userId: string }) {
  const [over, setOver] = useState(false);
  const [sent, setSent] = useState(0);
  const abort = useRef<AbortController>(undefined);
  const upload = useUploadExport(userId);
  const send = (file: File) => {
    abort.current = new AbortController();
    setSent(0);
    upload.mutate({ file, signal: abort.current.signal, onProgress: setSent });
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
          <span className="muted">or drop a health export here: .zip as the phone writes it, .xml or .xml.gz</span>
        </div>
      )}
      {upload.error && upload.error.name !== 'AbortError' && <Problem error={upload.error} />}
      {upload.data && !upload.isPending && <ImportRun runId={upload.data.run_id} userId={userId} />}
      <Command line={`healthctl import export.zip --user ${userId}`} />
    </section>
  );
}

function FileButton({ onFile }: { onFile: (file: File) => void }) {
  return (
    <label className="button primary">
      Import a file
      <input
        type="file"
        className="unseen"
        accept=".zip,.xml,.gz"
        onChange={(event) => {
          const file = event.target.files?.[0];
          // Empty again, so that the same file can be chosen twice in a row.
          event.target.value = '';
          if (file) onFile(file);
        }}
      />
    </label>
  );
}

/** An upload ends with its page: the browser asks first. */
function useLeaveWarning(active: boolean): void {
  useEffect(() => {
    if (!active) return undefined;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [active]);
}
