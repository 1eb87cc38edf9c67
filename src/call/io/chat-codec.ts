import type { Workers } from '../../platform/io/workers.ts'
import type { ChatCodec } from '../ports.ts'

export function createChatCodec(workers: Pick<Workers, 'media'>): ChatCodec {
  return {
    encodeChat: (text) => workers.media().encodeChat(text),
    decodeChat: (text) => workers.media().decodeChat(text),
  }
}
