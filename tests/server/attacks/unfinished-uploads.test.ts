import { expect, onTestFinished, test } from 'vitest'
import type { Clock } from '../../../server/platform/rules/clock.ts'
import { holdUnfinishedUploads } from '../../support/attacks/unfinished-uploads.ts'
import { hurriedClock } from '../../support/hurried-clock.ts'
import { jpegOf } from '../../support/pictures/jpegs.ts'
import type { RawConnection } from '../../support/servers/raw-requests.ts'
import { newVisitor, type SignedInVisitor, signIn, startServer, type TestServer } from '../../support/servers/server.ts'

const KB = 1024

async function start(env: Record<string, string> = {}, clock?: Clock) {
  const server = await startServer(env, clock ? { clock } : {})
  onTestFinished(server.stop)
  return server
}

const cookieOf = ({ cookies }: SignedInVisitor) => [...cookies].map((pair) => pair.join('=')).join('; ')
const statusesOf = (held: readonly RawConnection[]) => held.map(({ status }) => status())
const times = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_, index) => make(index))

async function sendPicture(person: SignedInVisitor): Promise<number> {
  const file = { blob: new Blob([new Uint8Array(await jpegOf({ width: 64, height: 64 }))]), fileName: 'a.jpg' }
  const fields = { EmailAddress: person.email, NickName: 'Ada', Gender: 'girl', DOB: '1990-12-10' } as const
  return (await person.send('addProfile', { ...fields, ConsentAgreed: 'true', file })).status
}

async function sendLogs(server: TestServer, address: string): Promise<number> {
  return (await newVisitor(server, { 'x-forwarded-for': address }).send('addLogs', [])).status
}

test('an account may have a few pending uploads; more are refused, and another account is served', async () => {
  const server = await start()
  const [ada, bob] = [
    await signIn(server, { email: 'ada@example.org' }),
    await signIn(server, { email: 'bob@example.org' }),
  ]
  const upload = { endpoint: 'addProfile', bytes: 40 * KB, announced: 50 * KB, cookie: cookieOf(ada) } as const
  await holdUnfinishedUploads(
    server.origin,
    times(10, () => upload),
    async (held) => {
      await expect.poll(() => statusesOf(held).filter((status) => status === 429).length).toBe(4)
      expect(await sendPicture(bob)).toBe(200)
      expect(await sendPicture(ada)).toBe(200)
    },
  )
  // Uploads that ended no longer count.
  await holdUnfinishedUploads(
    server.origin,
    times(6, () => upload),
    async (held) => {
      await Promise.all(held.map(({ socket }) => new Promise((resolve) => socket.write(' ', resolve))))
      expect(await sendPicture(bob)).toBe(200)
      expect(statusesOf(held)).toEqual(times(6, () => null))
    },
  )
})

test('without a login only small bodies are accepted, and none where a login is required; a refused body is not read', async () => {
  const server = await start()
  const uploads = [
    { endpoint: 'addLogs', bytes: 0, announced: 100 * KB },
    { endpoint: 'addProfile', bytes: 0, announced: 100 * KB },
  ] as const
  await holdUnfinishedUploads(server.origin, uploads, async (held) => {
    expect(await Promise.all(held.map(({ answered }) => answered))).toEqual([413, 401])
  })
})

test('a body whose Content-Length is too large is refused before it is read', async () => {
  const server = await start()
  const ada = await signIn(server, { email: 'ada@example.org' })
  const uploads = [
    { endpoint: 'addProfile', bytes: 0, announced: 6 * KB * KB, cookie: cookieOf(ada) },
    { endpoint: 'addVideoFrame', bytes: 0, announced: 2 * KB * KB, cookie: cookieOf(ada) },
  ] as const
  await holdUnfinishedUploads(server.origin, uploads, async (held) => {
    expect(await Promise.all(held.map(({ answered }) => answered))).toEqual([413, 413])
  })
})

test('the rate limit of an endpoint applies before its form is read', async () => {
  const server = await start()
  const ada = await signIn(server, { email: 'ada@example.org' })
  const frame = { endpoint: 'addVideoFrame', bytes: 1 * KB, announced: 2 * KB, cookie: cookieOf(ada) } as const
  await holdUnfinishedUploads(server.origin, [frame], async ([first]) => {
    await holdUnfinishedUploads(server.origin, [frame], async ([second]) => {
      // Whichever arrives later is refused; the other one is still being read.
      expect(await Promise.race([first?.answered, second?.answered])).toBe(429)
      expect([first?.status(), second?.status()]).toContain(null)
    })
  })
})

test('pending uploads without a login are limited by the address that the proxy names', async () => {
  const server = await start({ TRUST_PROXY: '127.0.0.1' })
  // The addresses of one /64 network share one limit.
  const upload = (index: number) =>
    ({ endpoint: 'createSession', bytes: 20 * KB, address: `2001:db8::${index}` }) as const
  await holdUnfinishedUploads(server.origin, times(70, upload), async (held) => {
    await expect.poll(() => statusesOf(held).filter((status) => status === 429).length).toBe(6)
    expect(await sendLogs(server, '192.0.2.1')).toBe(200)
  })
})

test('behind a proxy, pending requests are limited by the address that the proxy names', async () => {
  const server = await start({ TRUST_PROXY: '127.0.0.1', CONNECTIONS_PER_ADDRESS: '3' })
  const upload = { endpoint: 'addLogs', bytes: 1, announced: 100, address: '192.0.2.1' } as const
  await holdUnfinishedUploads(
    server.origin,
    times(4, () => upload),
    async (held) => {
      await expect.poll(() => statusesOf(held).filter((status) => status === 429).length).toBe(1)
      expect(await sendLogs(server, '192.0.2.1')).toBe(429)
      expect(await sendLogs(server, '192.0.2.2')).toBe(200)
    },
  )
  await expect.poll(() => sendLogs(server, '192.0.2.1')).toBe(200)
})

test.each([
  ['stops', () => undefined],
  ['arrives byte by byte', ({ socket }: RawConnection) => void setInterval(() => socket.write(' '), 10).unref()],
] as const)('a body that %s is refused with 408, and its socket is released', async (_what, goOn) => {
  // The clock runs 100 times faster: ten seconds last 0.1 s.
  const server = await start({ CONNECTIONS_PER_ADDRESS: '3' }, hurriedClock(100))
  const upload = { endpoint: 'addLogs', bytes: 10, announced: 10 * KB } as const
  await holdUnfinishedUploads(
    server.origin,
    times(3, () => upload),
    async (held) => {
      for (const one of held) goOn(one)
      expect(await Promise.all(held.map(({ answered }) => answered))).toEqual([408, 408, 408])
      const served = () =>
        fetch(`${server.origin}/healthz`).then(
          ({ ok }) => ok,
          () => false,
        )
      await expect.poll(served).toBe(true)
    },
  )
})
