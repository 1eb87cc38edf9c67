import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  sendFrame,
  sendPicture,
  sendSlowFrames,
  sendSlowPictures,
  slowJpeg,
} from '../../support/attacks/slow-pictures.ts'
import { decoderFaults, faultyDecoder } from '../../support/pictures/decoder-faults.ts'
import { jpegOf } from '../../support/pictures/jpegs.ts'
import { type SignedInVisitor, signIn, startServer, type TestServer } from '../../support/servers/server.ts'

let server: TestServer
let other: SignedInVisitor
let dist: string

beforeAll(async () => {
  dist = await mkdtemp(join(tmpdir(), 'slow-pictures-'))
  const shell = '<html><head></head><body></body></html>'
  for (const folder of ['assets', '.pages/en']) await mkdir(join(dist, folder), { recursive: true })
  for (const page of ['index.html', '.pages/en/shell.html']) await writeFile(join(dist, page), shell)
  await writeFile(join(dist, 'assets/part.js'), 'export {}')
  server = await startServer({}, { dist, decoderProgram: faultyDecoder })
  other = await signIn(server, { email: 'other@example.org' })
})
afterAll(async () => {
  await server.stop()
  await rm(dist, { recursive: true })
})

test('a JPEG of thousands of scans is refused by its header, as a picture and as a frame', async () => {
  const tooManyScans = { status: 400, detail: 'A JPEG has at most 100 scans' }
  const [pictures, frames] = await Promise.all([
    sendSlowPictures(server, { pictures: 4, scans: 3_000 }),
    sendSlowFrames(server, { people: 4, scans: 3_000 }),
  ])
  expect([...pictures, ...frames]).toMatchObject(Array(8).fill(tooManyScans))
})

test('while slow pictures are decoded, requests of another user are answered', async () => {
  const sender = await signIn(server, { email: 'sender@example.org' })
  const slow = slowJpeg({ width: 6_000, height: 4_000, scans: 100 })
  let answered = 0
  const attack = Array.from({ length: 4 }, () =>
    sendPicture(sender, slow).finally(() => {
      answered += 1
    }),
  )
  for (let round = 0; round < 3; round += 1) {
    await other.request('readBlockStatus', { userEmailAddress: other.email })
    expect((await other.fetch('/assets/part.js')).status).toBe(200)
  }
  // Pictures are decoded one after the other, so the last one is still waiting.
  expect(answered).toBeLessThan(4)
  await Promise.all(attack)
})

test('a valid frame and picture are accepted afterwards', async () => {
  expect((await sendFrame(other, await jpegOf({ width: 640, height: 480 }))).status).toBe(200)
  expect((await sendPicture(other, await jpegOf({ width: 640, height: 480 }))).status).toBe(200)
})

test('decoders that hang are killed, and the waiting frame of another user is accepted', async () => {
  const hanging = await jpegOf({ width: decoderFaults.spins, height: 48 })
  const senders = await Promise.all(
    ['eve@example.org', 'mallory@example.org'].map((email) => signIn(server, { email })),
  )
  const person = await signIn(server, { email: 'ada@example.org' })
  let killed = 0
  const attack = senders.map((sender) =>
    sendFrame(sender, hanging).finally(() => {
      killed += 1
    }),
  )
  await other.request('readBlockStatus', { userEmailAddress: other.email })
  expect(killed).toBe(0)
  expect((await sendFrame(person, await jpegOf({ width: 640, height: 480 }))).status).toBe(200)
  expect(await Promise.all(attack)).toMatchObject(Array(2).fill({ status: 400, detail: 'This JPEG cannot be read' }))
  const [eve] = senders
  if (!eve) throw new Error('no sender')
  // A profile picture, because a second frame would be refused as too soon after the first.
  const refused = await sendPicture(eve, await jpegOf({ width: 64, height: 48 }))
  expect(refused).toMatchObject({ status: 429, retryAfter: '60' })
})

test('only the decoder process loads the image library', async () => {
  const names = await readdir('server', { recursive: true })
  const files = names.filter((name) => name.endsWith('.ts'))
  const importing = async (what: RegExp) => {
    const found = await Promise.all(files.map(async (name) => what.test(await readFile(join('server', name), 'utf8'))))
    return files.filter((_, index) => found[index]).sort()
  }
  expect(await importing(/from 'sharp'/)).toEqual([
    'platform/pictures/decode-picture.ts',
    'platform/pictures/decoder.process.ts',
  ])
  expect(await importing(/from '.*\/(decode-picture|decoder\.process)\.ts'/)).toEqual([
    'platform/pictures/decoder.process.ts',
  ])
})
