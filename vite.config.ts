import babel, { defineRolldownBabelPreset } from '@rolldown/plugin-babel'
import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { buildTargets } from './scripts/browser-floor.ts'
import { chromiumArgs, headlessChromiumPath } from './scripts/chromium.ts'
import { compiledTexts } from './scripts/compiled-texts.ts'
import { curtainFiles } from './scripts/curtain-files.ts'
import { makeFaces } from './scripts/faces.ts'
import { installedFirefox } from './scripts/firefox-provider.ts'
import { oneFileWorkers } from './scripts/one-file-workers.ts'
import { HANGING_MS, sized, sizedList, WAIT_MS } from './scripts/test-limits.ts'
import { textChunkOf } from './scripts/text-chunks.ts'
import { readConfig } from './server/config/config.ts'
import { pageConfigOf, withPageConfig } from './server/config/page-config.ts'

const server = 'http://localhost:3000'

/** Writes the configuration block into the dev server's page, as the product's server does. */
function pageConfigInDevelopment(): Plugin {
  return {
    name: 'page-config',
    apply: (_, { command, mode }) => command === 'serve' && mode !== 'test',
    transformIndexHtml: (html) => withPageConfig(html, pageConfigOf(readConfig(process.env))),
  }
}

/** Draws the faces, which are not in the repository, before a build or the dev server. */
function facesInPublic(): Plugin {
  return {
    name: 'faces',
    apply: (_, { mode, isSsrBuild }) => mode !== 'test' && !isSsrBuild,
    buildStart: () => makeFaces(),
  }
}

/**
 * Lets components and hooks follow the signals whose value they read. Babel takes most of a build, so it parses only files that may read
 * signals. With `debug`, signals are named after their variable and line, and effects after their component.
 */
function signalsPreset(debug: boolean) {
  const code = debug
    ? /\bvalue\b|\b(?:signal|computed|effect|useSignal|useComputed|useSignalEffect)\b/
    : // Beside a value: the name of a hook, or JSX as it is written or compiled.
      /^(?=.*\bvalue\b).*(?:\buse[A-Z]|\/>|<\/|\bjsxs?\b)/s
  return defineRolldownBabelPreset({
    preset: () => ({ plugins: [['module:@preact/signals-react-transform', { experimental: { debug } }]] }),
    rolldown: { filter: { code } },
  })
}

/** Test files that take longest although they are short, the longest first. If they began last, one worker would be left without work. */
const longest = [
  'fleet/machines',
  'faults/network',
  'server/kill',
  'fleet/activity',
  'redis/cluster-client',
  'faults/redis-failover',
  'faults/postgres',
  'faults/two-servers',
  'faults/rolling-restart',
  'hub/crowd',
  'server/fuzz',
]
/** Returns the place of the test file in `longest`, or the length of `longest`. */
function placeOf({ moduleId }: TestSpecification): number {
  const place = longest.findIndex((name) => moduleId.endsWith(`${name}.test.ts`))
  return place === -1 ? longest.length : place
}

/** `vitest run`, unlike watching, reads each source file once. */
const isOneTestRun = process.env.VITEST !== undefined && process.argv.includes('run')
/**
 * Each test file is a page of its own. Without this header, it would ask again for hundreds of modules, which takes
 * most of the processor time of a short file.
 */
const keptModules = { 'Cache-Control': 'max-age=86400' }

const expect = { poll: { timeout: WAIT_MS } }

/** Test files that are left out in Firefox. `tests/support/browser/left-out-in-firefox.ts` leaves out single tests. */
const notInFirefox = [
  // They need Chromium's debugging protocol: to collect garbage and count what is left, and to take the network away.
  '**/many-calls.test.ts',
  '**/offline.test.ts',
]

/**
 * Test files that run in Firefox: those of parts in which it differs from Chromium; in the long size, all that need no page of the product.
 */
const inFirefox = sizedList(
  [
    'tests/browser/call/peer/{peer-connection,ice-restart,negotiation,status-channel,data-saver}.test.ts',
    'tests/browser/devices/{camera,picture-light}.test.ts',
    'tests/browser/platform/sounds.test.ts',
    'tests/browser/workers/{aborted-requests,frame-capture,picture-reader,profile-picture,rpc}.test.ts',
    'tests/browser/curtain/curtain-model.test.ts',
  ],
  [
    'tests/browser/{workers,call/peer}/*.test.ts',
    'tests/browser/devices/{camera,picture-light}.test.ts',
    'tests/browser/platform/sounds.test.ts',
    'tests/browser/curtain/curtain-model.test.ts',
  ],
)

/** What the projects of all browsers have in common. */
const pageTests = {
  globalSetup: 'tests/support/servers/api-server-setup.ts',
  // Two runs at the same time take two ports; the development server's own rule would end the second.
  api: { strictPort: false },
  testTimeout: HANGING_MS,
  // A page has no environment to read the size of the tests from.
  provide: { callsInARow: sized(10, 100) },
  expect,
}
const withoutWindow = { enabled: true, headless: true, screenshotFailures: false }

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => placeOf(one) - placeOf(other))
  }
}

export default defineConfig(({ mode }) => ({
  plugins: [
    compiledTexts(),
    react(),
    babel({ presets: [signalsPreset(mode !== 'production')] }),
    pageConfigInDevelopment(),
    facesInPublic(),
    curtainFiles(),
    oneFileWorkers(),
  ],
  worker: {
    format: 'es',
    // One chunk with its imports: modules shared with the later parts would be one more file, for which the start would wait.
    rolldownOptions: {
      output: {
        codeSplitting: { groups: [{ name: 'network', test: /\/run-network-worker\.ts$/ }] },
      },
    },
  },
  resolve: {
    dedupe: ['react', 'react-dom'],
    // React's tracks in the performance panel cost time, so only a build for the profiler has them.
    alias: mode === 'profiling' ? { 'react-dom/client': 'react-dom/profiling' } : {},
  },
  optimizeDeps: {
    include: [
      'react',
      'react-dom',
      'react-dom/client',
      'react/jsx-runtime',
      'react/jsx-dev-runtime',
      'react-router-dom',
      '@preact/signals-react',
      '@preact/signals-react/runtime',
      'comlink',
      'ky',
      '@microsoft/signalr',
      'valibot',
      'idb-keyval',
      '@daypicker/react',
      '@daypicker/react/locale/es',
      '@lingui/core',
    ],
  },
  build: {
    target: buildTargets,
    sourcemap: 'hidden',
    manifest: true,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: {
      checks: { pluginTimings: false },
      // One chunk for all that the first screen needs: tree shaking does not remove unused schemas across chunks. And two chunks for
      // what screens share, and for their texts, instead of a dozen tiny ones: a visitor who has to sign in first does not wait for
      // what members see.
      output: {
        // Otherwise the profiler shows components under the names that the minifier gave them.
        keepNames: mode === 'profiling',
        codeSplitting: {
          groups: [
            { name: 'index', tags: ['$initial'], priority: 2 },
            { name: 'index', test: /^\0rolldown\/runtime/, priority: 2 },
            // Neither the sign-in page nor the dashboard needs the schemas.
            { name: 'schemas', test: /\/node_modules\/valibot\/|\/protocol\/(?:parse|fields)\.ts/, priority: 1 },
            {
              name: 'ui',
              test: /\/src\/(?:(?:ui|platform|account\/sign-in)\/(?!forms|members|texts\/icu)|site\/use-)/,
              minShareCount: 2,
              priority: 1,
            },
            { name: 'forms', test: /\/src\/(?:ui\/forms|account\/profile-fields)\//, minShareCount: 2, priority: 1 },
            {
              name: 'members',
              test: /\/src\/(?:ui\/members|devices|platform\/texts|(?:curtain|call|lobby)\/use-)/,
              minShareCount: 2,
            },
            { name: textChunkOf, test: /\/src\/\w+\/texts\//, includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    strictPort: true,
    // The header that the product's server sends: without it, the sign-in popup would lose its opener.
    headers: {
      'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
      ...(isOneTestRun ? keptModules : {}),
    },
    // Tests have a server of their own. Without this line, a server of the product that runs on this machine would answer their pages.
    proxy: mode === 'test' ? {} : { '/api': server, '/dev-identity': server, '/chathub': { target: server, ws: true } },
  },
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      // Unit and server tests render no component, so they need no plugins for components. Files share one module graph: most of
      // a file's time would be spent on loading the server again.
      {
        extends: false,
        plugins: [compiledTexts()],
        test: {
          name: 'unit',
          include: ['tests/unit/**/*.test.ts'],
          environment: 'node',
          setupFiles: 'tests/support/seed-properties.ts',
          isolate: false,
          // Both cores of a small machine: by default one would be left for other programs, which takes twice the time.
          maxWorkers: 2,
          testTimeout: HANGING_MS,
        },
      },
      {
        extends: false,
        test: {
          name: 'server',
          include: ['tests/server/**/*.test.ts'],
          environment: 'node',
          setupFiles: 'tests/support/seed-properties.ts',
          isolate: false,
          // Most files wait for timers and other processes more than they compute.
          maxWorkers: 3,
          globalSetup: 'tests/support/servers/postgres-setup.ts',
          testTimeout: HANGING_MS,
          hookTimeout: HANGING_MS,
          expect,
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['tests/browser/**/*.test.{ts,tsx}'],
          ...pageTests,
          browser: {
            ...withoutWindow,
            provider: playwright({
              launchOptions: { executablePath: headlessChromiumPath(), args: chromiumArgs },
              // Without a graphics processor, drawing motion takes a whole core. Tests of motion turn it on.
              contextOptions: { permissions: ['camera', 'microphone'], reducedMotion: 'reduce' },
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
      {
        extends: true,
        test: {
          name: 'firefox',
          include: [...inFirefox],
          exclude: notInFirefox,
          setupFiles: 'tests/support/browser/left-out-in-firefox.ts',
          ...pageTests,
          browser: {
            ...withoutWindow,
            provider: installedFirefox(),
            instances: [{ browser: 'firefox' }],
          },
        },
      },
    ],
  },
}))
