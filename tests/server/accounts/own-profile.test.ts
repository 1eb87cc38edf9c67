import { sql } from 'kysely'
import sharp from 'sharp'
import * as v from 'valibot'
import { expect, onTestFinished, test } from 'vitest'
import { parseProfileCookie } from '#protocol/cookies.ts'
import { problemSchema } from '#protocol/problem.ts'
import type { EndpointInput } from '#protocol/rest.ts'
import { openDatabase } from '../../../server/platform/database/database.ts'
import { movableClock } from '../../support/movable-clock.ts'
import { colouredJpeg, type FrameColour, scriptedClassifier } from '../../support/pictures/coloured-frames.ts'
import { jpeg } from '../../support/pictures/pictures.ts'
import { type SignedInVisitor, signIn, startServer } from '../../support/servers/server.ts'
import { migratedFolder } from '../../support/stores/migrated.ts'
import { openStore } from '../../support/stores/store.ts'
import { undoMigrations } from '../../support/stores/undo-migrations.ts'

const fileOf = (blob: Blob) => ({ blob, fileName: 'profile.jpg' })
const coloured = async (colour: FrameColour) =>
  fileOf(new Blob([new Uint8Array(await colouredJpeg(colour))], { type: 'image/jpeg' }))

const change = { NickName: 'Ada L', Gender: 'others', ShowPicture: 'true' } as const

async function adaOn(env: Record<string, string> = {}) {
  const server = await startServer(env, { clock: movableClock(), classifierProgram: scriptedClassifier })
  onTestFinished(server.stop)
  return { server, ada: await signIn(server, { email: 'ada@x.org' }) }
}

async function refusalOf(person: SignedInVisitor, input: EndpointInput<'changeProfile'>) {
  return v.parse(problemSchema, await (await person.send('changeProfile', input)).json())
}

const confirmedName = async (person: SignedInVisitor) =>
  parseProfileCookie((await person.request('readProfileCookie', undefined)).cookieValue)?.nickName

test('nickname, gender and picture change, the date of birth stays, and the cookie follows', async () => {
  const { server, ada } = await adaOn()
  expect(await ada.request('readProfile', undefined)).toEqual({
    nickName: 'Ada',
    gender: 'girl',
    dateOfBirth: '1990-12-10',
    showsPicture: false,
    pictureState: 'none',
    picture: null,
    languages: [],
    interests: [],
  })
  const cookie = [...ada.cookies].find(([name]) => name.includes('profile'))?.[1]
  const changed = await ada.request('changeProfile', { ...change, file: fileOf(await jpeg()) })
  expect(changed.pictureState).toBe('ready')
  const profile = await ada.request('readProfile', undefined)
  expect(profile).toMatchObject({ nickName: 'Ada L', gender: 'others', dateOfBirth: '1990-12-10', showsPicture: true })
  const picture = await sharp(Buffer.from(profile.picture ?? '', 'base64')).metadata()
  expect(picture).toMatchObject({ format: 'webp', width: 64, height: 48 })
  expect(await confirmedName(ada)).toBe('Ada L')
  expect([...ada.cookies].find(([name]) => name.includes('profile'))?.[1]).not.toBe(cookie)
  await server.restart()
  expect(await ada.request('readProfile', undefined)).toEqual(profile)
  const { profile: exported } = await ada.request('exportData', undefined)
  expect(exported).toMatchObject({ nickName: 'Ada L', showsPicture: true, picture: { base64: profile.picture } })
})

test('a change without a picture keeps it; it is removed on request', async () => {
  const { ada } = await adaOn()
  await ada.request('changeProfile', { ...change, file: fileOf(await jpeg()) })
  expect(await ada.request('changeProfile', { ...change, NickName: 'Grace' })).toMatchObject({ pictureState: 'ready' })
  const removed = await ada.request('changeProfile', { ...change, RemovePicture: 'true' })
  expect(removed).toMatchObject({ pictureState: 'none' })
  expect(await ada.request('readProfile', undefined)).toMatchObject({ picture: null, pictureState: 'none' })
})

test('a later sign-in gets the chosen picture and does not replace it by that of the provider', async () => {
  const { ada } = await adaOn()
  const names = { EmailAddress: ada.email, FirstName: 'A', LastName: 'B', SourceName: 'Google' } as const
  const welcome = { EmailAddress: ada.email, NickName: 'Ada', Gender: 'girl', DOB: '1990-12-10' } as const
  const sendAtWelcome = async () =>
    ada.request('addProfile', { ...welcome, ConsentAgreed: 'true', file: fileOf(await jpeg()) })
  await sendAtWelcome()
  expect((await ada.request('addOauthUser', names)).profile).not.toHaveProperty('picture')
  await ada.request('changeProfile', { ...change, file: await coloured('harmless') })
  const { picture } = await ada.request('readProfile', undefined)
  expect((await ada.request('addOauthUser', names)).profile).toMatchObject({ picture })
  await sendAtWelcome()
  expect(await ada.request('readProfile', undefined)).toMatchObject({ picture, nickName: 'Ada' })
  await ada.request('changeProfile', { ...change, RemovePicture: 'true' })
  await sendAtWelcome()
  expect((await ada.request('addOauthUser', names)).profile).toMatchObject({ picture: null })
})

test('bad input is refused by its field and changes nothing', async () => {
  const { ada } = await adaOn()
  const before = await ada.request('readProfile', undefined)
  const names = ['', ' Ada', 'Ada  L', 'Ada1', 'a'.repeat(31)]
  for (const NickName of names)
    expect(await refusalOf(ada, { ...change, NickName })).toMatchObject({ status: 400, field: 'NickName' })
  const send = (blob: Blob) => refusalOf(ada, { ...change, file: fileOf(blob) })
  const svg = new Blob(['<svg xmlns="http://www.w3.org/2000/svg"/>'], { type: 'image/jpeg' })
  expect(await send(svg)).toMatchObject({ status: 415, field: 'ProfilePicture' })
  expect(await send(new Blob(['not a picture']))).toMatchObject({ status: 415, field: 'ProfilePicture' })
  const broken = new Blob([new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3])])
  expect(await send(broken)).toMatchObject({ status: 400, field: 'ProfilePicture' })
  expect(await send(new Blob([new Uint8Array(6 * 1024 * 1024)]))).toMatchObject({ status: 413, code: 'too-large' })
  expect(await ada.request('readProfile', undefined)).toEqual(before)
})

test('without a profile there is nothing to change', async () => {
  const { server } = await adaOn()
  const eve = await signIn(server, { email: 'eve@x.org', profile: false })
  expect(await refusalOf(eve, change)).toMatchObject({ status: 409 })
  expect((await eve.send('readProfile', undefined)).status).toBe(409)
})

test('changes are limited as profiles are', async () => {
  const { ada } = await adaOn()
  const statuses: number[] = []
  for (let turn = 0; turn < 31; turn += 1) statuses.push((await ada.send('changeProfile', change)).status)
  expect(statuses).toEqual([...Array(30).fill(200), 429])
})

test('with the classifier a flagged picture is refused, and the one before it stays', async () => {
  const { ada } = await adaOn({ FRAME_CLASSIFIER: 'on' })
  expect(await ada.request('changeProfile', { ...change, file: await coloured('harmless') })).toMatchObject({
    pictureState: 'ready',
  })
  const before = await ada.request('readProfile', undefined)
  const refused = { ...change, NickName: 'Eve', file: await coloured('explicit') }
  expect(await refusalOf(ada, refused)).toMatchObject({ status: 400, code: 'picture-refused', field: 'ProfilePicture' })
  expect(await ada.request('readProfile', undefined)).toEqual(before)
  const status = await ada.request('readBlockStatus', { userEmailAddress: ada.email })
  expect(status).toMatchObject({ status: 'Valid' })
})

test('while the classifier gives no answer a picture is being checked', async () => {
  const { ada } = await adaOn({ FRAME_CLASSIFIER: 'on' })
  expect(await ada.request('changeProfile', { ...change, file: await coloured('deadly') })).toMatchObject({
    pictureState: 'checking',
  })
})

test('the picture of a welcome is judged when it is first read, and removed if it is flagged', async () => {
  const { ada } = await adaOn({ FRAME_CLASSIFIER: 'on' })
  const welcome = { EmailAddress: ada.email, NickName: 'Ada', Gender: 'girl', DOB: '1990-12-10' } as const
  await ada.request('addProfile', { ...welcome, ConsentAgreed: 'true', file: await coloured('explicit') })
  for (let turn = 0; turn < 2; turn += 1)
    expect(await ada.request('readProfile', undefined)).toMatchObject({ picture: null, pictureState: 'refused' })
})

test('a database of 0.1.0 keeps its profiles, whose pictures are shown to nobody', async () => {
  const folder = await migratedFolder()
  const db = await openDatabase(folder)
  for (const statement of undoMigrations('013')) await sql.raw(statement).execute(db)
  const columns = 'id, provider, subject, email, first_name, last_name, status, created_at'
  const values = "'a', 'Google', 's', 'a@x.org', 'A', 'B', 'Valid', 1"
  await sql.raw(`insert into accounts (${columns}) values (${values})`).execute(db)
  await sql.raw("insert into profiles values ('a', 'Ada', 'girl', '1990-12-10', '1', 5, x'0102')").execute(db)
  await db.destroy()
  const store = await openStore(folder, () => 'id')
  onTestFinished(() => store.close())
  expect(await store.profiles.find('a')).toMatchObject({
    nickName: 'Ada',
    dateOfBirth: '1990-12-10',
    showsPicture: false,
    isPictureChosen: false,
    picture: { large: new Uint8Array([1, 2]), thumbnail: null, check: 'unchecked' },
  })
  expect(await store.profiles.findShown('a')).toBeNull()
})
