/** Message of a page to the waiting service worker: no tab is in a call, so activate. */
export const APPLY_UPDATE = 'apply-update'
