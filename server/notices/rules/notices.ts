import {
  type ContentNotice,
  type ContentNoticeReceipt,
  type ContentNoticeState,
  contentNoticeDueMs,
  type NoticeChallenge,
  type NoticeProof,
} from '#protocol/content-notices.ts'
import { HOUR_MS } from '#protocol/durations.ts'
import { AppError } from '#protocol/errors.ts'
import type { Language } from '#protocol/languages.ts'
import type { Audit } from '../../console/rules/ports.ts'
import type { Clock } from '../../platform/rules/clock.ts'
import type { Count, Counts } from '../../platform/rules/counts.ts'
import { subnetOf } from '../../platform/rules/subnet.ts'
import type { ContentNotices, StoredNotice } from './ports.ts'
import { LEVEL_MAX, type Proofs } from './proofs.ts'

/** One person may use all addresses of a network, and rent whole wide networks. */
const NETWORK = { ipv4: 24, ipv6: 48 }
const WIDE_NETWORK = { ipv4: 16, ipv6: 32 }
/** New notices of one network in an hour. */
export const NOTICES_OF_A_NETWORK = 20
/** New notices in an hour of all networks within a wide one, such as a provider's. */
export const NOTICES_OF_A_WIDE_NETWORK = 40
/** Additional first notices of networks within a wide one, so that one network cannot close the form for all customers of a provider. */
export const FIRST_NOTICES_OF_A_WIDE_NETWORK = 10
/** New notices of all networks together in an hour. Moderators could not read more, and a flood stays small in the database. */
export const NOTICES_AN_HOUR = 300
/** Additional notices after NOTICES_AN_HOUR is used up, of wide networks with few notices, so that some cannot close the form for the others. */
export const FIRST_NOTICES_AN_HOUR = 100
/** The notices of a wide network that count among the additional ones: people of two or three homes, not a flood. */
const FEW_OF_A_WIDE_NETWORK = 3
/**
 * New notices with a proof of work in an hour, after those without one are used up: the form stays open during a flood. They stay few
 * enough for the database, and a network that is rented for the flood gives few of them.
 */
export const PROVEN_NOTICES_AN_HOUR = 1_000
export const PROVEN_NOTICES_OF_A_WIDE_NETWORK = 100
/** Proven notices within the hour that raise the work of the next by one level. */
const NOTICES_A_LEVEL = 20
/** The earliest time zone is 14 hours ahead of UTC. */
const AHEAD_MS = 14 * HOUR_MS
const OLDEST_DAY = '1900-01-01'
const REFERENCE_LENGTH = 12
/** The key under which proven notices of all networks are counted. */
const PROVEN = 'proven content notices'

type Deps = {
  records: Pick<ContentNotices, 'add' | 'find' | 'remove'>
  audit: Pick<Audit, 'add'>
  counts: Pick<Counts, 'add'>
  proofs: Proofs
  clock: Pick<Clock, 'now'>
  newId: () => string
  /** Twelve or more random hexadecimal digits. */
  randomHex: () => string
}

/** `reference` is without hyphens. */
type OwnNotice = { reference: string; email: string }

function receiptOf({ reference, kind, at, dueAt }: StoredNotice): ContentNoticeReceipt {
  return { reference, kind, at, dueAt }
}

/** Addresses are compared without regard to case, as people type them. */
function isOf(notice: StoredNotice, email: string): boolean {
  return notice.email.toLowerCase() === email.toLowerCase()
}

function checkDay(day: string, now: number): void {
  const isPossible = day >= OLDEST_DAY && day <= new Date(now + AHEAD_MS).toISOString().slice(0, 10)
  if (!isPossible) throw new AppError('bad-request', 'The date cannot be in the future', { field: 'day' })
}

function tooMany({ leftMs }: Count): AppError {
  const retryAfter = Math.ceil(leftMs / 1_000)
  return new AppError('too-many-requests', 'Too many notices come in at present', { retryAfter })
}

/** The level of work after so many proven notices of the hour. */
function levelAfter(proven: number): number {
  return Math.min(LEVEL_MAX, 1 + Math.floor(proven / NOTICES_A_LEVEL))
}

/** The notices of people without an account, as these people send, read and delete them. */
export function createNotices({ records, audit, counts, proofs, clock, newId, randomHex }: Deps) {
  function record(action: string, what: string): Promise<void> {
    return audit.add({ at: clock.now(), moderator: null, session: null, action, whom: null, what })
  }

  /** Resolves with the receipt of an earlier request with this key; null where there was none. */
  async function findReceipt({ key, email }: ContentNotice): Promise<ContentNoticeReceipt | null> {
    const earlier = await records.find('requestKey', key)
    if (!earlier) return null
    if (!isOf(earlier, email)) throw new AppError('wrong-state', 'This key belongs to another notice')
    return receiptOf(earlier)
  }

  /** Adds one notice to `key`. Throws above `max`, unless `isFirst` and fewer than `firstMax` additional ones were taken. */
  async function countOne(key: string, max: number, isFirst: boolean, firstMax: number): Promise<number> {
    const all = await counts.add(key, HOUR_MS)
    if (all.count <= max) return all.count
    if (!isFirst) throw tooMany(all)
    const first = await counts.add(`first ${key}`, HOUR_MS)
    if (first.count > firstMax) throw tooMany(first)
    return all.count
  }

  async function read(key: string): Promise<number> {
    return (await counts.add(key, HOUR_MS, 0)).count
  }

  /** A refused notice does not count in the wider networks. A proof opens what other networks have used up, not the own one. */
  async function countNew(address: string, proof: NoticeProof | undefined): Promise<void> {
    const [network, wide] = [subnetOf(address, NETWORK), subnetOf(address, WIDE_NETWORK)]
    const own = await countOne(`content notices of ${network}`, NOTICES_OF_A_NETWORK, false, 0)
    if (proof && (await proofs.take(proof, levelAfter(await read(PROVEN))))) {
      await countOne(`proven content notices of ${wide}`, PROVEN_NOTICES_OF_A_WIDE_NETWORK, false, 0)
      await countOne(PROVEN, PROVEN_NOTICES_AN_HOUR, false, 0)
      return
    }
    const ofWide = await countOne(
      `content notices of ${wide}`,
      NOTICES_OF_A_WIDE_NETWORK,
      own === 1,
      FIRST_NOTICES_OF_A_WIDE_NETWORK,
    )
    await countOne('content notices', NOTICES_AN_HOUR, ofWide <= FEW_OF_A_WIDE_NETWORK, FIRST_NOTICES_AN_HOUR)
  }

  async function findOwn({ reference, email }: OwnNotice): Promise<StoredNotice> {
    const notice = await records.find('reference', reference)
    // The same error for a wrong address, so that a reference number alone reveals nothing.
    if (!notice || !isOf(notice, email)) throw new AppError('not-found', 'There is no such notice')
    return notice
  }

  return {
    /** Keeps a notice once. The deadline counts from the first request. `address` is that of the sender. */
    async send(input: ContentNotice, language: Language, address: string): Promise<ContentNoticeReceipt> {
      const known = await findReceipt(input)
      if (known) return known
      const at = clock.now()
      checkDay(input.day, at)
      await countNew(address, input.proof)
      const { kind, email, day, time = null, description, link = null, signature = null, key } = input
      const reference = randomHex().slice(0, REFERENCE_LENGTH).toUpperCase()
      const dueAt = at + contentNoticeDueMs[kind]
      const isGoodFaith = input.isGoodFaith === true
      const facts = { kind, email, language, day, time, description, link, signature, isGoodFaith, at, dueAt }
      const isNew = await records.add({ id: newId(), reference, requestKey: key, ...facts })
      // A concurrent request with this key was stored first.
      if (!isNew) return (await findReceipt(input)) ?? Promise.reject(new AppError('unavailable'))
      await record('notice-received', `${reference} ${kind}`)
      return { reference, kind, at, dueAt }
    },

    /** Resolves with null while no proof would help: the network of `address` or the proven notices of the hour are used up. */
    async challenge(address: string): Promise<NoticeChallenge | null> {
      const own = await read(`content notices of ${subnetOf(address, NETWORK)}`)
      const ofWide = await read(`proven content notices of ${subnetOf(address, WIDE_NETWORK)}`)
      const proven = await read(PROVEN)
      if (own >= NOTICES_OF_A_NETWORK || ofWide >= PROVEN_NOTICES_OF_A_WIDE_NETWORK || proven >= PROVEN_NOTICES_AN_HOUR)
        return null
      return proofs.create(levelAfter(proven))
    },

    /** Rejects with `not-found` unless reference and email address belong to one notice. */
    async read(own: OwnNotice): Promise<ContentNoticeState> {
      const notice = await findOwn(own)
      const { answer } = notice
      return { ...receiptOf(notice), answer: answer && { outcome: answer.outcome, text: answer.text, at: answer.at } }
    },

    /** Deletes everything about the notice, answered or not. Rejects like `read`. */
    async remove(own: OwnNotice): Promise<void> {
      const { id, reference, answer } = await findOwn(own)
      await record('notice-deleted', `${reference}, ${answer ? 'answered' : 'without an answer'}`)
      await records.remove(id)
    },
  }
}
export type Notices = ReturnType<typeof createNotices>
