import { printPromise, whole } from './print.ts'
import type { Times } from './quantile.ts'
import { benchRegions, type RegionName } from './regions.ts'

/** The region that is killed: us, or eu, where people of both meet. */
const { REGIONS_PEOPLE = '2000', REGIONS_SECONDS = '60', REGIONS_KILL = 'us' } = process.env

const times = ({ p50, p99, max }: Times) => `p50 ${whole(p50)}, p99 ${whole(p99)}, last ${whole(max)} ms`

export const regionsBench = {
  async regions() {
    const victim: RegionName = REGIONS_KILL === 'eu' ? 'eu' : 'us'
    const run = await benchRegions(Number(REGIONS_PEOPLE), Number(REGIONS_SECONDS), victim)
    const { within, between, waitWithin, waitBetween, victims, placed, talking, othersTalking } = run
    const share = ((100 * within) / Math.max(1, within + between)).toFixed(1)
    console.log(
      `measured  ${whole(run.people)} people in two regions: ${share} % of ${whole(within + between)} matches within a region; waits ${times(waitWithin)}, between regions ${times(waitBetween)}`,
    )
    console.log(
      `measured  those left over in each region when everybody had come met after a search of ${run.leftOver.map(whole).join(' and ')} ms`,
    )
    printPromise(
      talking.max < 10_000 && run.odd === 0,
      `the region ${victim} killed with its Redis: its ${whole(victims)} people in the hub again after ${times(placed)}, talking after ${times(talking)}; ${run.odd} people not in one match of two`,
    )
    console.log(
      `measured  the other ${whole(run.survivors)} people: a message delivered after ${times(othersTalking)}; ${whole(run.kept)} of ${whole(run.couldKeep)} calls inside their region go on`,
    )
  },
}
