import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'

import react from '@vitejs/plugin-react'
import { defaultAllowedOrigins, type Plugin } from 'vite'
import { defineConfig } from 'vitest/config'

import { keepDataInMemory } from './tests/support/memory.ts'
import { CHUNKS } from './vite.chunks.ts'
import { pdfjsResources } from './vite.pdfjs.ts'

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as {
  version: string
}

const SERVER = 'http://127.0.0.1:3000'
// A flaky test does not stop the run; `tests/run.ts` names it.
const retry = process.env['CI'] ? 1 : 0
const WORTH_COMPRESSING = 1_024

/** Writes a brotli file beside each text asset, so that the server never compresses a static file. */
const precompress = (): Plugin => ({
  name: 'precompress',
  apply: 'build',
  writeBundle({ dir }, bundle) {
    for (const output of Object.values(bundle)) {
      if (!/\.(m?js|css|svg|json|txt|wasm|ttf|webmanifest)$/.test(output.fileName)) continue
      const content = Buffer.from(output.type === 'chunk' ? output.code : output.source)
      if (content.length <= WORTH_COMPRESSING) continue
      const params = {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      }
      writeFileSync(join(dir!, `${output.fileName}.br`), brotliCompressSync(content, { params }))
    }
  },
})

/**
 * Resolves react-admin to its core in tests: the Material UI components of its index take two seconds of every test file. Only
 * the test of these components loads the index.
 */
const coreOfReactAdmin = (): Plugin => ({
  name: 'core-of-react-admin',
  enforce: 'pre',
  resolveId(source, importer) {
    if (source !== 'react-admin' || importer?.endsWith('/react-admin.test.tsx')) return null
    return this.resolve('ra-core', importer)
  },
})

if (process.env['VITEST']) keepDataInMemory()

export default defineConfig({
  plugins: [react(), pdfjsResources(), precompress(), ...(process.env['VITEST'] ? [coreOfReactAdmin()] : [])],
  define: { 'import.meta.env.VITE_APP_VERSION': JSON.stringify(version) },
  build: {
    manifest: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    // The content security policy allows scripts, styles, fonts and images from files only.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      output: { codeSplitting: { groups: CHUNKS, includeDependenciesRecursively: false } },
    },
  },
  server: {
    // The frame that converts documents has an opaque origin.
    cors: { origin: [defaultAllowedOrigins, 'null'] },
    proxy: {
      '/api': { target: SERVER, ws: true },
      '/registry': SERVER,
      '/meta.json': SERVER,
    },
  },
  // In tests Node loads the packages and Vite our files. Both must resolve to one build of a package, or
  // there would be two routers and two style caches.
  ...(process.env['VITEST'] && { resolve: { conditions: ['module-sync', 'node', 'import'] } }),
  test: {
    // Tests wait for timers and for each other's answers: one worker more than cores keeps the cores busy.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        extends: true,
        test: {
          name: 'rules',
          environment: 'node',
          include: ['contract/**/*.test.ts', 'tests/*.test.ts', 'tests/bench/*.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'api',
          environment: 'node',
          // Loading all modules anew for each file took a third of the time. No test file changes a module for others.
          isolate: false,
          include: ['tests/api/**/*.test.ts', 'server/**/*.test.ts'],
          globalSetup: ['tests/support/global.ts'],
          setupFiles: ['tests/support/patience.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 60_000 } },
          retry,
        },
      },
      {
        extends: true,
        test: {
          name: 'screens',
          environment: 'jsdom',
          include: ['tests/screens/**/*.test.tsx', 'src/**/*.test.{ts,tsx}', 'providers/**/*.test.{ts,tsx}'],
          setupFiles: ['tests/support/patience.ts', 'tests/support/client-setup.ts'],
          retry,
        },
      },
    ],
  },
})
