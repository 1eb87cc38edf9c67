import { checkHubModel } from '../support/hub/hub-model.ts'
import { soak } from '../support/hub/hub-soak.ts'
import { startHubProcess } from './hub-process.ts'

const STEPS = 2_000_000

/** 200 resets while 20,000 messages go both ways: what was lost, doubled or reordered must be 0. */
export async function benchHubSoak(): Promise<Awaited<ReturnType<typeof soak>>> {
  const server = await startHubProcess('hub')
  try {
    return await soak({ url: server.url, pairs: 8, messages: 20_000, resets: 208 })
  } finally {
    server.stop()
  }
}

/** Runs the model of queue, matches and deliveries for longer than the tests do. Throws when an invariant fails. */
export async function benchHubModel(): Promise<{ steps: number }> {
  return { steps: await checkHubModel(STEPS) }
}
