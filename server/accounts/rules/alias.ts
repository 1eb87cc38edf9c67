import type { AliasOf } from '../../platform/rules/ports.ts'

/** `digest` is a keyed one-way function: without its key an alias leads to nobody. */
export function createAliasOf(digest: (text: string) => string): AliasOf {
  return (viewer, peer) => digest(JSON.stringify([viewer, peer]))
}
