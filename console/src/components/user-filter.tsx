import type { UserResponse } from '@healthd/schemas';
import { X } from 'lucide-react';
import { useId, useState } from 'react';
import { userName } from '../format.js';
import { useUser, useUserSuggestions } from '../hooks/use-users.js';

interface UserFilterProps {
  /** Id of the user that filters the list. */
  value: string | undefined;
  onChange: (userId: string | undefined) => void;
  /** Placeholder without a selected user. */
  placeholder?: string;
}

/** Filters a list by user. Searches by name, email or id prefix. */
export function UserFilter({ value, onChange, placeholder = 'Any user' }: UserFilterProps) {
  if (value !== undefined) return <SelectedUser userId={value} onRemove={() => onChange(undefined)} />;
  return <UserSearch onChoose={onChange} placeholder={placeholder} />;
}

interface UserSearchProps {
  onChoose: (userId: string) => void;
  placeholder: string;
}

function UserSearch({ onChoose, placeholder }: UserSearchProps) {
  const [text, setText] = useState('');
  const list = useId();
  const suggestions = useUserSuggestions(text).users.map((user) => ({
    id: user.id,
    label: labelOf(user),
  }));
  const type = (typed: string) => {
    setText(typed);
    const chosen = suggestions.find(({ label }) => label === typed);
    if (chosen) onChoose(chosen.id);
  };
  return (
    <>
      <input
        type="search"
        aria-label="User"
        placeholder={placeholder}
        list={list}
        value={text}
        onChange={({ target }) => type(target.value)}
      />
      <datalist id={list}>
        {suggestions.map(({ id, label }) => (
          <option key={id} value={label} />
        ))}
      </datalist>
    </>
  );
}

/** Returns an option's text with all searchable fields, because the browser filters options by their text. */
function labelOf(user: UserResponse): string {
  const name = userName(user);
  return [name, user.email !== name && user.email, user.id.slice(0, 8)].filter(Boolean).join(' · ');
}

function SelectedUser({ userId, onRemove }: { userId: string; onRemove: () => void }) {
  const user = useUser(userId);
  const name = user.data ? userName(user.data) : userId.slice(0, 8);
  return (
    <button type="button" className="chip" onClick={onRemove} aria-label={`Remove the filter: ${name}`}>
      {name} <X className="icon" aria-hidden="true" />
    </button>
  );
}
