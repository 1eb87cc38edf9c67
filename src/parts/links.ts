/** The pages that anybody may open, as the bar and the footer link to them. */
export const HOME = { to: '/', text: 'Home' } as const
export const PRIVACY = { to: '/privacy-notice', text: 'Data Privacy' } as const
export const TERMS = { to: '/terms-of-service', text: 'Terms & Conditions' } as const
export const ABOUT = { to: '/about', text: 'About Us' } as const
