import { Gauge, type Registry } from 'prom-client'
import type { Presence } from '../hub/rules/presence.ts'
import type { NoticeCounts } from '../notices/rules/ports.ts'
import type { Clock } from '../platform/rules/clock.ts'
import { type Backlog, type HubCounts, type PriorityCases, regionLabel } from './rules/metrics.ts'

const SECOND_MS = 1_000

/** Values that are read at each scrape. */
export type Sources = {
  clock: Clock
  presence: Presence
  hub: () => HubCounts
  /** The number of people in the last minutes whose matches became calls, and of those whose matches did not. */
  callPeople: () => { good: number; bad: number }
  backlog: () => Promise<Backlog>
  priorityCases: (now: number) => Promise<PriorityCases>
  /** The services that the server depends on, by name; each function resolves while the service responds. */
  dependencies: Record<string, () => Promise<void>>
  /** Camera frames by outcome; null without a classifier. */
  frameCounts: Readonly<Record<string, number>> | null
  /** Content notices without an answer. */
  notices: () => Promise<NoticeCounts>
  /** Uploaded pictures by outcome. */
  pictureCounts: Readonly<Record<string, number>>
}

type Sample = [labels: Record<string, string>, value: number]
type ScrapedGauge = {
  name: string
  help: string
  labelNames?: string[]
  read: () => Sample[] | Promise<Sample[]>
}

function byLabel(label: string, values: Readonly<Record<string, number>>): Sample[] {
  return Object.entries(values).map(([key, value]) => [{ [label]: key }, value])
}

function peopleGauges({ presence, hub, callPeople }: Sources): ScrapedGauge[] {
  return [
    { name: 'waggle_online_users', help: 'People seen within the last minute', read: () => [[{}, presence.count()]] },
    { name: 'waggle_hub_connections', help: 'Connections of the hub', read: () => [[{}, hub().connections]] },
    { name: 'waggle_live_matches', help: 'Matches that have not ended', read: () => [[{}, hub().matches]] },
    {
      name: 'waggle_queue_people',
      help: 'Queue entries, by region if there are several: waiting, and away with an entry that is kept',
      labelNames: ['state', 'region'],
      read: () =>
        [...hub().queue].flatMap(([region, { waiting, away }]): Sample[] => [
          [{ ...regionLabel(region), state: 'waiting' }, waiting],
          [{ ...regionLabel(region), state: 'away' }, away],
        ]),
    },
    {
      name: 'waggle_call_people',
      help: 'People of the last five minutes by whether their matches became calls: good, bad; few of one network, and without people apart unless only these are there',
      labelNames: ['outcome'],
      read: () => byLabel('outcome', callPeople()),
    },
  ]
}

function caseGauges({ clock, backlog, priorityCases, notices }: Sources): ScrapedGauge[] {
  let reading: Promise<Backlog> | null = null
  /** The two gauges of a scrape share one reading. */
  function readBacklog(): Promise<Backlog> {
    reading ??= backlog().finally(() => {
      reading = null
    })
    return reading
  }
  return [
    {
      name: 'waggle_moderation_oldest_case_seconds',
      help: 'Age of the oldest report or finding without a decision, 0 without any',
      async read() {
        const { since } = await readBacklog()
        return [[{}, since === null ? 0 : (clock.now() - since) / SECOND_MS]]
      },
    },
    {
      name: 'waggle_moderation_open_cases',
      help: 'People with a report or finding without a decision',
      read: async () => [[{}, (await readBacklog()).people]],
    },
    {
      name: 'waggle_moderation_priority_cases',
      help: 'People with a report that moderators must decide first, by reason: due, and overdue',
      labelNames: ['reason', 'state'],
      read: async () =>
        Object.entries(await priorityCases(clock.now())).flatMap(([reason, { due, overdue }]): Sample[] => [
          [{ reason, state: 'due' }, due],
          [{ reason, state: 'overdue' }, overdue],
        ]),
    },
    {
      name: 'waggle_content_notices',
      help: 'Notices of people without an account that have no answer: open, of these near (due within a day or overdue), and overdue',
      labelNames: ['state'],
      read: async () => byLabel('state', await notices()),
    },
  ]
}

function serviceGauges({ dependencies, pictureCounts, frameCounts }: Sources): ScrapedGauge[] {
  const stateOf = ([dependency, ping]: [string, () => Promise<void>]): Promise<Sample> =>
    ping().then(
      () => [{ dependency }, 1],
      () => [{ dependency }, 0],
    )
  const gauges: ScrapedGauge[] = [
    {
      name: 'waggle_dependency_up',
      help: 'Whether a service that the server depends on responds: 1 or 0',
      labelNames: ['dependency'],
      read: () => Promise.all(Object.entries(dependencies).map(stateOf)),
    },
    {
      name: 'waggle_pictures',
      help: 'Camera frames and profile pictures since the start: decoded, unreadable, killed for time or memory, refused because too many waited',
      labelNames: ['outcome'],
      read: () => byLabel('outcome', pictureCounts),
    },
  ]
  if (!frameCounts) return gauges
  const frames: ScrapedGauge = {
    name: 'waggle_frames',
    help: 'Frames since the start: classified, skipped because too many waited, failed',
    labelNames: ['outcome'],
    read: () => byLabel('outcome', frameCounts),
  }
  return [...gauges, frames]
}

/** Resolves with no values if they cannot be read, such as without the database: an error would fail the whole scrape. */
async function samplesOf({ read }: ScrapedGauge): Promise<Sample[]> {
  try {
    return await read()
  } catch {
    return []
  }
}

export function addScrapedMetrics(registers: Registry[], sources: Sources): void {
  for (const gauge of [...peopleGauges(sources), ...caseGauges(sources), ...serviceGauges(sources)]) {
    const { name, help, labelNames = [] } = gauge
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      async collect() {
        const samples = await samplesOf(gauge)
        if (labelNames.length > 0) this.reset()
        else this.remove()
        for (const [labels, value] of samples) this.set(labels, value)
      },
    })
  }
}
