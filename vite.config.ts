import babel from '@rolldown/plugin-babel'
import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { chromiumArgs, chromiumPath } from './scripts/chromium.ts'
import { compiledTexts } from './scripts/compiled-texts.ts'
import { makeFaces } from './scripts/faces.ts'
import { readConfig } from './server/config/config.ts'
import { pageConfigOf, withPageConfig } from './server/config/page-config.ts'

const server = 'http://localhost:3000'

/** The dev server's page gets the same configuration block that the product's server writes. */
function pageConfigInDevelopment(): Plugin {
  return {
    name: 'page-config',
    apply: (_, { command, mode }) => command === 'serve' && mode !== 'test',
    transformIndexHtml: (html) => withPageConfig(html, pageConfigOf(readConfig(process.env))),
  }
}

/** The faces are drawn, not kept: whoever builds or develops gets them first. */
function facesInPublic(): Plugin {
  return { name: 'faces', apply: (_, { mode }) => mode !== 'test', buildStart: () => makeFaces() }
}

export default defineConfig(({ mode }) => ({
  plugins: [
    compiledTexts(),
    react(),
    babel({ plugins: [['module:@preact/signals-react-transform']] }),
    pageConfigInDevelopment(),
    facesInPublic(),
  ],
  worker: { format: 'es' },
  resolve: {
    dedupe: ['react', 'react-dom'],
    // React's own tracks in the performance panel cost time, so that only a build for the profiler has them.
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
      'bowser',
      '@daypicker/react',
      '@daypicker/react/locale/es',
      '@lingui/core',
    ],
  },
  build: {
    target: 'es2022',
    sourcemap: 'hidden',
    manifest: true,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: {
      checks: { pluginTimings: false },
      // All that the first screen needs in one file: what a chunk takes from another one is not seen to be free of effects, and
      // unused schemas would stay.
      // And one file of what screens share, in place of a dozen tiny ones.
      output: {
        codeSplitting: {
          groups: [
            { name: 'index', tags: ['$initial'], priority: 1 },
            { name: 'parts', test: /\/src\/parts\//, minShareCount: 2 },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    strictPort: true,
    // As the product's server sends it: without it the sign-in popup would lose its opener.
    headers: { 'Cross-Origin-Opener-Policy': 'same-origin-allow-popups' },
    proxy: { '/api': server, '/dev-identity': server, '/chathub': { target: server, ws: true } },
  },
  test: {
    projects: [
      // Without the plugins of components: neither suite renders one.
      {
        plugins: [compiledTexts()],
        test: { name: 'unit', include: ['tests/unit/**/*.test.ts'], environment: 'node' },
      },
      {
        test: {
          name: 'server',
          include: ['tests/server/**/*.test.ts'],
          environment: 'node',
          globalSetup: 'tests/support/servers/postgres-setup.ts',
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['tests/browser/**/*.test.{ts,tsx}'],
          globalSetup: 'tests/support/servers/api-server-setup.ts',
          // Two runs at the same time take two ports; the development server's own rule would end the second.
          api: { strictPort: false },
          testTimeout: 30_000,
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: { executablePath: chromiumPath(), args: chromiumArgs },
              contextOptions: { permissions: ['camera', 'microphone'] },
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
}))
