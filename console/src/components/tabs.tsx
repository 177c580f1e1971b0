import { useEffect, useRef } from 'react';
import { NavLink, type To, useLocation } from 'react-router';

interface TabsProps {
  label: string;
  tabs: readonly { title: string; to: To }[];
}

/** Tabs. On narrow screens they scroll horizontally and the active tab stays visible. */
export function Tabs({ label, tabs }: TabsProps) {
  const bar = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new path activates another tab
  useEffect(() => {
    const open = bar.current?.querySelector<HTMLElement>('.active');
    if (!bar.current || !open) return;
    bar.current.scrollLeft = open.offsetLeft - (bar.current.clientWidth - open.offsetWidth) / 2;
  }, [pathname]);
  return (
    <nav className="tabs" aria-label={label} ref={bar}>
      {tabs.map(({ title, to }) => (
        <NavLink key={title} to={to}>
          {title}
        </NavLink>
      ))}
    </nav>
  );
}
