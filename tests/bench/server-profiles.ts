import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { WebSocket } from 'ws'

const INTERVAL_US = 500

export type Profiles = {
  /** To be given to `startFleet`. */
  fleetOptions: { env: Record<string, string>; onLine: (line: string) => void }
  /** Begins a profile of each server. */
  start(): Promise<void>
  /** Writes the profiles as `what-1.cpuprofile` and so on, for the performance panel of Chromium. */
  stop(what: string): Promise<void>
  /** A process with an open inspector does not end. */
  close(): Promise<void>
}

/** Sends a command to one server's inspector and resolves with its result. */
type Send = (method: string, params?: object) => Promise<{ profile?: unknown }>
type Inspector = { send: Send; close: () => void }

async function connect(url: string): Promise<Inspector> {
  const socket = new WebSocket(url, { perMessageDeflate: false })
  const answers = new Map<number, (result: { profile?: unknown }) => void>()
  let sent = 0
  socket.on('message', (data) => {
    const { id, result } = JSON.parse(String(data)) as { id?: number; result: { profile?: unknown } }
    if (id !== undefined) answers.get(id)?.(result)
  })
  await new Promise<void>((resolve, reject) => socket.once('open', resolve).once('error', reject))
  return {
    send(method, params = {}) {
      sent += 1
      const id = sent
      socket.send(JSON.stringify({ id, method, params }))
      return new Promise((resolve) => answers.set(id, resolve))
    },
    close: () => socket.close(),
  }
}

/** Profiles of the processors of server processes, in this folder. */
export function profilesInto(folder: string): Profiles {
  mkdirSync(folder, { recursive: true })
  const inspectors: Promise<Inspector>[] = []
  async function ofEach(use: (send: Send, index: number) => Promise<void>): Promise<void> {
    await Promise.all(inspectors.map(async (inspector, index) => use((await inspector).send, index)))
  }
  return {
    fleetOptions: {
      env: { NODE_OPTIONS: '--inspect=127.0.0.1:0' },
      onLine(line) {
        const [, url] = /Debugger listening on (ws:\S+)/.exec(line) ?? []
        if (url) inspectors.push(connect(url))
      },
    },
    start: () =>
      ofEach(async (send) => {
        await send('Profiler.enable')
        await send('Profiler.setSamplingInterval', { interval: INTERVAL_US })
        await send('Profiler.start')
      }),
    stop: (what) =>
      ofEach(async (send, index) => {
        const { profile } = await send('Profiler.stop')
        const name = `${what.replaceAll(/\W+/g, '-')}-${index + 1}.cpuprofile`
        writeFileSync(join(folder, name), JSON.stringify(profile))
      }),
    async close() {
      for (const inspector of inspectors) (await inspector).close()
    },
  }
}
