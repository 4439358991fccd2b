import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'

import react from '@vitejs/plugin-react'
import { type Plugin, runnerImport } from 'vite'
import { defineConfig } from 'vitest/config'

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as {
  version: string
}

const SERVER = 'http://127.0.0.1:3000'
const WORTH_COMPRESSING = 1_024

/** Writes a brotli file beside each text asset, so that the server never compresses a file that does not change. */
const precompress = (): Plugin => ({
  name: 'precompress',
  apply: 'build',
  writeBundle({ dir }, bundle) {
    for (const output of Object.values(bundle)) {
      if (!/\.(js|css|svg|json|txt|webmanifest)$/.test(output.fileName)) continue
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

/** Starts loading the letters that every page shows before the style sheet asks for them. */
const preloadFont = (): Plugin => ({
  name: 'preload-font',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (_, { bundle }) =>
      Object.keys(bundle ?? {})
        .filter((fileName) => /inter-latin-wght-normal.*\.woff2$/.test(fileName))
        .map((fileName) => ({
          tag: 'link',
          attrs: { rel: 'preload', href: `/${fileName}`, as: 'font', type: 'font/woff2', crossorigin: true },
          injectTo: 'head' as const,
        })),
  },
})

const ROOT = import.meta.dirname
/** The rooms that load with the application, before any page: they make calls and check no fields. */
const CALLERS = /\/(?:providers|src\/(?:app|dashboard|sign-in))\//
const MARK = '?calls'

interface Called {
  readonly method: string
  readonly path: string
  readonly access: unknown
  readonly reply: { readonly kind?: string }
}
/** What it takes to make the calls of an api: everything but the schemas. */
const callsOf = (api: Readonly<Record<string, Called>>) =>
  Object.fromEntries(
    Object.entries(api).map(([name, { method, path, access, reply }]) => [
      name,
      { method, path, access, reply: { kind: reply.kind } },
    ]),
  )

/**
 * Gives those rooms the contract's endpoints without their schemas, which otherwise every visitor would load for every
 * noun. Forms and resources get the whole contract.
 */
const contractWithoutSchemas = (): Plugin => ({
  name: 'contract-without-schemas',
  apply: 'build',
  enforce: 'pre',
  resolveId(source, importer) {
    const api = /^#(contract\/.+\/(?:api|live)\.ts)$/.exec(source)?.[1]
    return api && importer && CALLERS.test(importer) ? join(ROOT, api) + MARK : null
  },
  async load(id) {
    if (!id.endsWith(MARK)) return null
    const file = id.slice(0, -MARK.length)
    const { module } = await runnerImport<Record<string, unknown>>(file, { root: ROOT })
    const kept = Object.entries(module).filter(
      ([, value]) => typeof value === 'string' || typeof value === 'number',
    )
    const apis = Object.entries(module).filter(([name]) => name.endsWith('Api'))
    return [...kept, ...apis.map(([name, api]) => [name, callsOf(api as Record<string, Called>)] as const)]
      .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`)
      .join('\n')
  },
})

export default defineConfig({
  plugins: [react(), contractWithoutSchemas(), precompress(), preloadFont()],
  define: { 'import.meta.env.VITE_APP_VERSION': JSON.stringify(version) },
  build: {
    manifest: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    // The content security policy takes scripts, styles, fonts and images from files only.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      // A module of the contract that is wanted for a constant need not make all its schemas.
      treeshake: { manualPureFunctions: ['z', 'text', 'requiredText', 'optionalText', 'personName', 'tooLong'] },
    },
  },
  server: {
    proxy: {
      '/api': { target: SERVER, ws: true },
      '/registry': SERVER,
      '/meta.json': SERVER,
    },
  },
  // Under test node loads the packages and the bundler our files: both must come to the same build of a package, or
  // two routers and two style caches do not see each other.
  ...(process.env['VITEST'] && { resolve: { conditions: ['module-sync', 'node', 'import'] } }),
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'rules',
          environment: 'node',
          include: ['contract/**/*.test.ts', 'tests/architecture.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'api',
          environment: 'node',
          include: ['tests/api/**/*.test.ts', 'server/**/*.test.ts'],
          globalSetup: ['tests/support/global.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'screens',
          environment: 'jsdom',
          include: ['tests/screens/**/*.test.tsx', 'src/**/*.test.{ts,tsx}', 'providers/**/*.test.{ts,tsx}'],
          setupFiles: ['tests/support/client-setup.ts'],
        },
      },
    ],
  },
})
