/**
 * Runs `start`, in which a provider's SDK opens its window, and lends it `popup` in place of a new window, which the browser would
 * block: the click is long past. The SDK may also open it later, until the returned function is called.
 */
export function lendWindow(popup: Window, start: () => void): () => void {
  const { open } = window
  function takeBack(): void {
    window.open = open
  }
  window.open = (url, name) => {
    takeBack()
    // An SDK may send a form to its window by this name.
    if (name !== undefined && !name.startsWith('_')) popup.name = name
    if (url !== undefined && url !== '') popup.location.replace(url)
    return popup
  }
  try {
    start()
  } catch (thrown) {
    takeBack()
    throw thrown
  }
  return takeBack
}
