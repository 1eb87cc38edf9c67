import { setTimeout as pause } from 'node:timers/promises'
import { whyPlain } from '../containers.ts'
import type { Monitoring } from '../monitoring.ts'
import { NO_HEARTBEAT } from '../pager.ts'
import type { Part } from '../part.ts'
import type { Parts } from '../parts.ts'
import type { Provider } from '../provider.ts'
import { attacks, withoutProvider } from './attacks.ts'
import { type Drill, kill, together } from './drill.ts'
import { memoryLimit, overload, stoppedClassifier } from './load.ts'
import { fullDisk, oldCertificate } from './machines.ts'
import { badNetwork, longWaits } from './matching.ts'
import { records } from './records.ts'

function restarts(server: Part): Drill {
  return {
    name: 'one server killed and started three times',
    alerts: ['ServerRestarts'],
    cause: async () => {
      for (let count = 0; count < 3; count += 1) {
        await server.kill()
        await server.start()
        // Prometheus must see each start.
        await pause(2_500)
      }
    },
    restore: async () => {},
  }
}

/** Returns all drills in their order. */
export function createDrills(parts: Parts, monitoring: Monitoring, provider: Provider): Drill[] {
  const { web, web2, database, queue, balancer, relay } = parts
  const { prometheus, alertmanager, blackbox, relayMachine } = monitoring
  return [
    kill('one server killed', ['ServerDown'], [web]),
    kill('both servers killed', ['ServerDown', 'NoServers'], [web, web2]),
    kill('PostgreSQL killed', ['DatabaseUnreachable'], [database]),
    kill('Redis killed', ['RedisUnreachable'], [queue]),
    together('Caddy and coturn killed', [
      kill('Caddy killed', ['BalancerDown'], [balancer]),
      kill('coturn killed', ['RelayDown'], [relay]),
    ]),
    ...(whyPlain === '' ? [memoryLimit(parts)] : []),
    kill('exporters killed', ['ExporterDown'], [blackbox, relayMachine]),
    kill('Prometheus killed', [NO_HEARTBEAT], [prometheus]),
    kill('Alertmanager killed', [NO_HEARTBEAT], [alertmanager]),
    together('one server restarts again and again, the certificate of the site is old', [
      restarts(web2),
      oldCertificate(balancer),
    ]),
    attacks(),
    withoutProvider(provider),
    longWaits(parts),
    badNetwork(),
    overload(parts),
    records([stoppedClassifier(parts), fullDisk()]),
  ]
}
