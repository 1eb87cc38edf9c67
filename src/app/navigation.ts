type Go = (path: string) => void

/** Lets what is outside of React change the screen. Before the router is there, the last wish is kept for it. */
export type Navigation = { go: Go; bind(to: Go): () => void }

export function createNavigation(): Navigation {
  let router: Go | null = null
  let wish: string | null = null
  return {
    go(path) {
      if (router) router(path)
      else wish = path
    },
    bind(to) {
      router = to
      if (wish !== null) to(wish)
      wish = null
      return () => {
        router = null
      }
    },
  }
}
