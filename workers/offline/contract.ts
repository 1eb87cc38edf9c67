/** What a page tells the service worker that waits: no call is on, take over. */
export const APPLY_UPDATE = 'apply-update'
