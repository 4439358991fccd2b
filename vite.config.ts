import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'

import react from '@vitejs/plugin-react'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as {
  version: string
}

const SERVER = 'http://127.0.0.1:3000'
// A test that fails by chance is named by `tests/run.ts` instead of holding up what has nothing to do with it.
const retry = process.env['CI'] ? 1 : 0
const WORTH_COMPRESSING = 1_024
/** Icons of the menu and the first page. */
const MENU_ICONS =
  /@mui\/icons-material\/(Book|CrisisAlert|Campaign|EditNote|Groups|People|Policy|Key|Contacts|Dashboard|Tune|Send|VerifiedUser|School|Lock|ErrorOutline|Chat|Folder|Forum|AddAlert|Notifications|Menu|ChevronLeft|ChevronRight|SystemUpdateAlt|WarningAmber)Rounded/
/** Modules of a few lines that every page of an application needs. */
const SMALL_MODULES =
  /(contract\/.*\/(access|names)|serverClock|storage|kit\/time\/(clock|formats)|visuallyHidden|pageTitle|app\/places)\.ts$/
/** Components of a few lines that most pages of an application show, the dashboard among them. */
const PAGE_PARTS =
  /src\/kit\/(layout\/(PageTitle|ActionTile)|time\/Time|feedback\/(EmptyState|ErrorState)|theme\/filledSurface)\.tsx?$|app\/useBadges\.ts$/

/** Writes a brotli file beside each text asset, so that the server never compresses a file that does not change. */
const precompress = (): Plugin => ({
  name: 'precompress',
  apply: 'build',
  writeBundle({ dir }, bundle) {
    for (const output of Object.values(bundle)) {
      if (!/\.(m?js|css|svg|json|txt|webmanifest)$/.test(output.fileName)) continue
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

/** The files that each file of the build imports. */
const imports = new Map<string, readonly string[]>()
/** What a file has loaded once it runs: itself and, over and over, what it imports. */
function loadedBy(file: string, loaded = new Set<string>()): Set<string> {
  if (loaded.has(file)) return loaded
  loaded.add(file)
  for (const one of imports.get(file) ?? []) loadedBy(one, loaded)
  return loaded
}
/**
 * The files to load ahead with a dynamic import, without those that its importer has loaded already: the lists of them
 * would cost the dashboard 3 KB gzip. An icon comes with the page that imports it.
 */
const notLoaded = (importer: string, files: readonly string[]): string[] =>
  files.filter((file) => !loadedBy(importer).has(file) && !/(Rounded|Outlined)-/.test(file))
const knowImports = (): Plugin => ({
  name: 'know-imports',
  apply: 'build',
  generateBundle: {
    order: 'pre',
    handler: (_, bundle) => {
      for (const output of Object.values(bundle))
        if (output.type === 'chunk') imports.set(output.fileName, output.imports)
    },
  },
})

/** React Router's package names its development build only, whose warnings a minifier cannot drop. */
const productionRouter = (): Plugin => ({
  name: 'production-router',
  apply: 'build',
  enforce: 'pre',
  async resolveId(source, importer, options) {
    if (!/^react-router(\/dom)?$/.test(source)) return null
    const found = await this.resolve(source, importer, { ...options, skipSelf: true })
    return found && { ...found, id: found.id.replace('/dist/development/', '/dist/production/') }
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

export default defineConfig({
  plugins: [react(), productionRouter(), knowImports(), precompress(), preloadFont()],
  define: { 'import.meta.env.VITE_APP_VERSION': JSON.stringify(version) },
  build: {
    manifest: true,
    target: 'es2022',
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_file, files, { hostId }) => notLoaded(hostId, files),
    },
    // The content security policy takes scripts, styles, fonts and images from files only.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // Each page lists the files that others load: a character less in each name is 0.3 KB on the dashboard.
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: 'assets/[name]-[hash:7].js',
        // A file for each would cost the dashboard 2.9 KB more gzip: what compresses together is small.
        codeSplitting: {
          groups: [
            { name: 'menu-icons', test: MENU_ICONS },
            { name: 'icons', test: '@mui/icons-material', minShareCount: 12 },
            { name: 'small', test: SMALL_MODULES },
            // Without their dependencies, which the pages before signing in need, too.
            { name: 'parts', test: PAGE_PARTS, includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      '/api': { target: SERVER, ws: true },
      '/registry': SERVER,
      '/meta.json': SERVER,
    },
  },
  // In tests Node loads the packages and Vite our files. Both must resolve to one build of a package, or there would be
  // two routers and two style caches.
  ...(process.env['VITEST'] && { resolve: { conditions: ['module-sync', 'node', 'import'] } }),
  test: {
    // Tests wait more than they work: the core that is left free by default is used, too.
    maxWorkers: availableParallelism(),
    projects: [
      {
        extends: true,
        test: {
          name: 'rules',
          environment: 'node',
          include: ['contract/**/*.test.ts', 'tests/architecture.test.ts', 'tests/words.test.ts'],
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
          retry,
        },
      },
      {
        extends: true,
        test: {
          name: 'screens',
          environment: 'jsdom',
          include: ['tests/screens/**/*.test.tsx', 'src/**/*.test.{ts,tsx}', 'providers/**/*.test.{ts,tsx}'],
          setupFiles: ['tests/support/client-setup.ts'],
          retry,
        },
      },
    ],
  },
})
