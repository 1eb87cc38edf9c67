import { defineConfig } from '@playwright/test'
import { chromiumArgs, headlessChromiumPath } from '../../scripts/chromium.ts'

export default defineConfig({
  testDir: '.',
  testMatch: '*.test.ts',
  outputDir: '../../test-results/e2e',
  timeout: 120_000,
  expect: { timeout: 20_000 },
  workers: 1,
  retries: 0,
  forbidOnly: true,
  reporter: [['list'], ['json']],
  use: {
    viewport: { width: 1280, height: 800 },
    launchOptions: { executablePath: headlessChromiumPath(), args: chromiumArgs },
    permissions: ['camera', 'microphone'],
    screenshot: 'only-on-failure',
  },
})
