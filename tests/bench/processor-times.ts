import { readdirSync, readFileSync } from 'node:fs'

const TICKS_A_SECOND = 100

/**
 * Returns the processor seconds of this process and of its running descendants, by program. Those of descendants that have ended count for the
 * process that waited for them: PostgreSQL starts workers that tidy up and end.
 */
export function processorTimes(): Record<string, number> {
  const found = new Map<number, { parent: number; name: string; seconds: number }>()
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8')
      const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'))
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      const times = [11, 12, 13, 14].map((index) => Number(fields[index]))
      const ticks = times.reduce((sum, time) => sum + time, 0)
      found.set(Number(entry), { parent: Number(fields[1]), name, seconds: ticks / TICKS_A_SECOND })
    } catch {
      // It has just ended.
    }
  }
  const isOurs = (pid: number): boolean => {
    for (let at: number | undefined = pid; at !== undefined && at > 1; at = found.get(at)?.parent)
      if (at === process.pid) return true
    return false
  }
  const times: Record<string, number> = {}
  for (const [pid, { name, seconds }] of found) {
    if (!isOurs(pid)) continue
    const program =
      pid === process.pid ? 'people' : /redis/.test(name) ? 'Redis' : /postgres/.test(name) ? 'PostgreSQL' : 'servers'
    times[program] = (times[program] ?? 0) + seconds
  }
  return times
}
