import { execFileSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

/** Restricts the process and its threads to one processor; what it starts later inherits that. Returns false where that is not possible. */
export function pin(pid: number, processor: number): boolean {
  if (availableParallelism() < 2) return false
  try {
    execFileSync('taskset', ['-acp', String(processor), String(pid)], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
