import type { Shared } from '#protocol/hub.ts'
import type { HeldAddresses } from './held-addresses.ts'
import { Match, type Side } from './rules/match.ts'
import type { MatchRecord, SentEvent } from './rules/ports.ts'
import type { TrustedUser } from './rules/trust.ts'
import type { SetupWatch } from './setup-watch.ts'

export class ActiveMatch extends Match {
  startedAt: number
  /** False until `OnUserMatched` is sent to both users. */
  isAnnounced = false
  /** Languages and interests that both users have named; unknown for a match of another server or of an earlier process. */
  shared: Shared | undefined
  /** By account: the id of the connection on which the match was announced. */
  readonly announcedOn = new Map<string, string>()
  readonly announcements = new Map<string, SentEvent>()
  /** Delays the network addresses of the two users; null unless one of the users often ends matches early. */
  addresses: HeldAddresses | null = null
  /** Watches the setup; null for a match of another server or of an earlier process. */
  setup: SetupWatch | null = null
  /** By account: the users in the form that `Trust` takes. */
  readonly users = new Map<string, TrustedUser>()
  cancelTimeout: () => void = () => undefined
  /** The trace in which the match was made; unknown for a match of another server or of an earlier process. */
  traceId: string | undefined
  /** By absent account: cancels the end of the match. */
  readonly cancelAbsences = new Map<string, () => void>()

  constructor({ id, caller, callee, startedAt, connected }: MatchRecord, isRestored: boolean) {
    super(id, caller, callee, isRestored)
    this.startedAt = startedAt
    this.isConnected = connected
  }

  get record(): MatchRecord {
    const { id, caller, callee, startedAt, isConnected: connected } = this
    return { id, caller: caller.accountId, callee: callee.accountId, startedAt, connected }
  }

  /** The users in the form that `Trust` takes; without origin for a match of another server or of an earlier process. */
  get trustedUsers(): TrustedUser[] {
    const userOf = ({ accountId }: Side) => this.users.get(accountId) ?? { accountId, origin: null, wasApart: false }
    return [userOf(this.caller), userOf(this.callee)]
  }

  cancelTimers(): void {
    this.addresses?.stop()
    this.setup?.stop()
    this.cancelTimeout()
    for (const cancel of this.cancelAbsences.values()) cancel()
  }
}
