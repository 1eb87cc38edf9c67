import { benchCost, type CostRow, SERVERS } from './cost.ts'

const HOUR_MS = 3_600_000
const MILLION = 1_000_000
/** Machines are sized for half of their processor time. */
const LOAD = 0.5

const { COST_PEOPLE = '5000', COST_SECONDS = '25', COST_PROFILES } = process.env

function lineOf({ cause, ...row }: CostRow): string {
  const all = row.servers + row.PostgreSQL + row.Redis
  const cores = (all * MILLION) / HOUR_MS / LOAD
  const cells = [row.servers, row.PostgreSQL, row.Redis, all].map((ms) => ms.toFixed(1))
  return `| ${[cause, ...cells, cores.toFixed(1)].join(' | ')} |`
}

const percent = (part: number) => `${(part * 100).toFixed(2)} %`

export const costBench = {
  /**
   * COST_PEOPLE and COST_SECONDS (of each cause) make it shorter or longer. COST_PROFILES is a folder for profiles of the servers, which
   * make them slower.
   */
  async cost() {
    const { people, seconds, isPinned, rest, rows, all } = await benchCost(
      Number(COST_PEOPLE),
      Number(COST_SECONDS),
      COST_PROFILES ?? null,
    )
    console.log(
      `measured  without people: ${percent(rest.servers / SERVERS)} of a core each server, ${percent(rest.PostgreSQL)} PostgreSQL, ${percent(rest.Redis)} Redis`,
    )
    const load = percent(rest.servers + (all.servers * people) / HOUR_MS)
    console.log(
      `measured  processor time for a person and hour in ms; ${people} people, ${seconds} s a cause; all servers together used ${load} of a core${isPinned ? ', which they share' : ''}`,
    )
    console.log('| cause | servers | PostgreSQL | Redis | together | cores for a million at half load |')
    console.log('|---|---|---|---|---|---|')
    for (const row of [...rows, all]) console.log(lineOf(row))
  },
}
