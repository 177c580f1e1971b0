import { SECONDS_PER_DAY, SECONDS_PER_HOUR } from '@healthd/model';
import type { ApiKeyResponse } from '@healthd/schemas';
import { useState } from 'react';
import { Dialog } from '../../components/dialog.js';
import { Problem } from '../../components/problem.js';
import { Secret } from '../../components/secret.js';
import { useRotateApiKey } from '../../hooks/use-api-keys.js';

const GRACES = [
  [0, 'ends now'],
  [SECONDS_PER_HOUR, 'works for another hour'],
  [SECONDS_PER_DAY, 'works for another day'],
  [7 * SECONDS_PER_DAY, 'works for another week'],
] as const;

/** Replaces a key after a choice of how long the old one goes on, and shows the new one once. */
export function RotateApiKeyDialog({ apiKey, onClose }: { apiKey: ApiKeyResponse; onClose: () => void }) {
  const [grace, setGrace] = useState<number>(SECONDS_PER_DAY);
  const rotate = useRotateApiKey(apiKey.id);
  if (rotate.data) {
    return (
      <Dialog title={`The new key of “${apiKey.name}”`} locked onClose={onClose}>
        <Secret text={rotate.data.key} onClose={onClose}>
          Copy it now: it is shown only here. The old key {GRACES.find(([seconds]) => seconds === grace)?.[1]}.
        </Secret>
      </Dialog>
    );
  }
  return (
    <Dialog title={`Rotate “${apiKey.name}”?`} locked={rotate.isPending} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          rotate.mutate(grace);
        }}
      >
        <p>Makes a new key with the same name, rights and expiry. Programs have to change over to it.</p>
        <label>
          The old key
          <select value={grace} onChange={({ target }) => setGrace(Number(target.value))}>
            {GRACES.map(([seconds, words]) => (
              <option key={seconds} value={seconds}>
                {words}
              </option>
            ))}
          </select>
        </label>
        {rotate.error && <Problem error={rotate.error} />}
        <div className="row end">
          <button type="button" disabled={rotate.isPending} onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="primary" disabled={rotate.isPending}>
            Rotate
          </button>
        </div>
      </form>
    </Dialog>
  );
}
