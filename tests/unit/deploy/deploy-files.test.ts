import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { builtinModules, createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../../server/config/config.ts'
import { wideProxyNetworks } from '../../../server/config/config-values.ts'

/** Deployment files cannot run in tests, so these tests compare them with the program. */

// Comes with knip.
const { parse, parseAllDocuments } = createRequire(import.meta.resolve('knip'))('yaml') as typeof import('yaml')

const read = (path: string) => readFileSync(path, 'utf8')
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found)

const known = new Set(all(read('server/config/config.ts'), /^ {2}([A-Z][A-Z0-9_]+):/gm))

const compose = read('deploy/container/compose.yaml')
const servers = read('deploy/kubernetes/servers.yaml')
const containerfile = read('deploy/container/Containerfile')
const packages = JSON.parse(read('package.json')) as Record<'dependencies' | 'devDependencies', Record<string, string>>

function section(text: string, from: RegExp, to: RegExp): string {
  const start = text.search(from)
  const rest = text.slice(start)
  return rest.slice(0, rest.slice(1).search(to) + 1)
}

describe('every variable that is set for the server exists', () => {
  const web = section(compose, /^ {2}web: /m, /^ {2}database:/m)
  test.each([
    ['compose', all(section(web, /^ {4}environment:/m, /^ {4}depends_on:/m), /^ {6}([A-Z_]+):/gm)],
    ['the settings beside it', all(read('deploy/container/waggle.env.example'), /^([A-Z_]+)=/gm)],
    ['the image', all(section(containerfile, /^ENV /m, /^WORKDIR/m), /([A-Z_]+)=/g)],
    ['the configuration of Kubernetes', all(read('deploy/kubernetes/configuration.yaml'), /^ {2}([A-Z_]+):/gm)],
    ['the secrets of Kubernetes', all(servers, /- (?:\{ )?name: ([A-Z_]+)(?:,|$)/gm)],
  ])('%s', (_, names) => {
    expect(names.length).toBeGreaterThan(2)
    expect(names.filter((name) => !known.has(name))).toEqual([])
  })

  test('a secret of Kubernetes has the name of its variable, and the README creates it', () => {
    const made = all(read('deploy/kubernetes/README.md'), /--from-literal=([A-Z_]+)=/g)
    const pairs = [...servers.matchAll(/- name: ([A-Z_]+)\n.*key: ([A-Z_]+)(.*)\}/g)]
    expect(pairs.length).toBe(all(servers, /- name: ([A-Z_]+)$/gm).length)
    for (const [, name, key, rest = ''] of pairs) {
      expect(key).toBe(name)
      if (!rest.includes('optional')) expect(made).toContain(name)
    }
  })
})

test('every YAML file is valid', () => {
  const files = readdirSync('deploy', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.yaml'))
  expect(files.length).toBeGreaterThan(8)
  for (const name of files) {
    const documents = parseAllDocuments(read(join('deploy', name)))
    if ('empty' in documents) throw new Error(`${name} is empty`)
    expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([])
  }
})

test('all files name the same port and the same address of the balancer', () => {
  expect(all(containerfile, /(?:PORT=|EXPOSE )(\d+)/g)).toEqual(['3000', '3000'])
  const [balanced = ''] = all(compose, /SERVERS: (.+)$/gm)
  expect(balanced.split(' ')).toEqual(all(compose, /^ {2}(web\d*): [&*]web$/gm).map((name) => `${name}:3000`))
  expect(servers).toContain('{ name: http, containerPort: 3000 }')
  expect(read('deploy/kubernetes/service.yaml')).toContain('targetPort: http')
  expect(section(read('deploy/kubernetes/network.yaml'), /^ {2}ingress:/m, /^ {2}egress:/m)).toContain('port: 3000')
  expect(all(compose, /TRUST_PROXY: (\S+)/g)).toEqual(all(compose, /ipv4_address: (\S+) \}/g))
})

test('balancers accept the largest upload, and do not expose metrics', () => {
  const [megabytes] = all(read('deploy/kubernetes/ingress.yaml'), /proxy-body-size: (\d+)m/g)
  const [picture] = all(read('protocol/constants.ts'), /PICTURE_LIMIT = (\d+) \* 1024 \* 1024/g)
  expect(Number(megabytes)).toBeGreaterThan(Number(picture))
  expect(read('deploy/kubernetes/ingress.yaml')).toContain('path: /metrics')
  expect(read('deploy/container/Caddyfile')).toContain('path /metrics')
  const [most] = all(read('deploy/container/Caddyfile'), /max_size (\d+)MB/g)
  expect(Number(most)).toBeGreaterThan(Number(picture))
})

test('the balancer checks the readiness of each server, and does not judge servers by responses to visitors', () => {
  const settings = read('deploy/container/Caddyfile').replaceAll(/^\s*#.*$/gm, '')
  expect(settings).toContain('reverse_proxy {$SERVERS}')
  expect(settings).toContain('health_uri /readyz')
  expect(settings).not.toMatch(/fail_duration|max_fails|unhealthy_/)
  // A server drains for longer than the balancer needs to detect it.
  const [drains] = all(compose, /DRAIN_MS: (\d+)/g)
  const [every, waits] = all(settings, /health_(?:interval|timeout) (\d+)s/g)
  expect(Number(drains)).toBeGreaterThanOrEqual((Number(every) + Number(waits)) * 1000)
})

test('pods are scaled by a metric of the server', () => {
  const [name] = all(read('deploy/kubernetes/autoscaling.yaml'), /metric: \{ name: (\w+) \}/g)
  expect(read('server/operations/scraped-metrics.ts')).toContain(`'${name}'`)
})

test('no file for operators to copy holds a secret', () => {
  for (const line of read('deploy/container/waggle.env.example').split('\n'))
    expect(line).not.toMatch(/(?:SECRET|KEYS|TOKEN|SMTP_URL)=./)
  expect(read('deploy/kubernetes/configuration.yaml')).not.toMatch(/SECRET|TOKEN|KEYS|DATABASE_URL|REDIS_URL/)
  expect(compose).not.toMatch(/(?:SECRET|PASSWORD|TOKEN): (?!\$\{)/)
})

test('the command that builds the image keeps its health check', () => {
  expect(containerfile).toMatch(/^HEALTHCHECK /m)
  expect(all(containerfile, /podman build (.+)$/gm)).toEqual([expect.stringContaining('--format docker')])
})

test('the image has the Node version of package.json', () => {
  expect(containerfile).toContain(`node:${packages.devDependencies.node}-`)
  expect(read('deploy/container/pin-images.sh')).toContain(`node:${packages.devDependencies.node}-`)
})

type Service = {
  image: string
  build?: { args?: Record<string, string> }
  mem_limit?: string
  pids_limit?: number
  cpus?: number
  read_only?: boolean
  cap_drop?: string[]
  security_opt?: string[]
  environment: Record<string, string>
}
const { services } = parse(compose, { merge: true }) as { services: Record<string, Service> }

describe('images are named by their digests', () => {
  const names = all(read('deploy/container/pin-images.sh'), /^pin (\w+_IMAGE) /gm)
  const folder = mkdtempSync(join(tmpdir(), 'images-test-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  function check(lines: string[]): { status: number | null; output: string } {
    const file = join(folder, 'images.env')
    writeFileSync(file, `${lines.join('\n')}\n`)
    const { status, stderr } = spawnSync('sh', ['deploy/container/check-images.sh', file], { encoding: 'utf8' })
    return { status, output: stderr }
  }
  const pinned = names.map((name) => `${name}=registry.example.org:5000/some/image@sha256:${'0a'.repeat(32)}`)

  test('compose takes every image but its own from the list, and has no default', () => {
    const taken = all(compose, /\$\{(\w+_IMAGE):\?[^}]+\}/g)
    expect(taken.toSorted()).toEqual(names.toSorted())
    for (const [name, { image, build }] of Object.entries(services))
      expect(build ? [image, build.args?.NODE] : [image], name).toEqual(
        build ? ['waggle', expect.stringMatching(/^\$\{NODE_IMAGE:\?/)] : [expect.stringMatching(/^\$\{\w+_IMAGE:\?/)],
      )
    expect(all(containerfile, /^ARG NODE(.*)$/gm)).toEqual(['', ''])
    expect(containerfile).not.toMatch(/^FROM (?!\$\{NODE\})/m)
  })

  test('a list with a digest for each is valid', () => expect(check(pinned)).toEqual({ status: 0, output: '' }))

  test.each([
    ['a tag', 'docker.io/library/caddy:2-alpine'],
    ['a digest that is cut off', 'docker.io/library/caddy@sha256:0a0a'],
    ['nothing', ''],
  ])('a list with %s is refused by name', (_, image) => {
    const [first = '', ...others] = pinned
    const name = first.split('=')[0] ?? ''
    const { status, output } = check([`${name}=${image}`, ...others])
    expect(status).toBe(1)
    expect(output.trim().split('\n')).toEqual([expect.stringContaining(`${name} must be an image with its digest`)])
    expect(check(others).status).toBe(1)
  })

  test('the image of pods does not exist until an operator sets it', () => {
    expect(all(servers, /image: (\S+)/g)).toEqual(['waggle:unpinned'])
    expect(read('deploy/kubernetes/README.md')).toMatch(/kustomize edit set image waggle=\S+@sha256:/)
  })
})

test.each(Object.entries(services))('the container of %s has limits and no privileges', (_, service) => {
  expect(service).toMatchObject({
    mem_limit: expect.stringMatching(/^\d+[mg]$/),
    pids_limit: expect.any(Number),
    cpus: expect.any(Number),
    read_only: true,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
  })
})

test('pods have limits and no privileges', () => {
  const deployment = parse(servers) as { spec: { template: { spec: Record<string, unknown> } } }
  const { containers, ...pod } = deployment.spec.template.spec
  expect(pod).toMatchObject({
    automountServiceAccountToken: false,
    securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
  })
  const limit = expect.any(String)
  expect(containers).toEqual([
    expect.objectContaining({
      resources: expect.objectContaining({ limits: { cpu: limit, memory: limit, 'ephemeral-storage': limit } }),
      securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      },
    }),
  ])
})

test('trusted proxies are single addresses or a small network', () => {
  const trusted = [compose, read('deploy/kubernetes/configuration.yaml')].flatMap((text) =>
    all(text, /TRUST_PROXY: (\S+)/g),
  )
  expect(trusted).toHaveLength(2)
  for (const list of trusted) {
    expect(readConfig({ TRUST_PROXY: list }).trustProxy).toBe(list)
    expect(wideProxyNetworks(list)).toEqual([])
    for (const bits of all(list, /\/(\d+)/g)) expect(Number(bits)).toBeGreaterThanOrEqual(24)
  }
})

test('connections to the database and Valkey use TLS, with a certificate authority that the files create', () => {
  const web = services.web?.environment ?? {}
  expect(web.DATABASE_URL).toMatch(/\?sslmode=verify-full&sslrootcert=\/certificates\/ca\.pem$/)
  expect(web.REDIS_URL).toMatch(/^rediss:/)
  expect(web.REDIS_CA).toBe('/certificates/ca.pem')
  const kubernetes = read('deploy/kubernetes/README.md')
  expect(kubernetes).toMatch(/DATABASE_URL='[^']*\?sslmode=verify-full&sslrootcert=\/certificates\/ca\.pem'/)
  expect(kubernetes).toMatch(/REDIS_URL='rediss:/)
  expect(servers).toContain('{ name: REDIS_CA, value: /certificates/ca.pem }')
  // The mounted files are those that the script creates for these two names.
  const made =
    all(read('deploy/container/README.md'), /make-certificates\.sh certificates (.+)$/gm)[0]?.split(' ') ?? []
  expect(made).toEqual(['database', 'queue'])
  const mounted = new Set(all(compose, /\.\/certificates\/([\w.]+):/g))
  expect([...mounted].toSorted()).toEqual(
    ['ca.pem', ...made.flatMap((name) => [`${name}.key`, `${name}.pem`])].toSorted(),
  )
})

test('the server imports no development dependency', () => {
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

test('a pod has time to leave the balancers and to drain, and its probes use paths that exist', () => {
  const [grace] = all(servers, /terminationGracePeriodSeconds: (\d+)/g)
  const [waits] = all(servers, /sleep: \{ seconds: (\d+) \}/g)
  const [stops] = all(read('server/main.ts'), /STOP_MS = (\d+)_000/g)
  expect(Number(grace)).toBeGreaterThan(Number(waits) + Number(stops))
  const operations = read('server/operations/http/health-routes.ts')
  for (const path of all(servers, /httpGet: \{ path: (\S+),/g)) expect(operations).toContain(`'${path}'`)
  expect(compose).toContain('stop_grace_period: 30s')
})

test('kustomize applies every file, and only files that exist', () => {
  const named = all(read('deploy/kubernetes/kustomization.yaml'), /^ {2}- (\S+\.yaml)$/gm)
  const there = readdirSync('deploy/kubernetes').filter((name) => name.endsWith('.yaml') && !name.startsWith('kust'))
  expect(named.sort()).toEqual(there.sort())
})
