import { useEffect, useRef } from 'react';
import { NavLink, type To, useLocation } from 'react-router';

interface TabsProps {
  label: string;
  tabs: readonly { title: string; to: To }[];
}

/** Pages beside each other. On a narrow screen they scroll sideways, and the open one is in sight. */
export function Tabs({ label, tabs }: TabsProps) {
  const bar = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path makes another tab the open one
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
