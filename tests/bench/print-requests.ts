import { printRatio, whole } from './print.ts'
import { benchRecords, benchRequests } from './requests.ts'

/** The benches of the server's requests and of its records, by name on the command line. */
export const requestBenches = {
  async requests() {
    const { metrics, bytes, pictureBytes } = await benchRequests()
    for (const { what, perSecond, p50, p99, server } of metrics) {
      const times = `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${server.toFixed(2)} ms of the server's processors`
      console.log(`measured  ${whole(perSecond)} requests a second: ${what}, 16 at once, ${times}`)
    }
    console.log(
      `measured  ${whole(bytes / 1024)} KB of database for 1,000 users, and ${whole(pictureBytes)} bytes a picture`,
    )
  },

  async records() {
    const { sqlite, shared } = await benchRecords()
    for (const name of ['signIn', 'profile'] as const) {
      const [ours, theirs] = [shared[name], sqlite[name]]
      const times = `p50 ${ours.p50.toFixed(1)} against ${theirs.p50.toFixed(1)} ms`
      printRatio({
        what: `requests a second with PostgreSQL: ${ours.what}`,
        against: 'SQLite',
        ratio: ours.perSecond / theirs.perSecond,
        bar: 0.5,
        better: 'higher',
        detail: `${whole(ours.perSecond)} against ${whole(theirs.perSecond)}, ${times}`,
      })
    }
  },
}
