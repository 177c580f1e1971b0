import { useEffect, useRef, useState } from 'react';

const PAUSE_MS = 250;

interface SearchBoxProps {
  label: string;
  /** The search in the address. */
  value: string;
  onSearch: (text: string) => void;
}

/** Searches when the typing pauses; follows the address when that changes by itself (back, forward). */
export function SearchBox({ label, value, onSearch }: SearchBoxProps) {
  const [text, setText] = useState(value);
  const reported = useRef(value);
  const search = useRef(onSearch);
  search.current = onSearch;
  useEffect(() => {
    if (value === reported.current) return;
    reported.current = value;
    setText(value);
  }, [value]);
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === reported.current) return;
    const timer = setTimeout(() => {
      reported.current = wanted;
      search.current(wanted);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <input
      type="search"
      placeholder={label}
      aria-label={label}
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  );
}
