import { type KeyboardEvent, useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { Modal } from '../components/modal.js';
import { userName } from '../format.js';
import { useUserSuggestions } from '../hooks/use-users.js';
import { session } from '../session.js';
import { PAGE_GROUPS } from './pages.js';

interface Entry {
  words: string;
  /** Label of the entry type. */
  kind: string;
  choose: () => void;
}

/** Command palette for users, pages and actions. */
export function Palette({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const list = useId();
  const { entries, isSearching } = useEntries(text);
  const chosen = Math.min(at, entries.length - 1);
  const choose = (entry: Entry | undefined) => {
    if (!entry) return;
    onClose();
    entry.choose();
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setAt((chosen + step + entries.length) % Math.max(1, entries.length));
    } else if (event.key === 'Enter') choose(entries[chosen]);
  };
  return (
    <Modal className="dialog palette" label="Go to" closesOnClickOutside onClose={onClose}>
      <input
        type="search"
        role="combobox"
        aria-label="User, page or action"
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={entries[chosen] && `${list}-${chosen}`}
        placeholder="User, page or action"
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setAt(0);
        }}
        onKeyDown={press}
      />
      <div role="listbox" id={list} aria-label="Results">
        {entries.map((entry, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the focus and handles the keys
          <div
            key={`${entry.kind} ${entry.words}`}
            role="option"
            id={`${list}-${index}`}
            aria-selected={index === chosen}
            tabIndex={-1}
            onClick={() => choose(entry)}
          >
            {entry.words} <span className="muted">{entry.kind}</span>
          </div>
        ))}
      </div>
      {entries.length === 0 && <p className="muted">{isSearching ? 'Searching…' : 'No matches.'}</p>}
    </Modal>
  );
}

/** Returns matching pages and actions, then users. */
function useEntries(text: string): { entries: Entry[]; isSearching: boolean } {
  const navigate = useNavigate();
  const { users, isSearching } = useUserSuggestions(text);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const pages: Entry[] = PAGE_GROUPS.flat().map(([path, name]) => ({
    words: name,
    kind: 'page',
    choose: () => void navigate(path),
  }));
  const actions: Entry[] = [
    { words: 'Failed runs', kind: 'list', choose: () => void navigate('/runs?status=failed') },
    { words: 'Runs waiting for a retry', kind: 'list', choose: () => void navigate('/runs?status=retrying') },
    { words: 'Failing connections', kind: 'list', choose: () => void navigate('/connections?state=failing') },
    { words: 'Users without a connection', kind: 'list', choose: () => void navigate('/users?connection=none') },
    { words: 'Log out', kind: 'action', choose: () => void session.logOut() },
  ];
  const named = pages
    .concat(actions)
    .filter((entry) => words.every((word) => entry.words.toLowerCase().includes(word)));
  const userEntries = users.map((user) => ({
    words: userName(user),
    kind: `${user.email ?? ''} ${user.id.slice(0, 8)}`.trim(),
    choose: () => void navigate(`/users/${user.id}`),
  }));
  return { entries: named.concat(userEntries), isSearching };
}
