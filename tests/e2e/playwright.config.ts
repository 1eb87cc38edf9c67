import { defineConfig } from '@playwright/test'
import { chromiumArgs, headlessChromiumPath } from '../../scripts/chromium.ts'
import { HANGING_MS, WAIT_MS } from '../../scripts/test-limits.ts'
import { smallCamera } from './small-camera.ts'

/** A process of its own for sound takes time and shows no other faults. */
const soundInTheBrowser = '--disable-features=AudioServiceOutOfProcess'

export default defineConfig({
  testDir: '.',
  testMatch: '*.test.ts',
  outputDir: '../../test-results/e2e',
  timeout: HANGING_MS,
  expect: { timeout: WAIT_MS },
  // By default there is one for two cores, and the journeys would end long after all other tests.
  workers: 2,
  retries: 0,
  forbidOnly: true,
  reporter: [['list'], ['json']],
  use: {
    // Without a graphics processor the time of drawing grows with the page. This is the smallest with the wide layout.
    viewport: { width: 1024, height: 600 },
    launchOptions: {
      executablePath: headlessChromiumPath(),
      args: [...chromiumArgs, smallCamera(), soundInTheBrowser],
    },
    permissions: ['camera', 'microphone'],
    contextOptions: { reducedMotion: 'reduce' },
    // Without these two an action that waits for ever ends the test without a word about which one it was.
    actionTimeout: WAIT_MS,
    navigationTimeout: WAIT_MS,
    screenshot: 'only-on-failure',
  },
})
