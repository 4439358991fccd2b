import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join, relative } from 'node:path'
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
/** Rooms that load with the application, before any page, and rules: they make calls and decide, and check no fields. */
const PLAIN =
  /^(?:providers|src\/app|src\/dashboard|src\/notifications)\/|^src\/shared\/(?:incidentFeed|usePeople)\.ts$|^contract\/.+\/rules\.ts$/
const MARK = '?plain'

/** Data without anything that runs; a schema is none. */
const isPlain = (value: unknown): boolean =>
  typeof value !== 'function' &&
  (typeof value !== 'object' || value === null || (!('_zod' in value) && Object.values(value).every(isPlain)))

interface Call {
  readonly method: string
  readonly path: string
  readonly access: unknown
  readonly reply: { readonly kind?: string }
}
/** What it takes to make a call: everything but the schemas. */
const callOf = ({ method, path, access, reply }: Call) => ({
  method,
  path,
  access,
  reply: { kind: reply.kind },
})
const plainOf = (name: string, value: unknown): unknown =>
  name.endsWith('Api')
    ? Object.fromEntries(
        Object.entries(value as Record<string, Call>).map(([key, call]) => [key, callOf(call)]),
      )
    : value

/**
 * Gives those rooms the contract's endpoints and constants without its schemas, which otherwise every visitor would
 * load for every noun. Forms and resources get the whole contract. Who wants a schema here fails to build.
 */
const plainContract = (): Plugin => ({
  name: 'plain-contract',
  apply: 'build',
  enforce: 'pre',
  resolveId(source, importer) {
    if (!importer || !PLAIN.test(relative(ROOT, importer))) return null
    const path = source.startsWith('#') ? source.slice(1) : relative(ROOT, join(dirname(importer), source))
    return /^contract\/.*(?:api|live|schema|text)\.ts$/.test(path) ? join(ROOT, path) + MARK : null
  },
  async load(id) {
    if (!id.endsWith(MARK)) return null
    const { module } = await runnerImport<Record<string, unknown>>(id.slice(0, -MARK.length), { root: ROOT })
    return Object.entries(module)
      .map(([name, value]) => [name, plainOf(name, value)] as const)
      .filter(([, value]) => isPlain(value))
      .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`)
      .join('\n')
  },
})

const isOwn = (id: string) => !id.includes('node_modules')
const isIcon = (id: string) => id.includes('@mui/icons-material/')
const small = new Set<string>()
const early = new Set<string>()
/** As many pages as share something, before it moves into the file that they have in common. */
const SHARED_BY = 6

/**
 * Puts what the application shares with its pages and what needs no library but React, such as icons, clocks and
 * texts, into one file instead of dozens; and into another one what many pages share, but not the dashboard. Each file
 * costs the browser work, however small it is. Whatever else they share, the bundler divides better.
 */
const gatherSmall = (): Plugin => ({
  name: 'gather-small',
  apply: 'build',
  buildEnd() {
    const importsOf = (id: string) => this.getModuleInfo(id)?.importedIds ?? []
    const loadedBy = (paths: readonly string[], isWanted: (id: string) => boolean) => {
      const found = new Set<string>()
      const visit = (id: string) => {
        if (found.has(id) || !isWanted(id)) return
        found.add(id)
        if (!isIcon(id)) for (const next of importsOf(id)) visit(next)
      }
      for (const path of paths) visit(join(ROOT, path))
      return found
    }
    const loadedWith = (...paths: string[]) => loadedBy(paths, (id) => isOwn(id) || isIcon(id))
    const FIRST = ['src/app/App.tsx', 'src/dashboard/DashboardPage.tsx']
    const first = loadedWith('src/main.tsx')
    small.clear()
    // In a later file than what they need: only then do files not wait for each other in a circle.
    const isFree = (id: string): boolean =>
      first.has(id) || (isOwn(id) ? importsOf(id).every(isFree) : /node_modules\/react\//.test(id))
    const pages = loadedWith(...FIRST)
    const beforeSignIn = loadedWith('src/sign-in/queries.ts')
    for (const id of pages)
      if (!first.has(id) && !beforeSignIn.has(id) && (isIcon(id) || isFree(id))) small.add(id)
    early.clear()
    // The public pages load none of what only the pages of the application share.
    const PUBLIC = ['src/sign-in/SecondFactor.tsx', 'src/sign-in/RarePage.tsx']
    for (const id of loadedBy(['src/main.tsx', 'src/sign-in/queries.ts', ...PUBLIC, ...FIRST], () => true))
      early.add(id)
  },
})

/** Parts of the data grid that no page of ours shows: filter and column panels, its own toolbar, editing. */
const UNUSED_IN_GRID =
  /@mui\/x-data-grid\/components\/(?:panel\/(?:filterPanel\/GridFilter(?:Panel|Form|Input\w+)|GridColumnsPanel)|columnsManagement\/GridColumnsManagement|toolbarV8\/GridToolbar|cell\/Grid(?:Edit\w+|LongText)Cell)\.mjs$/
const UNUSED_BY_GRID = /^@mui\/material\/(?:Autocomplete|Tabs|Tab|ToggleButton)$/
const NOTHING = '\0nothing'

/**
 * Leaves those parts out of the data grid, which names all of them in its defaults: 30 KB that every list would load.
 * A version of the grid that calls them otherwise fails to build here, instead of growing in silence.
 */
const slimGrid = (): Plugin => {
  let left = 0
  return {
    name: 'slim-grid',
    apply: 'build',
    enforce: 'pre',
    resolveId: (source, importer) =>
      importer?.includes('@mui/x-data-grid/') && UNUSED_BY_GRID.test(source) ? NOTHING : null,
    load: (id) => (id === NOTHING ? 'export default () => null' : null),
    transform(code, id) {
      if (!UNUSED_IN_GRID.test(id)) return null
      left++
      const declared = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map((match) => match[1]!)
      const listed = [...code.matchAll(/^export \{([^}]*)\}/gm)].flatMap((match) => match[1]!.split(','))
      const names = [...declared, ...listed.map((name) => name.trim())].filter(Boolean)
      return { code: names.map((name) => `export const ${name} = () => null`).join('\n'), map: null }
    },
    buildEnd(error) {
      if (!error && left < 15) throw new Error(`Only ${left} unused parts of the data grid were found.`)
    },
  }
}

export default defineConfig({
  plugins: [react(), plainContract(), slimGrid(), gatherSmall(), precompress(), preloadFont()],
  define: { 'import.meta.env.VITE_APP_VERSION': JSON.stringify(version) },
  build: {
    manifest: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    // The content security policy takes scripts, styles, fonts and images from files only.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // The first file lists the others: without their names, and in shorter ones, that list takes half a kilobyte less.
        chunkFileNames: 'assets/[hash:7].js',
        codeSplitting: {
          includeDependenciesRecursively: false,
          // Icons need the library's file, and that one needs the others: together they would wait in a circle.
          groups: [
            { name: 'icons', test: (id) => small.has(id) && isIcon(id) },
            { name: 'small', test: (id) => small.has(id) && isOwn(id) },
            { name: 'shared', test: (id) => !early.has(id), minShareCount: SHARED_BY },
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
  // Under test node loads the packages and the bundler our files: both must come to the same build of a package, or
  // two routers and two style caches do not see each other.
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
