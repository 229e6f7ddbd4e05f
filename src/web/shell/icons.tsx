import type { ReactNode } from 'react';

/** Inline, because an icon font or a sprite would be one more request. Hidden from screen readers: each has a label. */
function Icon({ children }: { children: ReactNode }) {
  return (
    <svg
      width="24"
      height="24"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

export const MenuIcon = () => (
  <Icon>
    <path d="M4 7h16M4 12h16M4 17h10" />
  </Icon>
);

export const CloseIcon = () => (
  <Icon>
    <path d="M6 6l12 12M18 6L6 18" />
  </Icon>
);

export const MailIcon = () => (
  <Icon>
    <path d="M3.5 6h17v12h-17zM4 6.5l8 6.5 8-6.5" />
  </Icon>
);

export const PeopleIcon = () => (
  <Icon>
    <circle cx="9" cy="8" r="3.25" />
    <path d="M3 19c.4-3.5 2.7-5.5 6-5.5s5.600 2 6 5.5M15.5 5.200a3.25 3.25 0 010 5.600M17.5 14c2 .7 3.200 2.400 3.5 5" />
  </Icon>
);

export const ArrowIcon = () => (
  <Icon>
    <path d="M5 12h14M13 6l6 6-6 6" />
  </Icon>
);

export const GlobeIcon = () => (
  <Icon>
    <path d="M3 12h18M12 3a9 9 0 010 18 9 9 0 010-18c-5 5-5 13 0 18 5-5 5-13 0-18" />
  </Icon>
);
