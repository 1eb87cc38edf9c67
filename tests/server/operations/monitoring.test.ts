import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { API_BASE } from '#protocol/constants.ts'
import { endpoints } from '#protocol/rest.ts'
import { securityEvents } from '../../../server/operations/security-log.ts'
import { startServer, type TestServer } from '../../support/servers/server.ts'

// Comes with knip.
const { parse } = createRequire(import.meta.resolve('knip'))('yaml') as typeof import('yaml')

type Rule = { alert: string; expr: string; labels: { severity: string }; annotations: { steps: string } }
type Panel = { title: string; targets?: { expr: string }[] }

const read = (path: string) => readFileSync(path, 'utf8')
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found)

const rules = (parse(read('deploy/monitoring/alerts.yaml')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
)
const { panels } = JSON.parse(read('deploy/monitoring/dashboard.json')) as { panels: Panel[] }
const drawn = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
const scaled = all(read('deploy/kubernetes/autoscaling.yaml'), /metric: \{ name: (\w+) \}/g)

const ours = /\b((?:waggle|process|nodejs)_\w+)/g
/** Series of Prometheus itself, of the node exporter and of the blackbox exporter. */
const others = new Set([
  'up',
  'node_filesystem_avail_bytes',
  'node_filesystem_size_bytes',
  'probe_success',
  'probe_ssl_earliest_cert_expiry',
])
/** Fires all the time, whatever is measured. */
const HEARTBEAT = 'Heartbeat'

let server: TestServer
/** Every series that the server exports, without labels. */
let served: Set<string>
/** The same by metric family. */
let families: string[]

beforeAll(async () => {
  const classifierProgram = new URL('../../support/pictures/silent-classifier.ts', import.meta.url)
  server = await startServer({ FRAME_CLASSIFIER: 'on' }, { classifierProgram })
  const text = await (await fetch(`${server.origin}/metrics`)).text()
  const types = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type]) => ({ name, type }))
  families = types.map(({ name }) => name)
  served = new Set(
    types.flatMap(({ name, type }) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  )
})
afterAll(() => server.stop())

test('every metric that an alert, a panel or the autoscaler names is exported by the server', () => {
  const named = [...rules.map(({ expr }) => expr), ...drawn, ...scaled].flatMap((expr) => all(expr, ours))
  expect(named.length).toBeGreaterThan(60)
  expect(named.filter((name) => !served.has(name))).toEqual([])
})

test('an alert without a metric of the server is about a machine, a missing server, or what is asked from outside', () => {
  for (const { alert, expr } of rules) {
    if (alert === HEARTBEAT || all(expr, ours).length > 0) continue
    expect(all(expr, /\b(up|node_\w+|probe_\w+)\b/g).filter((name) => others.has(name)).length, alert).toBeGreaterThan(
      0,
    )
  }
})

test('the dashboard draws every metric of the server', () => {
  const metrics = families.filter((name) => name.startsWith('waggle_'))
  expect(metrics.filter((name) => !drawn.some((expr) => expr.includes(name)))).toEqual([])
})

test('the README explains every metric of the server', () => {
  const explained = read('deploy/monitoring/README.md')
  for (const name of families.filter((family) => family.startsWith('waggle_')))
    expect(explained).toContain(`\`${name}\``)
})

test('outcomes that an alert compares are there before the first of them, as 0', async () => {
  const fresh = await (await fetch(`${server.origin}/metrics`)).text()
  const outcomes = (metric: string) => all(fresh, new RegExp(`^${metric}\\{outcome="([\\w-]+)"\\} 0$`, 'gm')).toSorted()
  expect(outcomes('waggle_peer_connections_total')).toEqual(['direct', 'failed', 'lost', 'relay'])
  expect(outcomes('waggle_match_outcomes_total')).toEqual(['connected', 'left', 'timed-out'])
})

test('a route that an alert names exists in the protocol', () => {
  const routes = rules.flatMap(({ expr }) => all(expr, /route="([^"]+)"/g))
  expect([...new Set(routes)]).toEqual([`${API_BASE}/${endpoints.setTokens.path}`])
})

test('every alert has a severity and a link to its steps', () => {
  const headings = all(read('docs/incidents.md'), /^#+ (.+)$/gm).map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  )
  for (const { alert, labels, annotations } of rules) {
    expect(alert === HEARTBEAT ? ['heartbeat'] : ['page', 'warn'], alert).toContain(labels.severity)
    expect(headings, alert).toContain(annotations.steps)
  }
})

test('every important metric has an alert', () => {
  const watched = rules.map(({ expr }) => expr).join('\n')
  for (const figure of [
    'waggle_queue_people',
    'waggle_match_wait_seconds',
    'waggle_matches_total',
    'waggle_relay_duration_seconds',
    'waggle_hub_resumes_total',
    'waggle_peer_connections_total',
    'waggle_moderation_open_cases',
    'waggle_curtain_flagged_total',
    'waggle_curtain_shown_anyway_total',
    'waggle_content_notices{state="near"}',
    'waggle_content_notices{state="overdue"}',
    'nodejs_eventloop_lag_p99_seconds',
    'up{job="waggle"}',
    'probe_success{job="balancer"}',
    'probe_success{job="relay"}',
    'waggle_dependency_up{dependency="database"}',
    'waggle_dependency_up{dependency="redis"}',
    'waggle_security_events_total{event="refresh-token-reused"}',
    'waggle_security_events_total{event="sign-in-refused"}',
    'waggle_security_events_total{event="console-login-refused"}',
  ])
    expect(watched).toContain(figure)
})

test('every security event is explained, and alerts name only existing ones', () => {
  const explained = all(read('docs/incidents.md'), /^\| `([a-z-]+)` \|/gm)
  expect(explained).toEqual(expect.arrayContaining([...securityEvents]))
  const named = rules.flatMap(({ expr }) => all(expr, /\bevent=~?"([^"]+)"/g)).flatMap((names) => names.split('|'))
  expect(named.length).toBeGreaterThan(4)
  expect(named.filter((name) => !securityEvents.some((event) => event === name))).toEqual([])
})
