/** Returns a function that runs `task`, at most `limit` times at the same time. Further calls wait in their order. */
export function limitConcurrency<Args extends unknown[], Result>(
  limit: number,
  task: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (...args) => {
    if (running < limit) running += 1
    // A finished call passes its slot to the call that waits longest.
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await task(...args)
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
