import { pathOf } from '../../scripts/programs.ts'
import { fuzzServer } from '../support/fuzz-run.ts'
import { runSeed } from '../support/run-seed.ts'
import { benchAttacks } from './attacks.ts'
import { brigadeReport } from './brigades.ts'
import { benchBundleSize } from './bundle-size.ts'
import { benchFiftyCalls, benchFirstMatch, benchIceRestart } from './call-life.ts'
import { benchCallSetup, benchSlowMatches } from './call-setup.ts'
import { printCurtain } from './curtain.ts'
import { benchDashboard } from './dashboard.ts'
import { evidenceReport } from './evidence.ts'
import { printCodecs } from './evidence-codecs.ts'
import { printFaults } from './faults.ts'
import { benchBoot, benchLandingPaint } from './first-screen.ts'
import { benchFleetMatches, benchFleetMemory, benchFleetRelay, benchSharedJoins } from './fleet.ts'
import { benchFrameIntake } from './frame-intake.ts'
import { benchFrames } from './frames.ts'
import { benchHubModel, benchHubSoak } from './hub-soak.ts'
import { benchJourney } from './journey.ts'
import { languagesReport } from './languages.ts'
import { benchLighthouse } from './lighthouse.ts'
import { benchLiveCall } from './live-call.ts'
import { manyMachines } from './many-machines.ts'
import { printBars } from './networks/bars.ts'
import { benchNetworks, textOf } from './networks/networks.ts'
import { printPictureStates } from './picture-states.ts'
import { printPromise, printRatio, whole } from './print.ts'
import { costBench } from './print-cost.ts'
import { printCurtainCall } from './print-curtain-call.ts'
import { eveningBench } from './print-evening.ts'
import { hubBenches } from './print-hub.ts'
import { profilingBench } from './print-profiling-cost.ts'
import { regionsBench } from './print-regions.ts'
import { requestBenches } from './print-requests.ts'
import { benchRelayCall } from './relay-call.ts'
import { printRequestLog } from './request-log.ts'
import { startBench } from './start/print-start.ts'
import { trustReport } from './trust.ts'
import { benchWorkerCalls } from './worker-calls.ts'

/**
 * Metrics of the product. A speed or a size is a ratio against a limit measured in the same run, beside the bar that the
 * product aims at; a promise is a count beside what it must be. Names on the command line choose among them.
 */

const benches = {
  async bundle() {
    const { ratio, splash, floor } = await benchBundleSize()
    printRatio({
      what: 'JavaScript of the splash route in brotli bytes',
      against: 'the smallest page of the same stack',
      ratio,
      bar: 1.1,
      better: 'lower',
      detail: `${whole(splash)} against ${whole(floor)}`,
    })
  },

  async landing() {
    const paint = await benchLandingPaint()
    printRatio({
      what: 'largest paint of the landing page on a slow phone',
      against: 'the same page without scripts',
      ratio: paint.ratio,
      bar: 1.1,
      better: 'lower',
      detail: `medians ${whole(paint.ours)} against ${whole(paint.other)} ms`,
    })
    const boot = await benchBoot()
    printRatio({
      what: 'UI-thread time of the start of the landing page at 4x',
      against: 'the smallest page of the same stack',
      ratio: boot.ratio,
      bar: 1.25,
      better: 'lower',
      detail: `medians ${boot.ours.toFixed(1)} against ${boot.other.toFixed(1)} ms`,
    })
  },

  ...startBench,

  async journey() {
    const { interactions, shift, scripts } = await benchJourney()
    printPromise(shift === 0, `the layout shifts by ${shift.toFixed(4)} from the first screen to the call`)
    const slow = interactions.filter(({ ms }) => ms > 100)
    const times = interactions.map(({ name, ms }) => `${name} ${ms}`).join(', ')
    printPromise(slow.length === 0, `${interactions.length} interactions at 4x in ms to the next frame: ${times}`)
    printRatio({
      what: 'all scripts before a call in brotli bytes, those of the workers included',
      against: "LiveKit's VideoConference",
      ratio: scripts.ratio,
      bar: 0.65,
      better: 'lower',
      detail: `${whole(scripts.all)} against 198,500; ${whole(scripts.workers)} of it is run by the workers`,
    })
  },

  async lighthouse() {
    for (const { category, score, failing } of await benchLighthouse()) {
      const bar = category === 'Performance' ? 95 : 100
      printPromise(score >= bar, `Lighthouse on a phone, ${category}: ${score} (bar ${bar}) ${failing.join('; ')}`)
    }
  },

  async call() {
    for (const [rate, bar] of [
      [1, 1.05],
      [4, 1.1],
    ] as const) {
      const { ratio, ours, bare } = await benchCallSetup(rate)
      printRatio({
        what: `match event to both first remote frames at ${rate}x`,
        against: 'two bare peer connections',
        ratio,
        bar,
        better: 'lower',
        detail: `medians ${whole(ours)} against ${whole(bare)} ms`,
      })
    }
  },

  async slowMatches() {
    const { matches, connected, firstWidth } = await benchSlowMatches()
    printPromise(connected === matches, `${connected} of ${matches} matches connect at 6x CPU slowdown`)
    printRatio({
      what: 'width of the first frame with a 720p camera',
      against: "the camera's",
      ratio: firstWidth / 1280,
      bar: 0.75,
      better: 'higher',
      detail: `${whole(firstWidth)} of 1,280`,
    })
  },

  async firstMatch() {
    const { ratio, ours, naive } = await benchFirstMatch()
    printRatio({
      what: 'match event to both first remote frames, first match of a fresh browser',
      against: 'a page that opens camera and connection at the match',
      ratio,
      bar: 0.55,
      better: 'lower',
      detail: `medians ${whole(ours)} against ${whole(naive)} ms`,
    })
  },

  async liveCall() {
    for (const { rate, slowdown, ratio, ours, bare } of await benchLiveCall()) {
      printRatio({
        what: `UI-thread time of a call that goes on at ${rate}x (really ${slowdown.toFixed(1)}x)`,
        against: 'a bare call page',
        ratio,
        bar: 1.5,
        better: 'lower',
        detail: `${ours.toFixed(2)} against ${bare.toFixed(2)} ms a second`,
      })
    }
  },

  ...profilingBench,

  async fiftyCalls() {
    const { connections, heap, memory } = await benchFiftyCalls()
    printPromise(connections === 0, `${connections} peer connections are left after 50 calls`)
    for (const [what, ratio, bar] of [
      ['JavaScript heap after 50 calls', heap, 1.03],
      ['memory of the page after 50 calls', memory, 1.05],
    ] as const)
      printRatio({
        what,
        against: 'the same after 10',
        ratio,
        bar,
        better: 'lower',
        detail: `ratio ${ratio.toFixed(3)}`,
      })
  },

  async iceRestart() {
    console.log(`measured  ${whole(await benchIceRestart())} ms from an ICE restart to the next picture, median`)
  },

  /**
   * Chosen by BENCH_NETWORKS (names of scripts/links/links.ts), BENCH_SIDES, BENCH_ROUNDS and BENCH_SECONDS (of a call). BENCH_RECORD is a folder for a file a
   * network with the statistics of a bare call, which the tests of the governor read.
   */
  async networks() {
    if (pathOf('coturn') === '') {
      console.log(
        'skipped  calls over bad networks: no coturn here (Debian: apt-get install coturn, or set COTURN_PATH)',
      )
      return
    }
    const rows = await benchNetworks()
    for (const row of rows) console.log(`measured  ${textOf(row)}`)
    printBars(rows)
  },

  async relayCall() {
    const measured = await benchRelayCall()
    if (!measured) {
      console.log('skipped  relay-only calls: no coturn here (Debian: apt-get install coturn, or set COTURN_PATH)')
      return
    }
    const { ratio, relayed, direct } = measured
    printRatio({
      what: 'match event to both first remote frames over the relay alone',
      against: 'the same directly',
      ratio,
      // On loopback the detour itself costs next to nothing: this is the browser's way to permissions and checks over TURN.
      bar: 1.75,
      better: 'lower',
      detail: `medians ${whole(relayed)} against ${whole(direct)} ms`,
    })
  },

  async frames() {
    for (const { size, rate, slowdown, ratio, ours, naive } of await benchFrames()) {
      printRatio({
        what: `UI-thread time of a captured ${size} frame at ${rate}x (really ${slowdown.toFixed(1)}x)`,
        against: 'drawImage and toBlob',
        ratio,
        bar: 0.2,
        better: 'lower',
        detail: `medians ${ours.toFixed(2)} against ${naive.toFixed(2)} ms`,
      })
    }
  },

  async frameIntake() {
    const { perSecond, roundTrips } = await benchFrameIntake()
    console.log(`measured  ${perSecond.toFixed(1)} frames a second checked, decoded and classified`)
    for (const { name, ratio, busy, idle } of roundTrips)
      printRatio({
        what: `hub round trip meanwhile, ${name}`,
        against: 'the same hub while no frames come',
        ratio,
        bar: 2,
        better: 'lower',
        detail: `${busy.toFixed(2)} against ${idle.toFixed(2)} ms`,
      })
  },

  async workerCalls() {
    const { calls, network, media, memory } = await benchWorkerCalls()
    for (const { rate, slowdown, api, chat } of calls) {
      const at = `at ${rate}x (really ${slowdown.toFixed(1)}x)`
      console.log(
        `measured  UI-thread ms ${at}: ${api.toFixed(3)} an API call, ${chat.toFixed(3)} a chat message there and back`,
      )
    }
    console.log(
      `measured  ${whole(network)} and ${whole(media)} ms from starting the network and media worker to the first response`,
    )
    console.log(`measured  ${whole(memory / 1024)} KB for both workers together`)
  },

  async dashboard() {
    for (const { rate, slowdown, ratio, dashboard, idle } of await benchDashboard()) {
      printRatio({
        what: `UI-thread time of a minute on the dashboard at ${rate}x (really ${slowdown.toFixed(1)}x)`,
        against: 'a page that shows the camera and idles',
        ratio,
        bar: 1.5,
        better: 'lower',
        detail: `${dashboard.toFixed(2)} against ${idle.toFixed(2)} ms a second`,
      })
    }
  },

  ...requestBenches,
  requestLog: printRequestLog,

  ...hubBenches,

  async languages() {
    for (const line of languagesReport()) console.log(`measured  ${line}`)
  },

  async fleet() {
    for (const { servers, rate, p50, p99 } of await benchFleetMatches())
      console.log(
        `measured  ${whole(rate)} matches a second at ${servers} server(s), wait p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)} ms`,
      )
    const relay = await benchFleetRelay()
    console.log(
      `measured  a message inside one server ${relay.near.toFixed(2)} ms (p99 ${relay.near99.toFixed(2)}), between two ${relay.far.toFixed(2)} (${relay.far99.toFixed(2)})`,
    )
    const costs = await benchSharedJoins()
    const [few, many] = costs
    const detail = costs.map(
      ({ waiting, hasWishes, microseconds, trip }) =>
        `${whole(microseconds)} µs at ${whole(waiting)} waiting ${hasWishes ? 'with' : 'without'} languages (a ping ${whole(trip)})`,
    )
    printPromise(
      (many?.microseconds ?? 0) < 2 * (few?.microseconds ?? 0),
      `cost of a join in Redis: ${detail.join(', ')}`,
    )
    console.log(`measured  ${whole(await benchFleetMemory())} bytes a connection at a server of a fleet`)
  },

  ...manyMachines,
  ...costBench,
  ...eveningBench,
  ...regionsBench,

  async faults() {
    await printFaults()
  },

  curtain: printCurtain,
  curtainCall: printCurtainCall,
  pictureStates: printPictureStates,

  async brigades() {
    for await (const line of brigadeReport()) console.log(line)
  },

  /** Honest people beside programs that fail them, with what puts these apart and without. */
  async trust() {
    for await (const line of trustReport()) console.log(line)
  },

  async evidence() {
    for (const line of await evidenceReport()) console.log(line)
  },

  evidenceCodecs: printCodecs,

  async fuzz() {
    const { heaps } = await fuzzServer(runSeed, 100_000)
    printRatio({
      what: 'heap after 100,000 requests and frames of any kind',
      against: 'the heap after the first 30 % of them',
      ratio: heaps[1] / heaps[0],
      bar: 1.15,
      better: 'lower',
      detail: `${whole(heaps[1])} against ${whole(heaps[0])} bytes`,
    })
  },

  async soak() {
    const { lost, doubled, reordered, resets, messages } = await benchHubSoak()
    printPromise(
      lost + doubled + reordered === 0,
      `${whole(messages)} messages both ways while ${resets} connections were reset: ${lost} lost, ${doubled} doubled, ${reordered} reordered`,
    )
  },

  async attacks() {
    const missed = await benchAttacks()
    if (missed.length > 0) process.exitCode = 1
    printPromise(missed.length === 0, `${missed.length} rows miss a bar ${missed.join(', ')}`)
  },

  async model() {
    const { steps } = await benchHubModel()
    printPromise(true, `matching kept its promises over ${whole(steps)} random steps`)
  },
}

const chosen = process.argv.slice(2)
const unknown = chosen.filter((name) => !(name in benches))
if (unknown.length > 0)
  throw new Error(`No such bench: ${unknown.join(', ')}. There are ${Object.keys(benches).join(', ')}.`)
for (const [name, run] of Object.entries(benches)) if (chosen.length === 0 || chosen.includes(name)) await run()
