import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'

import react from '@vitejs/plugin-react'
import { defaultAllowedOrigins, type Plugin, type Rolldown } from 'vite'
import { defineConfig } from 'vitest/config'

import { keepDataInMemory } from './tests/support/memory.ts'

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as {
  version: string
}

const SERVER = 'http://127.0.0.1:3000'
// A test that fails by chance is named by `tests/run.ts` instead of holding up what has nothing to do with it.
const retry = process.env['CI'] ? 1 : 0
const WORTH_COMPRESSING = 1_024
type CodeSplittingNameFunction = Rolldown.CodeSplittingNameFunction
type Graph = Parameters<CodeSplittingNameFunction>[1]

/**
 * Our modules and MUI's that some pages need before they show anything. Other packages are reached through their index,
 * which names more than a page uses: those stay where the bundler puts them.
 */
function neededBy(graph: Graph, files: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>()
  const add = (id: string) => {
    if (found.has(id) || /node_modules\/(?!@mui|@emotion)/.test(id)) return
    found.add(id)
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) add(imported)
  }
  for (const file of files) add(join(import.meta.dirname, file))
  return found
}

interface FirstPages {
  readonly entry: ReadonlySet<string>
  readonly signIn: ReadonlySet<string>
  readonly staff: ReadonlySet<string>
  readonly dashboard: ReadonlySet<string>
  readonly welcome: ReadonlySet<string>
}
let firstPages: FirstPages | undefined
const firstPagesOf = (graph: Graph): FirstPages =>
  (firstPages ??= {
    entry: neededBy(graph, ['src/main.tsx']),
    signIn: neededBy(graph, ['src/app/PublicApp.tsx']),
    staff: neededBy(graph, ['src/staff-sign-in/StaffSignInPage.tsx']),
    dashboard: neededBy(graph, ['src/app/App.tsx', 'src/dashboard/DashboardPage.tsx']),
    welcome: neededBy(graph, ['src/welcome/WelcomePage.tsx']),
  })

/** Packages, and parts of packages, that every page needs, and every page after signing in, all but a few bytes of them. */
const OF_EVERY_PAGE = /node_modules\/(react|react-is|stylis|clsx|hoist-non-react-statics|@babel\/runtime)\//
const OF_EVERY_LATER_PAGE = [
  /node_modules\/(react-router|lodash|@tanstack\/(query-core|react-query))\//,
  /node_modules\/(ra-i18n-polyglot|node-polyglot|@nolyfill|function-bind|hasown|warning)\//,
  /node_modules\/ra-core\/dist\/(i18n|notification|preferences|routing|store|util)\//,
  /node_modules\/ra-core\/dist\/(auth|core|dataProvider)\/(?!use|fetch|populate|HttpError|SourceContext)/,
]
/** The chunk of what the pages before and after signing in need at once. */
const firstChunk: CodeSplittingNameFunction = (id, graph) => {
  const { entry, signIn, dashboard, welcome } = firstPagesOf(graph)
  if (entry.has(id) || OF_EVERY_PAGE.test(id)) return 'start'
  if (OF_EVERY_LATER_PAGE.some((part) => part.test(id))) return 'application'
  if (!dashboard.has(id)) return id.includes('/node_modules/zod/') ? 'requests' : null
  if (signIn.has(id)) return 'base'
  return welcome.has(id) ? 'requests' : 'application'
}
/** What sign-in or the welcome package needs and most pages of an application, but not the dashboard. */
const formsChunk: CodeSplittingNameFunction = (id, graph) => {
  const { signIn, staff, welcome } = firstPagesOf(graph)
  if (firstChunk(id, graph) !== null) return null
  if (signIn.has(id) || staff.has(id)) return 'forms'
  return welcome.has(id) ? 'records' : null
}
/** A chunk that no first page loads. */
const laterChunk =
  (name: string): CodeSplittingNameFunction =>
  (id, graph) => {
    const { signIn, welcome } = firstPagesOf(graph)
    return firstChunk(id, graph) === null && !signIn.has(id) && !welcome.has(id) ? name : null
  }

/** Pages whose first view shares modules with others. */
const LATER_PAGES = {
  feed: 'src/incidents/list/IncidentFeedPage.tsx',
  incident: 'src/incidents/page/IncidentPage.tsx',
  chat: 'src/chat/ChatPage.tsx',
  files: 'src/files/FilesPage.tsx',
  playbooks: 'src/playbooks/PlaybooksPage.tsx',
  notifications: 'src/mass-notifications/MassNotificationsPage.tsx',
  send: 'src/mass-notifications/SendNotificationPage.tsx',
  contacts: 'src/contacts/ContactsPage.tsx',
  users: 'resources/users.tsx',
}
const EDITOR = 'src/playbooks/editor/PlaybookEditor.tsx'
/** What every page loads after its first view: calls, notices of chat, and the news of incidents. */
const INITIALISATION = 'src/app/Initialisation.tsx'
interface LaterPages {
  readonly pages: readonly (readonly [name: string, needed: ReadonlySet<string>])[]
  readonly editor: ReadonlySet<string>
  readonly initialisation: ReadonlySet<string>
}
let laterPages: LaterPages | undefined
const laterPagesOf = (graph: Graph): LaterPages =>
  (laterPages ??= {
    pages: Object.entries(LATER_PAGES).map(([name, file]) => [name, neededBy(graph, [file])]),
    editor: neededBy(graph, [EDITOR]),
    initialisation: neededBy(graph, [INITIALISATION]),
  })
/** A chunk for each set of pages: what they need at once, also where dialogs need parts of it. */
const pagesChunk: CodeSplittingNameFunction = (id, graph) => {
  const { pages, editor, initialisation } = laterPagesOf(graph)
  const names = pages.flatMap(([name, needed]) => (needed.has(id) ? [name] : []))
  // Every page would load what one of them needs at once, after its first view.
  if (initialisation.has(id) && names.length < 2) return laterChunk('initialisation')(id, graph)
  if (names.length === 0) return null
  // The editor of playbooks would load whole what one other page has: a part of it is enough.
  return laterChunk(names.length === 1 && editor.has(id) ? `${names[0]}-editor` : names.join('-'))(id, graph)
}

/**
 * Without groups each module that two pages share is a file of its own, most below 2 KB: 144 requests for an incident. A group
 * takes what at least `minShareCount` dynamic imports reach. Its dependencies stay where they are, or the first pages would load all of it.
 */
const CHUNKS = [
  { name: firstChunk, minShareCount: 2 },
  { name: formsChunk, minShareCount: 3 },
  { name: laterChunk('icons'), test: '@mui/icons-material', minShareCount: 2 },
  {
    name: laterChunk('framework'),
    test: /node_modules\/(ra-core|@popperjs|react-transition-group|@hookform|@standard-schema)\//,
    minShareCount: 9,
  },
  { name: laterChunk('widgets'), test: /@mui\/(material|utils|system)\//, minShareCount: 4 },
  { name: laterChunk('kit'), test: /^(?!.*node_modules).*\/(src|providers|contract)\//, minShareCount: 8 },
  { name: pagesChunk, minShareCount: 2 },
].map((group) => ({ ...group, includeDependenciesRecursively: false }))

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

/** The theme has buttons without ripples (`disableRipple`): their code would cost every page 2.5 KB for nothing. */
const noRipple = (): Plugin => ({
  name: 'no-ripple',
  apply: 'build',
  enforce: 'pre',
  resolveId: (source, importer) =>
    source === './TouchRipple.mjs' && importer?.endsWith('ButtonBase.mjs') ? '\0no-ripple' : null,
  load: (id) => (id === '\0no-ripple' ? 'export default () => null' : null),
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

if (process.env['VITEST']) keepDataInMemory()

export default defineConfig({
  plugins: [react(), noRipple(), precompress(), preloadFont()],
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
        codeSplitting: { groups: CHUNKS },
      },
    },
  },
  server: {
    // The frame that converts documents has no origin.
    cors: { origin: [defaultAllowedOrigins, 'null'] },
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
    // Tests wait for timers and for each other's answers: one more than there are cores keeps the cores busy.
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
