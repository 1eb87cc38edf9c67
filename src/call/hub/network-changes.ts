type NavigatorWithConnection = Navigator & { readonly connection?: EventTarget & { readonly type?: string } }

/** Subscribes to changes of the network and to its return. Returns a function that unsubscribes. */
export function onNetworkChange(listener: () => void): () => void {
  const { connection } = navigator as NavigatorWithConnection
  let kind = connection?.type
  // The event also fires when only the estimate of the speed changes.
  function changed(): void {
    if (connection?.type === kind) return
    kind = connection?.type
    if (kind !== 'none') listener()
  }
  connection?.addEventListener('change', changed)
  addEventListener('online', listener)
  return () => {
    connection?.removeEventListener('change', changed)
    removeEventListener('online', listener)
  }
}
