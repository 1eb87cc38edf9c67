import { benchCost, type CostRow } from './cost.ts'

const HOUR_MS = 3_600_000
const MILLION = 1_000_000
/** Machines are sized for half of their processor time. */
const LOAD = 0.5

const { COST_PEOPLE = '2000', COST_SECONDS = '30' } = process.env

function lineOf({ cause, ...row }: CostRow): string {
  const all = row.servers + row.PostgreSQL + row.Redis
  const cores = (all * MILLION) / HOUR_MS / LOAD
  const cells = [row.servers, row.PostgreSQL, row.Redis, all].map((ms) => ms.toFixed(1))
  return `| ${[cause, ...cells, cores.toFixed(1)].join(' | ')} |`
}

export const costBench = {
  /** COST_PEOPLE and COST_SECONDS (of each cause) make it shorter: 400 people and 10 seconds fit two cores in a minute. */
  async cost() {
    const { people, seconds, rows, all } = await benchCost(Number(COST_PEOPLE), Number(COST_SECONDS))
    console.log(`measured  processor time for a person and hour in ms; ${people} people, ${seconds} s a cause`)
    console.log('| cause | servers | PostgreSQL | Redis | together | cores for a million at half load |')
    console.log('|---|---|---|---|---|---|')
    for (const row of [...rows, all]) console.log(lineOf(row))
  },
}
