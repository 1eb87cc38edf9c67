import type { ReactNode } from 'react'

/** Line drawings on a 24 by 24 grid, in the colour of the text; the control around them has the name. */
function Icon({ children, className }: { children: ReactNode; className?: string | undefined }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width="24"
      height="24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className={className}
    >
      {children}
    </svg>
  )
}

export const HomeIcon = () => (
  <Icon>
    <path d="M4 11.5 12 4l8 7.5M6 10v9.5h4.5V14h3v5.5H18V10" />
  </Icon>
)

export const MoreIcon = () => (
  <Icon>
    <path d="M5 12h.01M12 12h.01M19 12h.01" strokeWidth="3" />
  </Icon>
)

export const CloseIcon = () => (
  <Icon>
    <path d="m6 6 12 12M18 6 6 18" />
  </Icon>
)

export const CalendarIcon = () => (
  <Icon>
    <path d="M5 6h14a1 1 0 0 1 1 1v12a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1zM4 10.5h16M8 3.5V8M16 3.5V8" />
  </Icon>
)

export const CallIcon = ({ className }: { className?: string | undefined }) => (
  <Icon className={className}>
    <path d="M4.5 7.5A1.5 1.5 0 0 1 6 6h7a1.5 1.5 0 0 1 1.5 1.5v9A1.5 1.5 0 0 1 13 18H6a1.5 1.5 0 0 1-1.5-1.5zM14.5 11l5-3v8l-5-3" />
  </Icon>
)

export const WarningIcon = () => (
  <Icon>
    <path d="M12 4 2.8 19.5h18.4zM12 10v4.5M12 17.2h.01" />
  </Icon>
)

const social = {
  linkedin: (
    <path d="M5 4h14a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1zM8 11v5M8 8v.01M12 16v-5M12 13c0-2.7 4-2.7 4 0v3" />
  ),
  twitter: <path d="m4.5 4.5 11 15h4l-11-15zM19 4.5l-6 6.4M5 19.5l6-6.4" />,
  instagram: (
    <>
      <rect x="4" y="4" width="16" height="16" rx="4.5" />
      <circle cx="12" cy="12" r="3.6" />
      <path d="M16.6 7.4v.01" />
    </>
  ),
  facebook: (
    <>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M14.8 8.2H14c-1.2 0-1.8.7-1.8 1.8v10.4M9.8 13h4.6" />
    </>
  ),
  whatsapp: (
    <>
      <path d="m4 20 1.2-4.2a8.2 8.2 0 1 1 3.1 3z" />
      <path d="M9.2 8.4c-.8 2.6 3.5 7 6.2 6.3M9.2 8.4l1 2M15.4 14.7l-1.8-1" />
    </>
  ),
  snapchat: (
    <path d="M12 4c-2.7 0-4.2 1.9-4.2 4.4v2.1l-1.6-.5c0 1.6 1.2 1.9 1.6 2.2-.4 1.7-1.7 3-3.3 3.6.4 1.2 2 1 2.6 1.4.4.3.1 1 .8 1.2.8.2 1.7-.3 2.4.2.5.4 1 .9 1.7.9s1.2-.5 1.7-.9c.7-.5 1.6 0 2.4-.2.7-.2.4-.9.8-1.2.6-.4 2.2-.2 2.6-1.4-1.6-.6-2.9-1.9-3.3-3.6.4-.3 1.6-.6 1.6-2.200l-1.6.5V8.400C16.2 5.9 14.7 4 12 4z" />
  ),
  youtube: (
    <>
      <rect x="3" y="6" width="18" height="12" rx="3.5" />
      <path d="m10.5 9.5 4 2.5-4 2.500z" />
    </>
  ),
  tiktok: <path d="M13 4v11.200a3.3 3.3 0 1 1-3.3-3.300M13 4c.3 2.7 2 4.4 4.7 4.6" />,
}

export type SocialName = keyof typeof social

export const SocialIcon = ({ name }: { name: SocialName }) => <Icon>{social[name]}</Icon>
