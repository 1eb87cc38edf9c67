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

export const MicrophoneIcon = ({ off = false }: { off?: boolean }) => (
  <Icon>
    <path d="M12 4a2.5 2.5 0 0 1 2.5 2.5v5a2.5 2.5 0 0 1-5 0v-5A2.5 2.5 0 0 1 12 4zM6.5 11.5a5.5 5.5 0 0 0 11 0M12 17v3.5" />
    {off && <path d="M4 4l16 16" />}
  </Icon>
)

export const CameraIcon = ({ off = false }: { off?: boolean }) => (
  <Icon>
    <path d="M4.5 7.5A1.5 1.5 0 0 1 6 6h7a1.5 1.5 0 0 1 1.5 1.5v9A1.5 1.5 0 0 1 13 18H6a1.5 1.5 0 0 1-1.5-1.5zM14.5 11l5-3v8l-5-3" />
    {off && <path d="M4 4l16 16" />}
  </Icon>
)

export const FlipIcon = () => (
  <Icon>
    <path d="M5 12a7 7 0 0 1 12-5l2 2M19 4.5V9h-4.5M19 12a7 7 0 0 1-12 5l-2-2M5 19.5V15h4.5" />
  </Icon>
)

export const SettingsIcon = () => (
  <Icon>
    <path d="M4 7h9M19 7h1M4 17h1M11 17h9M16 4.8a2.2 2.2 0 1 1 0 4.4 2.2 2.2 0 0 1 0-4.4zM8 14.8a2.2 2.2 0 1 1 0 4.4 2.2 2.2 0 0 1 0-4.4z" />
  </Icon>
)
