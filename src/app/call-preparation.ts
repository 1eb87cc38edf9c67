import { EXCLUSIONS_MAX, PUBLIC_STUN_URLS } from '#protocol/constants.ts'
import { AppError } from '#protocol/errors.ts'
import { mayChat } from '#protocol/fields.ts'
import type { Api, IceServers, Log } from '../domain/ports.ts'

/** What must be known before somebody may queue. Lists and TURN credentials have a fallback, the block status has none. */
export function createCallPreparation(api: Api, log: Log) {
  async function listOf(read: Promise<string[]>, name: string): Promise<string[]> {
    try {
      return await read
    } catch (thrown) {
      log.error(`Failed to load ${name}`, thrown)
      return []
    }
  }

  return {
    /** Rejects with `blocked` where the status allows no chat, with the call's code where it cannot be read. */
    async checkStatus(email: string): Promise<void> {
      const { status } = await api.call('readBlockStatus', { userEmailAddress: email })
      if (!mayChat(status)) throw new AppError('blocked')
    },

    async loadExclusions(email: string): Promise<string[]> {
      const matched = api.call('readMatchedIds', { userEmailId: email }).then((answer) => answer.matchedEmailIds)
      const lists = await Promise.all([
        listOf(api.call('readBlockList', { userEmailAddress: email }), 'blocked users'),
        listOf(matched, 'matched users'),
      ])
      return [...new Set(lists.flat())].slice(0, EXCLUSIONS_MAX)
    },

    async loadServers(): Promise<IceServers> {
      try {
        const { turnUrl, username, credential, stunUrl } = await api.call('readTurn', undefined)
        return [
          ...(stunUrl === '' ? [] : [{ urls: [stunUrl] }]),
          ...(turnUrl === '' ? [] : [{ urls: [turnUrl], username, credential }]),
        ]
      } catch (thrown) {
        log.error('TURN credentials were not read', thrown)
        return [{ urls: PUBLIC_STUN_URLS }]
      }
    },
  }
}
