import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathOf } from '../../scripts/programs.ts'
import { deployed, readDeployed } from './compose.ts'
import { certificate, folderOf, hosts } from './machine.ts'
import { Part } from './part.ts'
import { responds, secrets } from './parts.ts'

/** Prometheus, Alertmanager and the exporters, with the deployed files. */

/** A rehearsal runs this many times as fast as the deployed rules: `for: 1m` becomes 3 s. Thresholds stay. */
export const FASTER = 20
const SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 }
/** Longer windows, in seconds: their twentieths would take hours. Their order stays. */
const LONG_WINDOWS: Readonly<Record<string, number>> = { '1h': 60, '2h': 75, '6h': 90, '1d': 120, '7d': 150 }

/** Returns the settings with every time divided by FASTER, or replaced by that of LONG_WINDOWS. */
function shortened(settings: string): string {
  const time = /(?<=\bfor: |\[|\boffset |\bgroup_wait: |_interval: )(\d+)([smhd])\b/g
  return settings.replaceAll(time, (written, count: string, unit: keyof typeof SECONDS) => {
    return `${LONG_WINDOWS[written] ?? Math.ceil((Number(count) * SECONDS[unit]) / FASTER)}s`
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
    pathOf('prometheus'),
    '--config.file=prometheus.yaml',
    '--storage.tsdb.path=data',
    `--web.listen-address=${address}`,
    // Four times this long Alertmanager believes what Prometheus said last; a minute by default.
    '--rules.alert.resend-delay=3s',
  ]
  return new Part('prometheus', { argv, cwd: folder }, responds(`http://${address}/-/ready`))
}

function createAlertmanager(): Part {
  const folder = folderOf('alertmanager')
  const settings = readDeployed('monitoring/alertmanager.yaml')
  const pager = settings.replaceAll('https://pager.example.org/', 'http://pager.example.org:8080/')
  writeFileSync(join(folder, 'alertmanager.yaml'), shortened(pager))
  const address = `${hosts.alertmanager}:9093`
  const own = ['--config.file=alertmanager.yaml', '--storage.path=data', `--web.listen-address=${address}`]
  const argv = [pathOf('prometheus-alertmanager'), ...own, '--cluster.listen-address=']
  return new Part('alertmanager', { argv, cwd: folder }, responds(`http://${address}/-/ready`))
}

function createBlackbox(): Part {
  const address = `${hosts.blackbox}:9115`
  const file = deployed('monitoring/blackbox.yaml')
  const argv = [pathOf('prometheus-blackbox-exporter'), `--config.file=${file}`, `--web.listen-address=${address}`]
  const env = { SSL_CERT_FILE: certificate('ca.pem') }
  return new Part('blackbox', { argv, env }, responds(`http://${address}/-/healthy`))
}

/** The node exporter of one host; all hosts have the disks of this machine. */
function createNodeExporter(host: 'database' | 'turn.example.org'): Part {
  const address = `${hosts[host]}:9100`
  const own = ['--collector.disable-defaults', '--collector.filesystem', `--web.listen-address=${address}`]
  return new Part(
    `machine-${host}`,
    { argv: [pathOf('prometheus-node-exporter'), ...own] },
    responds(`http://${address}/metrics`),
  )
}

export type Monitoring = Record<'alertmanager' | 'blackbox' | 'databaseMachine' | 'relayMachine' | 'prometheus', Part>

/** Returns the programs in the order in which they start. */
export const createMonitoring = (): Monitoring => ({
  alertmanager: createAlertmanager(),
  blackbox: createBlackbox(),
  databaseMachine: createNodeExporter('database'),
  relayMachine: createNodeExporter('turn.example.org'),
  prometheus: createPrometheus(),
})
