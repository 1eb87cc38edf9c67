import { upgradeStatus } from '../hub/hub-client.ts'
import { enterHub, type HubAccess } from './hub-access.ts'

/** Re-attaches one connection over a new socket `times` times, one after the other. Returns the number of responses by status. */
export async function reattachAgain(access: HubAccess, times: number): Promise<Record<number, number>> {
  const client = await enterHub(access)
  const statuses: Record<number, number> = {}
  try {
    for (let tries = 0; tries < times; tries += 1) {
      const status = await upgradeStatus(client.address)
      statuses[status] = (statuses[status] ?? 0) + 1
    }
  } finally {
    client.socket.terminate()
  }
  return statuses
}
