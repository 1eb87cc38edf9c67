/** The landing page as the server sent it last, for the next visit. */
export const LANDING_PAGE = '/'

/** Every file of the build that the page names, in its scripts and its links. */
const ASSETS = /\/assets\/[\w.-]+/g
/** The block with the operator's configuration. */
const CONFIG = /<script type="application\/json"[^>]*>(.*?)<\/script>/s

const configIn = (html: string) => CONFIG.exec(html)?.[1] ?? ''

/**
 * `isCached` tells whether this version of the service worker has a file: a page of another version is not stored, since the server
 * may no longer have its files when the page is shown.
 */
export function createStoredPage(
  open: () => Promise<Pick<Cache, 'match' | 'put'>>,
  isCached: (path: string) => boolean,
  load: () => Promise<Response>,
) {
  // The page differs by cookies and by language. The last page is used whatever they are: the app shows its own language.
  const match = async () => (await open()).match(LANDING_PAGE, { ignoreVary: true })

  return {
    match,
    /** Asks the server for the page. Resolves with true if its configuration differs from that of the page stored before. */
    async refresh(): Promise<boolean> {
      const response = await load()
      if (!response.ok) return false
      const html = await response.clone().text()
      if (![...html.matchAll(ASSETS)].every(([path]) => isCached(path))) return false
      const before = await match()
      await (await open()).put(LANDING_PAGE, response)
      return before !== undefined && configIn(await before.text()) !== configIn(html)
    },
  }
}
