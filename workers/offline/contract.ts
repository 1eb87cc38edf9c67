/** Message of a page to the waiting service worker: no tab is in a call, so activate. */
export const APPLY_UPDATE = 'apply-update'

/** Message of a page to the service worker: fetch the stored landing page anew. */
export const REFRESH_PAGE = 'refresh-page'

/** Answer to `REFRESH_PAGE` if the server's configuration is not that of the page which was stored. */
export const CONFIG_CHANGED = 'config-changed'
