import { useCallback, useEffect, useRef, useState } from 'react';

const PAUSE_MS = 250;

interface SearchBoxProps {
  label: string;
  /** Search text in the URL. */
  value: string;
  onSearch: (text: string) => void;
}

/** Searches when typing pauses. Follows URL changes from back and forward. */
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
  const report = useCallback(() => {
    const query = text.trim();
    if (query === reported.current) return;
    reported.current = query;
    search.current(query);
  }, [text]);
  useEffect(() => {
    const timer = setTimeout(report, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [report]);
  return (
    <input
      type="search"
      placeholder={label}
      aria-label={label}
      value={text}
      onChange={(event) => setText(event.target.value)}
      // Searches immediately. A later search would navigate back from an opened result.
      onBlur={report}
    />
  );
}
