import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pathOf } from '../../../scripts/programs.ts'
import { WAIT_MS } from '../../../scripts/test-limits.ts'
import { pollUntil } from '../../support/poll-until.ts'
import { knownToDebian } from '../../support/servers/caddy.ts'
import { startServer, type TestServer } from '../../support/servers/server.ts'

/** The programs that read the files of deploy/ accept them, and Prometheus evaluates every rule on what a live server exports. */

const TOKEN = 'a token of thirty-two characters'
let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'deployed-'))
  cpSync('deploy/monitoring', folder, { recursive: true })
  writeFileSync(join(folder, 'metrics-token'), TOKEN)
})
afterAll(() => rmSync(folder, { recursive: true }))

const execute = promisify(execFile)

/** Resolves with what the program writes; rejects unless it ends with 0. */
async function run(program: string, ...args: string[]): Promise<string> {
  const { stdout } = await execute(program, args, { cwd: folder })
  return stdout.trim()
}

test.concurrent('promtool accepts the settings and the rules', async () => {
  expect(await run(pathOf('promtool'), 'check', 'config', 'prometheus.yaml')).toMatch(/SUCCESS: \d+ rules found/)
})

// Most of it is waiting for programs, so that all run at once.
test.concurrent('the rules fire on sample data as they should', async () => {
  expect(await run(pathOf('promtool'), 'test', 'rules', 'alerts.test.yaml')).toContain('SUCCESS')
})

test.concurrent.each([
  ['page', 'pager'],
  ['warn', 'office'],
  ['heartbeat', 'heartbeat'],
])('an alert of the severity %s goes to %s', async (severity, receiver) => {
  const routes = ['config', 'routes', 'test', '--config.file=alertmanager.yaml']
  expect(await run(pathOf('amtool'), ...routes, `severity=${severity}`)).toBe(receiver)
})

test.concurrent('amtool and the blackbox exporter accept their files, and every module that is asked for exists', async () => {
  await run(pathOf('amtool'), 'check-config', 'alertmanager.yaml')
  await run(pathOf('prometheus-blackbox-exporter'), '--config.file=blackbox.yaml', '--config.check')
  const modules = readFileSync(join(folder, 'blackbox.yaml'), 'utf8')
  const asked = [...readFileSync(join(folder, 'prometheus.yaml'), 'utf8').matchAll(/module: \[(\w+)\]/g)]
  expect(asked).toHaveLength(2)
  for (const [, name] of asked) expect(modules).toContain(`\n  ${name}:\n`)
})

test.concurrent('Caddy accepts its file', async () => {
  writeFileSync(join(folder, 'Caddyfile'), knownToDebian(readFileSync('deploy/container/Caddyfile', 'utf8')))
  const env = { HOME: folder, XDG_DATA_HOME: folder, SITE: 'waggle.example.org', SERVERS: 'web:3000 web2:3000' }
  const validate = ['validate', '--config', 'Caddyfile', '--adapter', 'caddyfile']
  await expect(execute(pathOf('caddy'), validate, { cwd: folder, env })).resolves.toBeDefined()
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

const rulesSchema = v.object({
  data: v.object({
    groups: v.array(
      v.object({
        rules: v.array(
          v.object({
            name: v.string(),
            health: v.string(),
            state: v.string(),
            lastError: v.optional(v.string(), ''),
          }),
        ),
      }),
    ),
  }),
})

describe.concurrent('Prometheus with a live server', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer({ METRICS_TOKEN: TOKEN })
  })
  afterAll(() => server.stop())

  test('reads its metrics and evaluates every rule', async () => {
    const settings = readFileSync(join(folder, 'prometheus.yaml'), 'utf8')
    const here = settings
      .replaceAll(/(scrape_interval|scrape_timeout|evaluation_interval): \w+/g, '$1: 1s')
      .replace('["web:3000", "web2:3000"]', `["127.0.0.1:${server.port}"]`)
    expect(here).not.toContain('web:3000')
    writeFileSync(join(folder, 'here.yaml'), here)
    const address = `127.0.0.1:${await freePort()}`
    const args = ['--config.file=here.yaml', '--storage.tsdb.path=data', `--web.listen-address=${address}`]
    const prometheus = spawn(pathOf('prometheus'), args, { cwd: folder, stdio: 'ignore' })
    const exited = once(prometheus, 'exit')
    const read = async (path: string): Promise<unknown> => (await fetch(`http://${address}/api/v1/${path}`)).json()
    try {
      let rules: v.InferOutput<typeof rulesSchema>['data']['groups'][number]['rules'] = []
      const stateOf = (name: string) => rules.find((rule) => rule.name === name)?.state
      const isEvaluated = async () => {
        const answer = await read('rules').catch(() => null)
        rules = answer === null ? [] : v.parse(rulesSchema, answer).data.groups.flatMap((group) => group.rules)
        // A server that is not read is missing, for a minute.
        return stateOf('NoServers') === 'inactive' && rules.every(({ health }) => health !== 'unknown')
      }
      await pollUntil(isEvaluated, WAIT_MS, () => `Prometheus does not evaluate the rules: ${JSON.stringify(rules)}`)
      expect(rules.filter(({ health }) => health !== 'ok')).toEqual([])
      expect(stateOf('Heartbeat')).toBe('firing')
      expect(stateOf('ServerDown')).toBe('inactive')
      const alive = await read(`query?query=${encodeURIComponent('waggle_dependency_up{dependency="database"}')}`)
      expect(alive).toMatchObject({ data: { result: [{ value: [expect.any(Number), '1'] }] } })
    } finally {
      prometheus.kill('SIGKILL')
      await exited
    }
  })
})
