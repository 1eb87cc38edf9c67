/** Links to the public pages in the top bar and the footer. */
export const HOME = { to: '/', text: 'frame.home' } as const
export const PRIVACY = { to: '/privacy-notice', text: 'frame.privacy' } as const
export const TERMS = { to: '/terms-of-service', text: 'frame.terms' } as const
export const TRANSPARENCY = { to: '/transparency', text: 'frame.transparency' } as const
export const SERVICE_STATUS = { to: '/status', text: 'frame.service-status' } as const
export const REPORT_CONTENT = { to: '/report-content', text: 'frame.report-content' } as const
export const ABOUT = { to: '/about', text: 'frame.about' } as const
