import { crc32 } from 'node:zlib'
import sharp from 'sharp'

const blank = { create: { width: 64, height: 48, channels: 3 as const, background: '#f5b301' } }

/** A real JPEG. */
export async function jpeg(): Promise<Blob> {
  return new Blob([new Uint8Array(await sharp(blank).jpeg().toBuffer())], { type: 'image/jpeg' })
}

export async function png(): Promise<Blob> {
  return new Blob([new Uint8Array(await sharp(blank).png().toBuffer())], { type: 'image/png' })
}

/** A 2 x 2 BMP with 24 bits a pixel: red and green above, blue and white below. */
export function bmp(): Blob {
  const bytes = new Uint8Array(54 + 16)
  const view = new DataView(bytes.buffer)
  bytes.set([0x42, 0x4d])
  view.setUint32(2, bytes.length, true)
  view.setUint32(10, 54, true)
  view.setUint32(14, 40, true)
  view.setInt32(18, 2, true)
  view.setInt32(22, 2, true)
  view.setUint16(26, 1, true)
  view.setUint16(28, 24, true)
  bytes.set([0xff, 0, 0, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0xff, 0, 0xff, 0, 0, 0], 54)
  return new Blob([bytes], { type: 'image/bmp' })
}

/** An icon file around one PNG. */
export async function ico(): Promise<Blob> {
  const inside = new Uint8Array(await (await png()).arrayBuffer())
  const head = new DataView(new ArrayBuffer(22))
  head.setUint16(2, 1, true)
  head.setUint16(4, 1, true)
  head.setUint32(14, inside.length, true)
  head.setUint32(18, 22, true)
  return new Blob([head.buffer, inside], { type: 'image/x-icon' })
}

/** A PNG without pixels whose header claims this size. */
export function pretendingPng({ width, height }: { width: number; height: number }): Buffer {
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name), data])
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    check.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, check])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', Buffer.alloc(0)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
