import { afterAll, beforeAll, expect, test } from 'vitest'
import { CONSOLE_IDLE_MS, CONSOLE_LOGIN_SESSION_MS } from '#protocol/console.ts'
import { movableClock } from '../../support/movable-clock.ts'
import { newVisitor, signIn, startServer, type TestServer } from '../../support/servers/server.ts'
import {
  addModerator,
  type Credentials,
  codeOf,
  consoleVisitor,
  credentialsIn,
  logIn,
  moderatorCommand,
  operatorCommand,
} from '../../support/stores/moderators.ts'

const clock = movableClock()
let server: TestServer
let mia: Credentials

beforeAll(async () => {
  server = await startServer({ TRUST_PROXY: '127.0.0.1' }, { clock })
  mia = credentialsIn(await moderatorCommand(server.dataDir, 'add', 'Mia'), 'Mia')
})
afterAll(() => server.stop())

/** Moves the clock to a new time step and past the rate limits: a code is valid once, attempts are limited. */
function later(): number {
  clock.forward(10 * 60_000)
  return clock.now()
}

async function outcome(input: { name: string; password: string; code: string }, visitor = consoleVisitor(server)) {
  const response = await visitor.sendToConsole('login', input)
  return { status: response.status, body: await response.text(), cookies: visitor.cookies.size }
}

test('the operator command works while the server runs, and the new account can log in at once', async () => {
  const visitor = await logIn(server, mia, later())
  expect(await visitor.requestConsole('whoAmI', undefined)).toMatchObject({ name: 'mia' })
  expect(await moderatorCommand(server.dataDir, 'list')).toMatch(/^mia {2}since \d{4}-\d\d-\d\d$/m)
})

test('a name that is taken or malformed is refused in one line', async () => {
  for (const [args, line] of [
    [['add', 'MIA'], 'There is a moderator mia already'],
    [['add', 'x'], 'A name is 2 to 32'],
    [['fire', 'mia'], 'Usage: npm run moderator'],
  ] as const) {
    const failure = await moderatorCommand(server.dataDir, ...args).catch((error: { stderr: string }) => error)
    expect(failure).toHaveProperty('stderr', expect.stringMatching(new RegExp(`^${line}[^\\n]*\\n$`)))
  }
  await expect(operatorCommand(server.dataDir, { do: 'disable', name: 'nobody' })).rejects.toThrow(
    'There is no moderator nobody',
  )
})

test('every failed login has the same response', async () => {
  const at = later()
  const code = codeOf(mia, at)
  const wrong = code === '000000' ? '000001' : '000000'
  const outcomes = [
    await outcome({ name: 'nobody', password: mia.password, code }),
    await outcome({ name: 'mia', password: 'wrong', code }),
    await outcome({ name: 'mia', password: mia.password, code: wrong }),
    await outcome({ name: 'mia', password: mia.password, code: '' }),
    await outcome({ name: 'mia', password: '', code }),
    await outcome({ name: 'mia', password: mia.password, code: codeOf(mia, at, -2) }),
  ]
  expect(outcomes[0]).toMatchObject({ status: 401, cookies: 0 })
  for (const other of outcomes) expect(other).toEqual(outcomes[0])
})

test('a code is valid once, also for two concurrent logins, and no earlier code is valid after it', async () => {
  const at = later()
  const login = { name: 'mia', password: mia.password, code: codeOf(mia, at) }
  const statuses = (await Promise.all([outcome(login), outcome(login)])).map(({ status }) => status)
  expect(statuses.sort()).toEqual([200, 401])
  expect(await outcome(login)).toMatchObject({ status: 401 })
  expect(await outcome({ ...login, code: codeOf(mia, at, -1) })).toMatchObject({ status: 401 })
  expect(await outcome({ ...login, code: codeOf(mia, at, 1) })).toMatchObject({ status: 200 })
})

test('five failed attempts lock a network out for a while, also with the right password and for an unknown name; other networks can log in', async () => {
  const at = later()
  for (const name of ['mia', 'nobody']) {
    const visitor = consoleVisitor(server)
    const wrong = { name, password: 'wrong', code: '123456' }
    for (let attempts = 0; attempts < 5; attempts += 1)
      expect(await outcome(wrong, visitor)).toMatchObject({ status: 401 })
    const right = { name, password: mia.password, code: codeOf(mia, at) }
    expect(await outcome(right, visitor)).toMatchObject({ status: 429 })
  }
  await logIn(server, mia, at)
})

test('attempts from a known device have a limit of their own, until the credentials change', async () => {
  const eva = await addModerator(server.dataDir, 'eva')
  const device = await logIn(server, eva, later())
  const known = device.cookies.get('moderator-device') ?? ''
  const wrong = { name: 'eva', password: 'wrong', code: '123456' }
  const visitor = consoleVisitor(server, device)
  for (let attempts = 0; attempts < 5; attempts += 1)
    expect(await outcome(wrong, visitor)).toMatchObject({ status: 401 })
  expect(await outcome(wrong, visitor)).toMatchObject({ status: 429 })
  // A forged cookie is an unknown device.
  const forged = consoleVisitor(server)
  forged.cookies.set('moderator-device', `${known.slice(0, -3)}abc`)
  expect(await outcome(wrong, forged)).toMatchObject({ status: 401 })

  const renewed = credentialsIn(await operatorCommand(server.dataDir, { do: 'reset', name: 'eva' }), 'eva')
  const before = consoleVisitor(server)
  before.cookies.set('moderator-device', known)
  // The cookie names the old credentials: attempts count for the network again.
  later()
  for (let attempts = 0; attempts < 5; attempts += 1)
    expect(await outcome(wrong, before)).toMatchObject({ status: 401 })
  expect(await outcome(wrong, before)).toMatchObject({ status: 429 })
  await logIn(server, renewed, later())
})

test('a login session ends after half an hour without a request', async () => {
  const visitor = await logIn(server, mia, later())
  clock.forward(CONSOLE_IDLE_MS - 1)
  await visitor.requestConsole('whoAmI', undefined)
  clock.forward(CONSOLE_IDLE_MS - 1)
  await visitor.requestConsole('whoAmI', undefined)
  clock.forward(CONSOLE_IDLE_MS)
  expect((await visitor.sendToConsole('whoAmI', undefined)).status).toBe(401)
})

test('a login session ends after twelve hours, however much it is used', async () => {
  const visitor = await logIn(server, mia, later())
  const step = CONSOLE_IDLE_MS - 1
  for (let spent = 0; spent + step < CONSOLE_LOGIN_SESSION_MS; spent += step) {
    await visitor.requestConsole('whoAmI', undefined)
    clock.forward(step)
  }
  await visitor.requestConsole('whoAmI', undefined)
  clock.forward(step)
  expect((await visitor.sendToConsole('whoAmI', undefined)).status).toBe(401)
})

test('logging out ends the login session on the server too', async () => {
  const visitor = await logIn(server, mia, later())
  const token = visitor.cookies.get('moderator') ?? ''
  await visitor.requestConsole('logout', undefined)
  // Logging out keeps the cookie of known devices.
  expect([...visitor.cookies.keys()]).toEqual(['moderator-device'])
  visitor.cookies.set('moderator', token)
  expect((await visitor.sendToConsole('whoAmI', undefined)).status).toBe(401)
})

test('disabling an account ends its login sessions at once; after a reset only the new credentials are valid', async () => {
  const zoe = await addModerator(server.dataDir, 'zoe')
  const visitor = await logIn(server, zoe, later())
  await operatorCommand(server.dataDir, { do: 'disable', name: 'zoe' })
  expect((await visitor.sendToConsole('whoAmI', undefined)).status).toBe(401)
  expect(await outcome({ ...zoe, code: codeOf(zoe, later()) })).toMatchObject({ status: 401 })
  expect(await operatorCommand(server.dataDir, { do: 'list' })).toMatch(/^zoe .*disabled$/m)

  const renewed = credentialsIn(await operatorCommand(server.dataDir, { do: 'reset', name: 'zoe' }), 'zoe')
  const at = later()
  expect(await outcome({ ...zoe, code: codeOf(zoe, at) })).toMatchObject({ status: 401 })
  await logIn(server, renewed, at)
})

test("a user's cookies are not valid at the console, nor a moderator's elsewhere", async () => {
  const user = await signIn(server, { email: 'ada@example.org' })
  expect((await consoleVisitor(server, user).sendToConsole('whoAmI', undefined)).status).toBe(401)
  const moderator = await logIn(server, mia, later())
  expect((await moderator.send('validateAccessToken', undefined)).status).toBe(401)
})

test('the login cookie is __Host-, HttpOnly and SameSite=Strict', async () => {
  const response = await newVisitor(server).fetch('/api/moderation/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': '10.9.9.9' },
    body: JSON.stringify({ name: 'mia', password: mia.password, code: codeOf(mia, later()) }),
  })
  expect(response.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^moderator=[\w-]{40,}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/),
    expect.stringMatching(/^moderator-device=[\w.-]{100,}; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Strict$/),
  ])

  const origin = 'https://chat.example.org'
  const secure = await startServer({ PUBLIC_ORIGIN: origin, DEV_IDENTITY: 'on' })
  try {
    const leo = await addModerator(secure.dataDir, 'leo')
    const login = await fetch(`http://127.0.0.1:${secure.port}/api/moderation/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin, 'x-requested-with': 'XMLHttpRequest' },
      body: JSON.stringify({ name: 'leo', password: leo.password, code: codeOf(leo) }),
    })
    expect(login.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-moderator=.*; Path=\/; HttpOnly; Secure; SameSite=Strict$/),
      expect.stringMatching(/^__Host-moderator-device=.*; Path=\/; HttpOnly; Secure; SameSite=Strict$/),
    ])
  } finally {
    await secure.stop()
  }
})

test('logins, refused logins and operator commands are in the audit, without secrets', async () => {
  await outcome({ name: 'mia', password: 'hunter2', code: '123456' })
  await outcome({ name: 'a password typed here', password: 'x', code: '1' })
  const printed = await operatorCommand(server.dataDir, { do: 'audit' })
  for (const action of [
    'moderator-added',
    'moderator-reset',
    'moderator-disabled',
    'login ',
    'logout',
    'login-refused',
  ])
    expect(printed).toContain(action)
  for (const secret of ['hunter2', 'a password typed', mia.password]) expect(printed).not.toContain(secret)
})

test('the operator command works without a running server, and accounts survive a restart', async () => {
  const other = await startServer()
  const leo = await addModerator(other.dataDir, 'leo')
  await other.edit(async () => {})
  await logIn(other, leo)
  await other.stop()
})
