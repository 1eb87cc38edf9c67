import { expect, test } from 'vitest'
import type { MyData } from '#protocol/my-data.ts'
import { saveFile } from '../../../src/platform/io/save-file.ts'
import { apiOn } from '../../support/browser/api-on.ts'
import { problem } from '../../support/browser/api-room.ts'

const data: MyData = {
  madeAt: '2026-11-21T08:00:00.000Z',
  account: {
    provider: 'Google',
    subject: '1',
    email: 'ada@example.org',
    firstName: 'Ada',
    lastName: 'NA',
    language: 'es',
    status: 'Blocked',
    statusUntil: null,
    createdAt: '2026-11-21T08:00:00.000Z',
  },
  profile: null,
  consents: [],
  sessions: [],
  logins: [],
  statusHistory: [],
  appeals: [],
  notice: null,
  letters: [],
  reportsMade: [],
  reportsKept: [],
  reportsReceived: 0,
  findings: [],
  evidence: [],
  evidenceReceived: 0,
  frameSignals: [],
  traces: [],
  blocked: [],
  met: [],
  calls: [],
  frames: [],
  logEntries: [],
  deletions: [],
}

test('the worker makes the file, and refreshes the login session if necessary', async () => {
  const { workers, seen } = await apiOn({
    'user/data/get': [problem(401, 'login-required'), { json: data }],
    'cookie/access-token/refresh': [{ json: { message: 'Valid' } }],
  })
  const file = await workers.network().exportData()
  expect(file.type).toBe('application/json')
  expect(JSON.parse(await file.text())).toEqual(data)
  expect((await seen()).map(({ path }) => path)).toEqual([
    'user/data/get',
    'cookie/access-token/refresh',
    'user/data/get',
  ])
})

test('an invalid response makes no file', async () => {
  const { workers } = await apiOn({ 'user/data/get': [{ json: { ...data, account: null } }] })
  await expect(workers.network().exportData()).rejects.toMatchObject({ code: 'invalid-response' })
})

test('a file is saved under its name', async () => {
  const saved = new Promise<{ name: string; href: string }>((resolve) => {
    const click = HTMLAnchorElement.prototype.click
    HTMLAnchorElement.prototype.click = function save(this: HTMLAnchorElement) {
      HTMLAnchorElement.prototype.click = click
      resolve({ name: this.download, href: this.href })
    }
  })
  saveFile(new Blob(['{}']), 'my.json')
  expect(await saved).toEqual({ name: 'my.json', href: expect.stringMatching(/^blob:/) })
})
