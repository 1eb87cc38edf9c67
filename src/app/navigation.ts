type Go = (path: string) => void

/** Lets code outside of React change the screen. Before the router is bound, the last path waits for it. */
export type Navigation = { go: Go; bind(to: Go): () => void }

export function createNavigation(): Navigation {
  let router: Go | null = null
  let pendingPath: string | null = null
  return {
    go(path) {
      if (router) router(path)
      else pendingPath = path
    },
    bind(to) {
      router = to
      if (pendingPath !== null) to(pendingPath)
      pendingPath = null
      return () => {
        router = null
      }
    },
  }
}
