import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { PageConfig } from '#protocol/page-config.ts'
import { AboutPage } from '../../../src/site/about/about-page.tsx'
import { DataDeletionPage } from '../../../src/site/data-deletion/data-deletion-page.tsx'
import { PrivacyPage } from '../../../src/site/privacy/privacy-page.tsx'
import { TermsPage } from '../../../src/site/terms/terms-page.tsx'
import { Footer } from '../../../src/ui/frame/footer.tsx'
import { fakeVisit } from '../../support/browser/fake-visit.ts'
import { render, unmount } from '../../support/browser/render.tsx'

function show(content: ReactNode, given: Partial<PageConfig> = {}): void {
  unmount()
  const { stores } = fakeVisit()
  render({ ...stores, config: { ...stores.config, ...given } }, content)
}

const noLinks: PageConfig['socialLinks'] = {
  linkedin: null,
  twitter: null,
  instagram: null,
  facebook: null,
  whatsapp: null,
  snapchat: null,
  youtube: null,
  tiktok: null,
}
const footer = page.getByRole('contentinfo')
const article = page.getByRole('article')

test('the footer has every configured link, and the address to write to', async () => {
  show(<Footer />)
  await expect.element(footer.getByRole('list', { name: 'Follow us' })).toBeVisible()
  expect(footer.getByRole('link').elements()).toHaveLength(12)
  await expect
    .element(footer.getByRole('link', { name: 'hello@waggle.example' }))
    .toHaveAttribute('href', 'mailto:hello@waggle.example')
})

const addresses = () =>
  footer
    .getByRole('link')
    .elements()
    .map((link) => link.getAttribute('href'))

test('the footer has no link that is not configured, and no empty list', async () => {
  show(<Footer />, { contactEmail: null, socialLinks: { ...noLinks, tiktok: 'https://tiktok.example/@we' } })
  await expect.poll(addresses).toEqual(['https://tiktok.example/@we', '/report-content', '/transparency', '/status'])
  show(<Footer />, { contactEmail: null, socialLinks: noLinks })
  await expect.poll(addresses).toEqual(['/report-content', '/transparency', '/status'])
  await expect.element(footer.getByRole('list')).not.toBeInTheDocument()
  await expect.element(footer.getByText(/All rights reserved/)).toBeVisible()
})

test.each([
  { screen: <AboutPage />, on: 'your own device looks at the pictures, if it can' },
  { screen: <TermsPage />, on: 'your own device looks at the pictures, if it can' },
  { screen: <PrivacyPage />, on: 'your own device looks at the pictures, if it can' },
])('whether devices look at the pictures of a call follows the configuration', async ({ screen, on }) => {
  show(screen, { curtainLooks: 2 })
  await expect.element(article).toMatchTextContent(on)
  show(screen, { curtainLooks: 0 })
  await expect.element(article).toMatchTextContent('In a call no program looks at the pictures.')
  await expect.element(article).not.toMatchTextContent(on)
})

test.each([
  { screen: <AboutPage />, on: 'A program examines camera pictures', off: 'No program examines camera pictures' },
  { screen: <TermsPage />, on: 'a program examines camera pictures', off: 'No program examines camera pictures' },
  { screen: <PrivacyPage />, on: 'A program on our server then examines it', off: 'No program examines it' },
])('whether pictures are examined follows the configuration: $off', async ({ screen, on, off }) => {
  show(screen, { frameClassifier: true })
  await expect.element(article).toMatchTextContent(on)
  await expect.element(article).not.toMatchTextContent(off)
  show(screen, { frameClassifier: false })
  await expect.element(article).toMatchTextContent(off)
  await expect.element(article).not.toMatchTextContent(on)
})

test.each([
  { screen: <AboutPage />, title: 'About us' },
  { screen: <TermsPage />, title: 'Terms & Conditions' },
  { screen: <PrivacyPage />, title: 'Data Privacy' },
  { screen: <DataDeletionPage />, title: 'Data deletion' },
])('without an address $title asks nobody to write to one', async ({ screen, title }) => {
  show(screen)
  await expect.element(article.getByRole('link', { name: 'hello@waggle.example' }).first()).toBeVisible()
  show(screen, { contactEmail: null })
  await expect.element(article.getByRole('heading', { level: 1 })).toMatchTextContent(title)
  expect(article.element().textContent).not.toMatch(
    /write an e-mail|write to|questions go|reach people|@|contact address/i,
  )
})

test('the deletion page names the providers that are offered, and what works without an e-mail', async () => {
  show(<DataDeletionPage />, {
    contactEmail: null,
    providers: { google: { clientId: 'x' }, facebook: null, development: false },
  })
  await expect.element(article).toMatchTextContent('choose “Delete my account”')
  await expect.element(article).toMatchTextContent('Within 7 business days your data are deleted.')
  await expect.element(article).not.toMatchTextContent('Facebook')
})

test.each([
  { google: { clientId: 'x' }, facebook: null, words: 'Sign in with Google and' },
  { google: null, facebook: { appId: 'x' }, words: 'Sign in with Facebook and' },
  { google: { clientId: 'x' }, facebook: { appId: 'x' }, words: 'Sign in with Google or Facebook and' },
])('the about page names the providers that are offered: $words', async ({ words, ...providers }) => {
  show(<AboutPage />, { providers: { ...providers, development: false } })
  await expect.element(article).toMatchTextContent(words)
})
