import type { FileInput } from '#protocol/endpoint.ts'
import { type SignedInVisitor, signIn, type TestServer } from '../servers/server.ts'

/** Files that are small and slow to decode, and the requests that send them. */

/** The longest run of empty blocks that one code of a progressive JPEG stands for. */
const LONGEST_RUN = 32_767
const COMPONENTS = [1, 2, 3]

function segment(marker: number, payload: readonly number[]): Buffer {
  const length = payload.length + 2
  return Buffer.of(0xff, marker, length >> 8, length & 0xff, ...payload)
}

/** Bits as entropy-coded bytes: padded with ones, with a zero behind each 0xff. */
function entropyCoded(bits: string): Buffer {
  const padded = bits.padEnd(Math.ceil(bits.length / 8) * 8, '1')
  const bytes = (padded.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))
  return Buffer.from(bytes.flatMap((byte) => (byte === 0xff ? [byte, 0] : [byte])))
}

/** The codes for `count` blocks without coefficients: four bits with the length of the run's number, then the number. */
function emptyBlocks(count: number): string {
  let bits = ''
  for (let left = count; left > 0; ) {
    const run = Math.min(left, LONGEST_RUN)
    const length = Math.floor(Math.log2(run))
    bits += length.toString(2).padStart(4, '0')
    if (length > 0) bits += (run - 2 ** length).toString(2).padStart(length, '0')
    left -= run
  }
  return bits
}

type SlowSize = { width: number; height: number; scans: number }

/** A valid grey progressive JPEG. Each of its `scans` adds about 30 bytes and costs the decoder a pass over all blocks. */
export function slowJpeg({ width, height, scans }: SlowSize): Buffer {
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8)
  const frame = [8, height >> 8, height & 0xff, width >> 8, width & 0xff, COMPONENTS.length]
  const head = [
    Buffer.of(0xff, 0xd8),
    segment(0xdb, [0, ...Array<number>(64).fill(1)]),
    segment(0xc2, [...frame, ...COMPONENTS.flatMap((id) => [id, 0x11, 0])]),
    // One code for "no difference", and 15 codes of four bits for runs of empty blocks.
    segment(0xc4, [0x00, 1, ...Array<number>(15).fill(0), 0]),
    segment(0xc4, [
      0x10,
      0,
      0,
      0,
      15,
      ...Array<number>(12).fill(0),
      ...Array.from({ length: 15 }, (_, run) => run << 4),
    ]),
    segment(0xda, [COMPONENTS.length, ...COMPONENTS.flatMap((id) => [id, 0]), 0, 0, 0]),
    Buffer.alloc(Math.ceil((blocks * COMPONENTS.length) / 8)),
  ]
  const empty = entropyCoded(emptyBlocks(blocks))
  const passes = COMPONENTS.map((id) => Buffer.concat([segment(0xda, [1, id, 0, 1, 63, 0]), empty]))
  const all = Array.from({ length: scans - 1 }, (_, index) => passes[index % passes.length] ?? Buffer.alloc(0))
  return Buffer.concat([...head, ...all, Buffer.of(0xff, 0xd9)])
}

type Refusal = { status: number; detail: string; retryAfter: string | null }

async function answerOf(response: Response): Promise<Refusal> {
  const problem: unknown = await response.json()
  const detail = problem !== null && typeof problem === 'object' && 'detail' in problem ? String(problem.detail) : ''
  return { status: response.status, detail, retryAfter: response.headers.get('retry-after') }
}

function fileOf(bytes: Buffer): FileInput {
  return { blob: new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' }), fileName: 'picture.jpg' }
}

/** Sends one profile picture of a user who has a profile. */
export async function sendPicture(person: SignedInVisitor, bytes: Buffer): Promise<Refusal> {
  const fields = { EmailAddress: person.email, NickName: person.nickName, Gender: 'girl', DOB: '1990-12-10' } as const
  return answerOf(await person.send('addProfile', { ...fields, ConsentAgreed: 'true', file: fileOf(bytes) }))
}

export async function sendFrame(person: SignedInVisitor, bytes: Buffer): Promise<Refusal> {
  const owner = { EmailAddress: person.email, UserSessionId: person.sessionId }
  return answerOf(await person.send('addVideoFrame', { ...owner, file: fileOf(bytes) }))
}

/** Sends the same slow picture `pictures` times at once from one account. Resolves with the responses. */
export async function sendSlowPictures(
  site: Pick<TestServer, 'origin'>,
  { pictures, scans }: { pictures: number; scans: number },
): Promise<Refusal[]> {
  const person = await signIn(site, { email: 'slow-pictures@example.org' })
  const bytes = slowJpeg({ width: 6_000, height: 4_000, scans })
  return Promise.all(Array.from({ length: pictures }, () => sendPicture(person, bytes)))
}

/** Sends one slow camera frame from each of `people` accounts at once. Resolves with the responses. */
export async function sendSlowFrames(
  site: Pick<TestServer, 'origin'>,
  { people, scans }: { people: number; scans: number },
): Promise<Refusal[]> {
  const emails = Array.from({ length: people }, (_, index) => `slow-frames-${index}@example.org`)
  const senders = await Promise.all(emails.map((email) => signIn(site, { email })))
  const bytes = slowJpeg({ width: 2_000, height: 2_000, scans })
  return Promise.all(senders.map((person) => sendFrame(person, bytes)))
}
