import { mayChat } from '#protocol/block-status.ts'
import { EXCLUSIONS_MAX } from '#protocol/constants.ts'
import { AppError, toAppError } from '#protocol/errors.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { Api } from '../../platform/ports.ts'
import type { IceServers } from '../../platform/rules/ice-servers.ts'
import { iceServersFrom, PUBLIC_SERVERS, relaysOf, turnFaultText } from '../../platform/rules/ice-servers.ts'
import { within } from '../../platform/rules/within.ts'

/** Longest wait for the lists of blocked users and earlier partners: the hub excludes these users by its own records as well. */
const LISTS_MS = 3_000

export type CallPreparation = ReturnType<typeof createCallPreparation>

/** Loads what a search needs. Lists and TURN credentials have a fallback, the block status has none. */
export function createCallPreparation(api: Api, clock: Clock, log: Log) {
  async function listOf(read: Promise<string[]>, name: string): Promise<string[]> {
    try {
      return await within(clock, LISTS_MS, read, [])
    } catch (thrown) {
      log.error(`Failed to load ${name}`, thrown)
      return []
    }
  }

  async function readServers(): Promise<IceServers> {
    try {
      return iceServersFrom(await api.request('readTurn', undefined))
    } catch (thrown) {
      log.error(turnFaultText(toAppError(thrown).code), thrown)
      return PUBLIC_SERVERS
    }
  }

  return {
    /** Rejects with `blocked` where the status allows no chat, with the request's code where it cannot be read. */
    async checkStatus(): Promise<void> {
      const { status } = await api.request('readBlockStatus', {})
      if (!mayChat(status)) throw new AppError('blocked')
    },

    /** Ids of blocked and earlier matched users, each once and at most `EXCLUSIONS_MAX`. Never rejects. */
    async loadExclusions(): Promise<string[]> {
      const matched = api.request('readMatchedIds', {}).then(({ matchedEmailIds }) => matchedEmailIds)
      const lists = await Promise.all([
        listOf(api.request('readBlockList', {}), 'blocked users'),
        listOf(matched, 'matched users'),
      ])
      return [...new Set(lists.flat())].slice(0, EXCLUSIONS_MAX)
    },

    /** With `relayOnly` it resolves with relays alone, and rejects with `relay-unavailable` where there is none. */
    async loadServers(relayOnly: boolean): Promise<IceServers> {
      const servers = await readServers()
      if (!relayOnly) return servers
      const relays = relaysOf(servers)
      if (relays.length === 0) throw new AppError('relay-unavailable')
      return relays
    },
  }
}
