import type { Storage } from '../../platform/ports.ts'

export type AssetStore = ReturnType<typeof createAssetStore>

type Ports = {
  storage: Storage<Blob>
  fetchPicture: (url: string) => Promise<Blob>
  urls: { make(blob: Blob): string; revoke(url: string): void }
}

/** The product's own pictures, fetched once and then stored in this browser. */
export function createAssetStore({ storage, fetchPicture, urls }: Ports) {
  /** Object URLs of the stored pictures by path; null while a picture is loading, and after a failure. */
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
        // After `release` no code would revoke the URL. If the picture was requested twice, the first URL is enough.
        if (known.get(path) === null) known.set(path, urls.make(blob))
      },
      // The original path is shown instead.
      () => {},
    )
  }

  return {
    /** Returns the URL of the stored picture, or the original path until the picture is loaded. */
    url(path: string): string {
      if (!known.has(path)) begin(path)
      return known.get(path) ?? path
    },

    /** Revokes the object URLs; called when no picture is shown any more. */
    release(): void {
      for (const url of known.values()) if (url !== null) urls.revoke(url)
      known.clear()
    },
  }
}
