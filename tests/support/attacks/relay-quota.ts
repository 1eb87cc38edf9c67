import { openTurnClient, type TurnClient, type TurnLogin } from '../servers/turn-client.ts'

type RelayAttack = {
  /** The port of the relay on loopback. */
  port: number
  /** Fetches one more set of credentials, all for the same account. */
  credentials: () => Promise<TurnLogin>
  /** Sets of credentials to fetch. */
  sets: number
  /** Allocations to request with each set. */
  allocationsPerSet: number
}

/**
 * Requests `sets * allocationsPerSet` allocations of the relay for one account and holds those that it grants while `meanwhile`
 * runs. Returns the number of granted allocations, after releasing them.
 */
export async function takeRelayQuota(
  { port, credentials, sets, allocationsPerSet }: RelayAttack,
  meanwhile: (opened: number) => Promise<void>,
): Promise<number> {
  const held: TurnClient[] = []
  try {
    for (let set = 0; set < sets; set += 1) {
      const login = await credentials()
      for (let count = 0; count < allocationsPerSet; count += 1) {
        const client = await openTurnClient(port)
        if ((await client.allocate(login)) === 'ok') held.push(client)
        else client.close()
      }
    }
    await meanwhile(held.length)
    return held.length
  } finally {
    await Promise.all(
      held.map(async (client) => {
        await client.release()
        client.close()
      }),
    )
  }
}
