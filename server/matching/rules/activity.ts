/** How many users search for a match, and how many are in a call. */
export type ActivityCounts = { searching: number; talking: number }

/** The numbers of users who search and who talk, over all servers. */
export interface Activity {
  counts(): ActivityCounts
  /** `read` returns the counts of this server; each user is counted by one server only. */
  countHere(read: () => ActivityCounts): void
}

/** The activity of a server that is the only one. */
export function createActivity(): Activity {
  let readHere = (): ActivityCounts => ({ searching: 0, talking: 0 })
  return {
    counts: () => readHere(),
    countHere(read) {
      readHere = read
    },
  }
}
