/** Returns the opaque name under which `viewer` knows `peer`; the same pair always gives the same name. */
export type AliasOf = (viewer: string, peer: string) => string

/** `digest` is a keyed one-way function: without its key an alias does not reveal the account. */
export function createAliasOf(digest: (text: string) => string): AliasOf {
  return (viewer, peer) => digest(JSON.stringify([viewer, peer]))
}
