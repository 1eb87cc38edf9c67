import { Icon } from '../icon.tsx'

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
