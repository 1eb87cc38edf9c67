export type Deferred<T> = { promise: Promise<T>; resolve: (value: T) => void; reject: (reason: unknown) => void }

/** Returns a promise and the functions that settle it. Chrome has `Promise.withResolvers` only since 119. */
export function deferred<T>(): Deferred<T> {
  let resolve!: Deferred<T>['resolve']
  let reject!: Deferred<T>['reject']
  const promise = new Promise<T>((fulfill, refuse) => {
    resolve = fulfill
    reject = refuse
  })
  return { promise, resolve, reject }
}
