import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { constants, setPriority } from 'node:os'
import * as v from 'valibot'
import { WebSocket } from 'ws'
import { parse } from '#protocol/parse.ts'
import { jpegOf } from '../../support/pictures/jpegs.ts'
import { pollUntil } from '../../support/poll-until.ts'
import { hosts } from '../machine.ts'
import type { Part } from '../part.ts'
import { type Parts, serverCommand } from '../parts.ts'
import { createUsers, openRehearsalStore, visitorOf } from './crowd.ts'
import { type Drill, together } from './drill.ts'

const SOCKETS = 48
const INSPECTOR_MS = 20_000
/** Above the threshold of MemoryGrows with what a server takes by itself, below its limit. */
const MEMORY = 800_000_000
/** Above the limit by itself. */
const TOO_MUCH = 1_200_000_000
/** A server that gets a processor for half of the time only. */
const STOPPED_MS = 300
const RUNS_MS = 300
const FRAME_PEOPLE = 40
/** One account may send a picture in 8 s. */
const FRAME_MS = 9_000
const CHILDREN_MS = 100

/** Requests without a pause, straight to one server. */
function flood(parts: Parts): Drill {
  const sockets = new Set<Socket>()
  let goesOn = false
  /** One request after the other; HEAD costs the sender little. */
  function ask(): void {
    const socket = connect({ host: hosts.web, port: 3000 })
    const request = `HEAD / HTTP/1.1\r\nHost: ${hosts.web}:3000\r\n\r\n`
    sockets.add(socket)
    socket.on('connect', () => socket.write(request))
    socket.on('data', () => socket.write(request))
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      sockets.delete(socket)
      if (goesOn) ask()
    })
  }
  return {
    name: 'one server gets requests without a pause',
    alerts: ['ServerFull'],
    cause: async () => {
      await parts.web.restart(serverCommand('web', { ADDRESS_REQUESTS_PER_MINUTE: '1000000' }))
      // Whatever else this machine does, the server gets its core, and requests for it.
      for (const pid of [parts.web.pid, process.pid]) setPriority(pid, constants.priority.PRIORITY_HIGHEST)
      goesOn = true
      for (let count = 0; count < SOCKETS; count += 1) ask()
    },
    restore: async () => {
      goesOn = false
      for (const socket of sockets) socket.destroy()
      setPriority(process.pid, constants.priority.PRIORITY_NORMAL)
      await parts.web.restart(serverCommand('web'))
    },
  }
}

const targetsSchema = v.pipe(v.string(), v.parseJson(), v.tuple([v.object({ webSocketDebuggerUrl: v.string() })]))

/** Opens Node's inspector in the server, as `kill -USR1` does. Resolves with its address; the machine has no other one. */
async function openInspector(server: Part): Promise<string> {
  process.kill(server.pid, 'SIGUSR1')
  let targets = ''
  await pollUntil(
    async () => {
      targets = await fetch('http://127.0.0.1:9229/json').then(
        (response) => response.text(),
        () => '',
      )
      return targets !== ''
    },
    INSPECTOR_MS,
    () => 'The inspector does not answer',
  )
  return parse(targetsSchema, targets)[0].webSocketDebuggerUrl
}

/** Lets the server keep memory that it never frees; it may end by that. */
async function leak(server: Part, bytes: number): Promise<void> {
  const socket = new WebSocket(await openInspector(server))
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  const answered = new Promise((resolve) => socket.once('message', resolve).once('close', resolve))
  const expression = `void (globalThis.leaked = Buffer.alloc(${bytes}, 1))`
  socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression } }))
  await answered
  socket.close()
}

/** A server that takes more memory than its container may have. */
export function memoryLimit({ web2 }: Parts): Drill {
  return {
    name: 'one server killed at its limit of memory',
    alerts: ['ServerDown'],
    cause: async () => {
      const { exited } = web2
      await leak(web2, TOO_MUCH)
      await exited
    },
    restore: () => web2.start(),
  }
}

/** A server that leaks, and whose machine has too little of a processor for it. */
function starvedAndLeaking({ web2 }: Parts): Drill {
  let timer: NodeJS.Timeout | null = null
  function stopAndGo(stopped: boolean): void {
    process.kill(web2.pid, stopped ? 'SIGSTOP' : 'SIGCONT')
    timer = setTimeout(() => stopAndGo(!stopped), stopped ? STOPPED_MS : RUNS_MS)
  }
  return {
    name: 'one server leaks memory and gets half of a processor',
    alerts: ['MemoryGrows', 'SlowEventLoop'],
    cause: async () => {
      await leak(web2, MEMORY)
      stopAndGo(true)
    },
    restore: async () => {
      if (timer) clearTimeout(timer)
      process.kill(web2.pid, 'SIGCONT')
      await web2.restart()
    },
  }
}

export const overload = (parts: Parts): Drill => together('overload', [flood(parts), starvedAndLeaking(parts)])

/** The process ids of the server's classifier. */
function classifiersOf(server: Part): number[] {
  const { pid } = server
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
  const isClassifier = (child: number) => {
    try {
      return readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('classifier.process')
    } catch {
      return false
    }
  }
  return children.filter((child) => child > 0 && isClassifier(child))
}

/** Dashboards send their pictures, and the process that classifies them stands still. */
export function stoppedClassifier({ web }: Parts): Drill {
  const timers: NodeJS.Timeout[] = []
  const sent = new Set<Promise<unknown>>()
  return {
    name: 'the classifier of frames is stopped',
    alerts: ['FramesAreSkipped'],
    cause: async () => {
      await web.restart(serverCommand('web', { FRAME_CLASSIFIER: 'on' }))
      const store = await openRehearsalStore()
      const users = await createUsers(store, FRAME_PEOPLE)
      await store.close()
      const jpeg = await jpegOf({ width: 640, height: 360 }, 30)
      const visitors = await Promise.all(users.map(visitorOf))
      let turn = 0
      timers.push(
        setInterval(() => {
          const user = users[turn % users.length]
          const visitor = visitors[turn % users.length]
          turn += 1
          if (!user || !visitor) return
          const file = { blob: new Blob([new Uint8Array(jpeg)], { type: 'image/jpeg' }), fileName: 'frame.jpg' }
          const frame = { EmailAddress: `${user.name}@example.org`, UserSessionId: user.sessionId, file }
          const work = visitor.send('addVideoFrame', frame)
          sent.add(work)
          // Where one fails, restore() says so.
          work.then(
            () => sent.delete(work),
            () => {},
          )
        }, FRAME_MS / FRAME_PEOPLE),
        setInterval(() => {
          for (const child of classifiersOf(web)) process.kill(child, 'SIGSTOP')
        }, CHILDREN_MS),
      )
    },
    restore: async () => {
      for (const timer of timers.splice(0)) clearInterval(timer)
      for (const child of classifiersOf(web)) process.kill(child, 'SIGCONT')
      await Promise.all(sent)
      await web.restart(serverCommand('web'))
    },
  }
}
