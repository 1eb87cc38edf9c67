import { readdirSync, readFileSync } from 'node:fs'

const SAMPLE_MS = 50
const BYTES_PER_KB = 1_024

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // The process or thread has just ended.
    return ''
  }
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

/** This process and all that it has started, directly or not. */
function treeOf(pid: number): number[] {
  const children = threadsOf(pid)
    .flatMap((thread) => read(`/proc/${pid}/task/${thread}/children`).split(' '))
    .filter((text) => text !== '')
    .map(Number)
  return [pid, ...children.flatMap(treeOf)]
}

function residentBytes(pid: number): number {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+)/m.exec(read(`/proc/${pid}/status`)) ?? []
  return Number(kilobytes) * BYTES_PER_KB
}

/** Resident bytes of a process, and of those that it has started, directly or not. */
export type Memory = { own: number; started: number }

export function memoryOf(pid: number): Memory {
  const [, ...started] = treeOf(pid)
  return { own: residentBytes(pid), started: started.reduce((sum, one) => sum + residentBytes(one), 0) }
}

/** Watches the memory of a process and of those that it starts. `end` returns the highest of each. */
export function watchMemory(pid: number): { end(): Memory } {
  const peak = memoryOf(pid)
  function look(): void {
    const { own, started } = memoryOf(pid)
    peak.own = Math.max(peak.own, own)
    peak.started = Math.max(peak.started, started)
  }
  const timer = setInterval(look, SAMPLE_MS)
  return {
    end() {
      clearInterval(timer)
      look()
      return peak
    },
  }
}
