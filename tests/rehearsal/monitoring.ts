import { copyFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import * as v from 'valibot'
import { deployed, readDeployed } from './compose.ts'
import { folderOf, hosts } from './machine.ts'
import { Part } from './part.ts'
import { responds, secrets } from './parts.ts'

/** Prometheus with the deployed files, Alertmanager, and the pager that it calls. */

/** A rehearsal runs this many times as fast as the deployed rules: `for: 1m` becomes 3 s. Thresholds stay. */
export const FASTER = 20
const SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 }

/** Returns the rules with every time divided by FASTER. */
function shortened(rules: string): string {
  const time = /(?<=\bfor: |\[|\boffset )(\d+)([smhd])\b/g
  return rules.replaceAll(time, (_, count: string, unit: keyof typeof SECONDS) => {
    return `${Math.ceil((Number(count) * SECONDS[unit]) / FASTER)}s`
  })
}

function createPrometheus(): Part {
  const folder = folderOf('prometheus')
  const settings = readDeployed('monitoring/prometheus.yaml')
  const times = { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' }
  const faster = settings.replaceAll(/(scrape_interval|scrape_timeout|evaluation_interval): \w+/g, (_, name) => {
    return `${name}: ${times[name as keyof typeof times]}`
  })
  writeFileSync(join(folder, 'prometheus.yaml'), faster)
  copyFileSync(deployed('monitoring/alerts.yaml'), join(folder, 'alerts.deployed.yaml'))
  writeFileSync(join(folder, 'alerts.yaml'), shortened(readDeployed('monitoring/alerts.yaml')))
  writeFileSync(join(folder, 'metrics-token'), secrets.METRICS_TOKEN)
  const address = `${hosts.prometheus}:9090`
  const argv = [
    'prometheus',
    '--config.file=prometheus.yaml',
    '--storage.tsdb.path=data',
    `--web.listen-address=${address}`,
  ]
  return new Part('prometheus', { argv, cwd: folder }, responds(`http://${address}/-/ready`))
}

const RECEIVER = `
route: { receiver: pager, group_by: ["..."], group_wait: 0s, group_interval: 1s, repeat_interval: 1h }
receivers:
  - name: pager
    webhook_configs: [{ url: "http://pager.example.org:8080/", send_resolved: true }]
`

function createAlertmanager(): Part {
  const folder = folderOf('alertmanager')
  writeFileSync(join(folder, 'alertmanager.yaml'), RECEIVER)
  const address = `${hosts.alertmanager}:9093`
  const own = ['--config.file=alertmanager.yaml', '--storage.path=data', `--web.listen-address=${address}`]
  const argv = ['prometheus-alertmanager', ...own, '--cluster.listen-address=']
  return new Part('alertmanager', { argv, cwd: folder }, responds(`http://${address}/-/ready`))
}

export const createMonitoring = () => [createAlertmanager(), createPrometheus()]

const Call = v.object({
  alerts: v.array(
    v.object({
      status: v.picklist(['firing', 'resolved']),
      labels: v.record(v.string(), v.string()),
      fingerprint: v.string(),
    }),
  ),
})

/** What Alertmanager calls: knows which alerts fire. */
export class Pager {
  readonly #firing = new Map<string, string>()

  /** Ends with the process. */
  async start(): Promise<void> {
    const server = createServer((request, response) => {
      void text(request).then((body) => {
        for (const { status, labels, fingerprint } of v.parse(Call, JSON.parse(body)).alerts)
          if (status === 'firing') this.#firing.set(fingerprint, labels.alertname ?? '')
          else this.#firing.delete(fingerprint)
        response.end()
      })
    })
    await new Promise<void>((resolve) => server.listen(8080, hosts['pager.example.org'], resolve))
  }

  /** The names of the alerts that fire. */
  get firing(): string[] {
    return [...new Set(this.#firing.values())].sort()
  }
}
