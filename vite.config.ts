import babel from '@rolldown/plugin-babel'
import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { chromiumArgs, chromiumPath } from './scripts/chromium.ts'
import { readConfig } from './server/config.ts'
import { pageConfigOf, withPageConfig } from './server/page-config.ts'

const server = 'http://localhost:3000'

/** The dev server's page gets the same configuration block that the product's server writes. */
function pageConfigInDevelopment(): Plugin {
  return {
    name: 'page-config',
    apply: (_, { command, mode }) => command === 'serve' && mode !== 'test',
    transformIndexHtml: (html) => withPageConfig(html, pageConfigOf(readConfig(process.env))),
  }
}

export default defineConfig({
  plugins: [react(), babel({ plugins: [['module:@preact/signals-react-transform']] }), pageConfigInDevelopment()],
  worker: { format: 'es' },
  resolve: { dedupe: ['react', 'react-dom'] },
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
    ],
  },
  build: { target: 'es2022', sourcemap: 'hidden', modulePreload: { polyfill: false }, assetsInlineLimit: 0 },
  server: {
    port: 5173,
    strictPort: true,
    proxy: { '/api': server, '/dev-identity': server, '/chathub': { target: server, ws: true } },
  },
  test: {
    projects: [
      { extends: true, test: { name: 'unit', include: ['tests/unit/**/*.test.ts'], environment: 'node' } },
      {
        extends: true,
        test: { name: 'server', include: ['tests/server/**/*.test.ts'], environment: 'node', testTimeout: 30_000 },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['tests/browser/**/*.test.{ts,tsx}'],
          globalSetup: 'tests/support/api-server-setup.ts',
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
})
