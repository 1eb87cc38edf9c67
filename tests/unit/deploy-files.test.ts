import { readdirSync, readFileSync } from 'node:fs'
import { builtinModules, createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

/** Nothing here can be run where it is written: what can be compared with the program is. */

// Comes with knip.
const { parseAllDocuments } = createRequire(import.meta.resolve('knip'))('yaml') as typeof import('yaml')

const read = (path: string) => readFileSync(path, 'utf8')
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found)

const known = new Set(all(read('server/config.ts'), /^ {2}([A-Z][A-Z0-9_]+):/gm))

const compose = read('deploy/container/compose.yaml')
const servers = read('deploy/kubernetes/servers.yaml')
const containerfile = read('deploy/container/Containerfile')
const packages = JSON.parse(read('package.json')) as Record<'dependencies' | 'devDependencies', Record<string, string>>

function section(text: string, from: RegExp, to: RegExp): string {
  const start = text.search(from)
  const rest = text.slice(start)
  return rest.slice(0, rest.slice(1).search(to) + 1)
}

describe('every variable that is set for the server is one that it knows', () => {
  const web = section(compose, /^ {2}web: /m, /^ {2}database:/m)
  test.each([
    ['compose', all(section(web, /^ {4}environment:/m, /^ {4}depends_on:/m), /^ {6}([A-Z_]+):/gm)],
    ['the settings beside it', all(read('deploy/container/waggle.env.example'), /^([A-Z_]+)=/gm)],
    ['the image', all(section(containerfile, /^ENV /m, /^WORKDIR/m), /([A-Z_]+)=/g)],
    ['the configuration of Kubernetes', all(read('deploy/kubernetes/configuration.yaml'), /^ {2}([A-Z_]+):/gm)],
    ['the secrets of Kubernetes', all(servers, /- name: ([A-Z_]+)$/gm)],
  ])('%s', (_, names) => {
    expect(names.length).toBeGreaterThan(2)
    expect(names.filter((name) => !known.has(name))).toEqual([])
  })

  test('a secret of Kubernetes comes from the key of its own name, and its README makes it', () => {
    const made = all(read('deploy/kubernetes/README.md'), /--from-literal=([A-Z_]+)=/g)
    const pairs = [...servers.matchAll(/- name: ([A-Z_]+)\n.*key: ([A-Z_]+)(.*)\}/g)]
    expect(pairs.length).toBe(all(servers, /- name: ([A-Z_]+)$/gm).length)
    for (const [, name, key, rest = ''] of pairs) {
      expect(key).toBe(name)
      if (!rest.includes('optional')) expect(made).toContain(name)
    }
  })
})

test('every file that is YAML is good YAML', () => {
  const files = readdirSync('deploy', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.yaml'))
  expect(files.length).toBeGreaterThan(8)
  for (const name of files) {
    const documents = parseAllDocuments(read(join('deploy', name)))
    if ('empty' in documents) throw new Error(`${name} is empty`)
    expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([])
  }
})

test('one port and one address of the balancer, wherever they are named', () => {
  expect(all(containerfile, /(?:PORT=|EXPOSE )(\d+)/g)).toEqual(['3000', '3000'])
  const [balanced = ''] = all(compose, /SERVERS: (.+)$/gm)
  expect(balanced.split(' ')).toEqual(all(compose, /^ {2}(web\d*): [&*]web$/gm).map((name) => `${name}:3000`))
  expect(servers).toContain('{ name: http, containerPort: 3000 }')
  expect(read('deploy/kubernetes/service.yaml')).toContain('targetPort: http')
  expect(section(read('deploy/kubernetes/network.yaml'), /^ {2}ingress:/m, /^ {2}egress:/m)).toContain('port: 3000')
  expect(all(compose, /TRUST_PROXY: (\S+)/g)).toEqual(all(compose, /ipv4_address: (\S+) \}/g))
})

test('balancers let the largest upload pass, and keep figures to themselves', () => {
  const [megabytes] = all(read('deploy/kubernetes/ingress.yaml'), /proxy-body-size: (\d+)m/g)
  const [picture] = all(read('protocol/constants.ts'), /PICTURE_LIMIT = (\d+) \* 1024 \* 1024/g)
  expect(Number(megabytes)).toBeGreaterThan(Number(picture))
  expect(read('deploy/kubernetes/ingress.yaml')).toContain('path: /metrics')
  expect(read('deploy/container/Caddyfile')).toContain('path /metrics')
  const [most] = all(read('deploy/container/Caddyfile'), /max_size (\d+)MB/g)
  expect(Number(most)).toBeGreaterThan(Number(picture))
})

test('the balancer asks each server whether it is ready, and judges none by what visitors get', () => {
  const settings = read('deploy/container/Caddyfile').replaceAll(/^\s*#.*$/gm, '')
  expect(settings).toContain('reverse_proxy {$SERVERS}')
  expect(settings).toContain('health_uri /readyz')
  expect(settings).not.toMatch(/fail_duration|max_fails|unhealthy_/)
  // A server that drains goes on answering until that was noticed.
  const [drains] = all(compose, /DRAIN_MS: (\d+)/g)
  const [every, waits] = all(settings, /health_(?:interval|timeout) (\d+)s/g)
  expect(Number(drains)).toBeGreaterThanOrEqual((Number(every) + Number(waits)) * 1000)
})

test('what pods are scaled by is a figure of the server', () => {
  const [name] = all(read('deploy/kubernetes/autoscaling.yaml'), /metric: \{ name: (\w+) \}/g)
  expect(read('server/metrics.ts')).toContain(`'${name}'`)
})

test('no file that is copied holds a secret', () => {
  for (const line of read('deploy/container/waggle.env.example').split('\n'))
    expect(line).not.toMatch(/(?:SECRET|KEYS|TOKEN|SMTP_URL)=./)
  expect(read('deploy/kubernetes/configuration.yaml')).not.toMatch(/SECRET|TOKEN|KEYS|DATABASE_URL|REDIS_URL/)
  expect(compose).not.toMatch(/(?:SECRET|PASSWORD|TOKEN): (?!\$\{)/)
})

test('the image has the Node that the packages pin', () => {
  expect(containerfile).toContain(`node:${packages.devDependencies.node}-`)
})

test('what the server imports is there without the packages of development', () => {
  const files = ['server', 'protocol'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name)),
  )
  files.push('scripts/moderator.ts', 'scripts/legal-hold.ts')
  const imported = files.flatMap((file) =>
    all(read(file), /(?:^import (?!type ).*from |^\} from |\bimport\()'([^'#.][^']*)'/gm),
  )
  const names = new Set(imported.map((path) => path.split('/', path.startsWith('@') ? 2 : 1).join('/')))
  const isThere = (name: string) =>
    name.startsWith('node:') || builtinModules.includes(name) || name in packages.dependencies
  expect(names.size).toBeGreaterThan(10)
  expect([...names].filter((name) => !isThere(name))).toEqual([])
})

test('a pod has the time to leave the balancers and to drain, and is asked at addresses that exist', () => {
  const [grace] = all(servers, /terminationGracePeriodSeconds: (\d+)/g)
  const [waits] = all(servers, /sleep: \{ seconds: (\d+) \}/g)
  const [stops] = all(read('server/main.ts'), /STOP_MS = (\d+)_000/g)
  expect(Number(grace)).toBeGreaterThan(Number(waits) + Number(stops))
  const operations = read('server/http/operations.ts')
  for (const path of all(servers, /httpGet: \{ path: (\S+),/g)) expect(operations).toContain(`'${path}'`)
  expect(compose).toContain('stop_grace_period: 30s')
})

test('what kustomize applies is there, and everything that is there is applied', () => {
  const named = all(read('deploy/kubernetes/kustomization.yaml'), /^ {2}- (\S+\.yaml)$/gm)
  const there = readdirSync('deploy/kubernetes').filter((name) => name.endsWith('.yaml') && !name.startsWith('kust'))
  expect(named.sort()).toEqual(there.sort())
})
