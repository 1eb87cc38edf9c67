import type { Storage } from '../domain/ports.ts'

export type AssetStore = ReturnType<typeof createAssetStore>

type Ports = {
  storage: Storage<Blob>
  fetchPicture: (url: string) => Promise<Blob>
  urls: { make(blob: Blob): string; revoke(url: string): void }
}

/** Pictures of the product itself, fetched once and then kept in this browser. */
export function createAssetStore({ storage, fetchPicture, urls }: Ports) {
  /** By path: the address of the kept picture, null while it is on its way or where it cannot be had. */
  const known = new Map<string, string | null>()

  async function load(path: string): Promise<Blob> {
    const kept = await storage.get(path)
    if (kept instanceof Blob) return kept
    const blob = await fetchPicture(path)
    await storage.set(path, blob)
    return blob
  }

  function begin(path: string): void {
    known.set(path, null)
    load(path).then(
      (blob) => {
        // Released in the meantime nobody would revoke it; asked for again, the first to come is enough.
        if (known.get(path) === null) known.set(path, urls.make(blob))
      },
      // The original path is shown, and is all there is to do.
      () => {},
    )
  }

  return {
    /** Where the picture is now: the kept one, or the original path, which nobody has to wait for. */
    url(path: string): string {
      if (!known.has(path)) begin(path)
      return known.get(path) ?? path
    },

    /** Lets go of the pictures in memory; called when nothing shows them any more. */
    release(): void {
      for (const url of known.values()) if (url !== null) urls.revoke(url)
      known.clear()
    },
  }
}
