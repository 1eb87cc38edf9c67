import ky from 'ky'
import { API_TIMEOUT_MS, PICTURE_LIMIT } from '#protocol/constants.ts'
import { AppError } from '#protocol/errors.ts'
import { toRequestError } from './request-error.ts'

/** Fetches a picture without cookies. Rejects with `wrong-type`, `too-large` or a transport code. */
export async function fetchPicture(url: string, origin: string): Promise<Blob> {
  try {
    const address = new URL(url, origin)
    if (!/^https?:$/.test(address.protocol)) throw new AppError('wrong-type', 'A picture is fetched by http only')
    const response = await ky(address, { credentials: 'omit', retry: 0, timeout: API_TIMEOUT_MS })
    const type = response.headers.get('content-type') ?? ''
    if (!type.startsWith('image/')) throw new AppError('wrong-type', `A picture was expected, not '${type}'`)
    return new Blob(await readUpTo(PICTURE_LIMIT, response), { type })
  } catch (error) {
    throw toRequestError(error)
  }
}

async function readUpTo(limit: number, response: Response): Promise<Uint8Array<ArrayBuffer>[]> {
  const reader = response.body?.getReader()
  const chunks: Uint8Array<ArrayBuffer>[] = []
  const overdue = AbortSignal.timeout(API_TIMEOUT_MS)
  overdue.addEventListener('abort', () => void reader?.cancel())
  let bytes = 0
  for (;;) {
    const chunk = await reader?.read().catch(() => {
      throw new AppError('network-error', 'The picture broke off')
    })
    if (overdue.aborted) throw new AppError('timeout')
    if (!chunk || chunk.done) return chunks
    bytes += chunk.value.length
    if (bytes > limit) {
      void reader?.cancel()
      throw new AppError('too-large', `A picture has at most ${limit} bytes`)
    }
    chunks.push(chunk.value)
  }
}
