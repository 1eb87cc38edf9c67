/**
 * Resolves with true if the server's page begins with another script than this page: after a deployment the server no
 * longer has the other files of this page. Never rejects.
 */
export async function isOutdated(): Promise<boolean> {
  const own = document.querySelector<HTMLScriptElement>('script[type="module"][src]')
  try {
    const response = await fetch('/', { cache: 'no-store' })
    return own !== null && response.ok && !(await response.text()).includes(new URL(own.src).pathname)
  } catch {
    // The device is offline, which the page shows.
    return false
  }
}
