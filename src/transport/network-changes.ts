type NavigatorWithConnection = Navigator & { readonly connection?: EventTarget & { readonly type?: string } }

/** Calls the listener when this device changes to another network or comes back to one; the answer ends that. */
export function onNetworkChange(listener: () => void): () => void {
  const { connection } = navigator as NavigatorWithConnection
  let kind = connection?.type
  // It also fires when only the estimate of the speed changes.
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
