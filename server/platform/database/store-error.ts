/** Thrown when the records cannot be opened; the message is the one line an operator reads. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
}
