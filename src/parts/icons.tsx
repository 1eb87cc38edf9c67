import { Icon } from './icon.tsx'

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
