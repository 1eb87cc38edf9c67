/** Greatest age of an answer that is used: the user may have signed in or out since then. */
const FRESH_MS = 10_000

/**
 * The answer to the first request of a visit. The request is sent when the visit begins, while the page that needs the
 * answer is still being opened.
 */
export function createStartAnswer(send: () => Promise<Response>, now: () => number) {
  let asked: { answer: Promise<Response>; at: number } | null = null
  const isThere = () => asked !== null && now() - asked.at <= FRESH_MS

  return {
    /**
     * Sends the request; an earlier answer that nobody took may be outdated and is dropped. Resolves when the request has ended or failed.
     */
    async askAhead(): Promise<void> {
      const answer = send()
      asked = { answer, at: now() }
      await answer.catch(() => {})
    },
    /** True if the answer can be given to a request now. */
    isThere,
    /** Returns the answer, once; null if there is none. Rejects if the request failed. */
    take(): Promise<Response> | null {
      const taken = isThere() ? asked : null
      asked = null
      return taken?.answer ?? null
    },
  }
}
