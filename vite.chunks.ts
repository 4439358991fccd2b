import { basename, join } from 'node:path'

import type { Rolldown } from 'vite'

type CodeSplittingNameFunction = Rolldown.CodeSplittingNameFunction
type Graph = Parameters<CodeSplittingNameFunction>[1]
type Modules = ReadonlySet<string>

const MAIN = 'src/main.tsx'
/** What every page loads after its first view: calls, notices of chat, and the news of incidents. */
const OF_EVERY_PAGE = ['src/app/Initialisation.tsx', 'src/app/LiveNotice.tsx']
/** Pages whose first view shares modules with others. */
const PAGES = [
  'src/incidents/list/IncidentFeedPage.tsx',
  'src/incidents/page/IncidentPage.tsx',
  'src/chat/ChatPage.tsx',
  'src/files/FilesPage.tsx',
  'src/playbooks/PlaybooksPage.tsx',
  'src/playbooks/editor/PlaybookEditor.tsx',
]
const LISTS = [
  'src/mass-notifications/MassNotificationsPage.tsx',
  'src/mass-notifications/SendNotificationPage.tsx',
  'src/contacts/ContactsPage.tsx',
  'resources/users.tsx',
]
/** Texts of all pages, and the calls of resources, which load beside a page. */
const TEXTS = ['providers/i18n/english.ts', 'providers/organisation.ts', 'providers/restProvider.ts']

/**
 * Other packages than MUI. Each is reached through an index that names more than a page uses: which chunk has them, or
 * parts of them, is said by patterns.
 */
const PACKAGE = /node_modules\/(?!@mui|@emotion)/
const PACKAGES = {
  start:
    /node_modules\/(react|react-dom|scheduler|react-is|stylis|clsx|hoist-non-react-statics|@babel\/runtime|@fontsource-variable)\//,
  requests: /node_modules\/zod\//,
  application:
    /node_modules\/(react-router|lodash|@tanstack\/(query-core|react-query)|ra-i18n-polyglot|node-polyglot|@nolyfill|function-bind|hasown|warning|ra-core\/dist\/(i18n|notification|preferences|routing|store|util)|ra-core\/dist\/(auth|core|dataProvider)(?=\/(?!use|fetch|populate|HttpError|SourceContext)))\//,
  fields: /node_modules\/(react-hook-form|@hookform|@standard-schema)\//,
  kit: /node_modules\/(ra-core|@popperjs|react-transition-group|@tanstack|query-string|decode-uri-component|split-on-first|filter-obj|strict-uri-encode)\//,
  texts: /node_modules\/(ra-data-simple-rest|ra-language-english)\//,
  /** What the table shares with charts and with the editor of texts. */
  stores: /node_modules\/(use-sync-external-store|reselect)\//,
  grid: /node_modules\/(@mui\/x-|@base-ui)/,
}

const fileOf = (path: string) => join(import.meta.dirname, path)

/** The modules that must be there before some files run. */
function neededBy(graph: Graph, files: readonly string[]): Modules {
  const found = new Set<string>()
  const add = (id: string) => {
    if (found.has(id) || PACKAGE.test(id)) return
    found.add(id)
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) add(imported)
  }
  for (const file of files) add(file)
  return found
}

/** The modules that a file may load, now or later, but not by way of another file; and those that begin a chunk. */
function reachedFrom(graph: Graph, start: string, without?: string): { all: Modules; later: Modules } {
  const all = new Set<string>()
  const later = new Set<string>()
  const walk = (id: string) => {
    if (all.has(id) || id === without || PACKAGE.test(id)) return
    all.add(id)
    const { importedIds = [], dynamicallyImportedIds = [] } = graph.getModuleInfo(id) ?? {}
    for (const one of dynamicallyImportedIds) later.add(one)
    for (const next of [...importedIds, ...dynamicallyImportedIds]) walk(next)
  }
  walk(fileOf(start))
  return { all, later }
}

/** What chunks are made of. */
function partsOf(graph: Graph) {
  const of = (...paths: readonly string[]) => neededBy(graph, paths.map(fileOf))
  const pagesOf = (paths: readonly string[]) =>
    paths.map((path) => {
      const needed = of(path)
      const { all: others } = reachedFrom(graph, MAIN, fileOf(path))
      return {
        name: basename(path, '.tsx'),
        needed,
        own: new Set([...needed].filter((id) => !others.has(id))),
      }
    })
  /** How many files that begin a chunk need a module. */
  const shares = new Map<string, number>()
  for (const start of reachedFrom(graph, MAIN).later)
    for (const id of neededBy(graph, [start])) shares.set(id, (shares.get(id) ?? 0) + 1)
  return {
    shares,
    entry: of(MAIN),
    signIn: of('src/app/PublicApp.tsx'),
    staff: of('src/staff-sign-in/StaffSignInPage.tsx'),
    welcome: of('src/welcome/WelcomePage.tsx'),
    public: reachedFrom(graph, 'src/app/PublicApp.tsx').all,
    application: of('src/app/App.tsx', 'src/kit/feedback/Toasts.tsx'),
    dashboard: of('src/dashboard/DashboardPage.tsx'),
    console: of('src/app/console/Console.tsx'),
    ofEveryPage: of(...OF_EVERY_PAGE),
    pages: pagesOf(PAGES),
    lists: pagesOf(LISTS),
    texts: of(...TEXTS),
    grid: of('src/kit/resource/ResourceGrid.tsx'),
    cards: of('src/kit/resource/ResourceCards.tsx'),
    sideList: of('src/kit/resource/SideListPage.tsx'),
  }
}
type Parts = ReturnType<typeof partsOf>
let parts: Parts | undefined

const isOfSource = (id: string) => id.includes('/src/')
const isOfCalls = (id: string) => /\/(contract|providers)\//.test(id)
const isIcon = (id: string) => id.includes('@mui/icons-material')
/** How many chunks need a module that no first view does, where every page may as well load it. */
const sharesOfKit = (id: string) => (isIcon(id) ? 2 : id.includes('/node_modules/') ? 4 : 8)
/** Beside a chunk of a page's own modules there would be one of its packages, and each would import the other. */
const hasOwnPackages = (page: string) => page === 'PlaybookEditor'

/** A chunk's name, null for what the bundler places, and undefined where another rule decides. */
type Rule = (id: string, parts: Parts) => string | null | undefined

/** What begins every page, and what checks and sends the forms of the first ones. */
const ofTheStart: Rule = (id, { entry, signIn, application, dashboard, ...parts }) => {
  if (entry.has(id) || PACKAGES.start.test(id)) return 'start'
  if (PACKAGES.requests.test(id)) return 'requests'
  if (!parts.public.has(id) || !(application.has(id) || dashboard.has(id))) return undefined
  return signIn.has(id) || isOfSource(id) ? 'start' : 'requests'
}

/** What the welcome package shares, and what surrounds the pages of an application. */
const ofTheApplication: Rule = (id, { signIn, welcome, application, dashboard, ...parts }) => {
  const isShared = (parts.shares.get(id) ?? 0) > 1
  if (welcome.has(id) && !signIn.has(id) && isShared)
    return parts.public.has(id) && isOfSource(id) ? 'forms' : 'requests'
  if (application.has(id) || PACKAGES.application.test(id)) return 'application'
  if (dashboard.has(id)) return isShared ? 'application' : null
  return PACKAGES.fields.test(id) ? 'fields' : undefined
}

/** The pages that need a module at once. */
const pagesOf = (id: string, { pages, lists }: Parts) => ({
  pages: pages.filter(({ needed }) => needed.has(id)),
  all: [...pages, ...lists].filter(({ needed }) => needed.has(id)),
})

/** What else the pages before signing in need, now or later: they load no kit for it. */
const ofPublicPages: Rule = (id, parts) => {
  const { all } = pagesOf(id, parts)
  const isShared = (parts.shares.get(id) ?? 0) > 1
  if (parts.signIn.has(id)) return isShared ? 'forms' : null
  if (parts.staff.has(id)) return all.length > 0 ? 'forms' : null
  if (parts.welcome.has(id)) return null
  if (!parts.public.has(id)) return undefined
  if (all.length > 1 || [parts.ofEveryPage, parts.texts, parts.console].some((part) => part.has(id)))
    return isOfCalls(id) ? 'requests' : 'forms'
  return isShared ? 'credentials' : null
}

/** What the other pages of an application share, and what is a page's own. */
const ofLaterPages: Rule = (id, parts) => {
  const { pages, all } = pagesOf(id, parts)
  const [page] = all
  if (parts.ofEveryPage.has(id)) return 'kit'
  if (all.length > 1) return pages.length > 0 ? 'kit' : 'lists'
  if (page?.own.has(id)) return hasOwnPackages(page.name) ? null : page.name
  if (page && parts.shares.get(id)! > 1 && !isIcon(id)) {
    if (parts.grid.has(id)) return 'kit'
    return pages.length > 0 ? `${page.name}-parts` : 'lists'
  }
  return undefined
}

const ofTheRest: Rule = (id, { shares, texts, grid, cards, sideList }) => {
  if (PACKAGES.kit.test(id) || (shares.get(id) ?? 0) >= sharesOfKit(id)) return 'kit'
  if (texts.has(id) || PACKAGES.texts.test(id)) return 'texts'
  if (PACKAGES.stores.test(id)) return 'stores'
  if (sideList.has(id) && isOfSource(id)) return 'side-list'
  if (grid.has(id)) return cards.has(id) ? 'lists' : 'grid'
  return PACKAGES.grid.test(id) ? 'grid' : null
}

const RULES = [ofTheStart, ofTheApplication, ofPublicPages, ofLaterPages, ofTheRest]
/**
 * The chunk of a module. Left alone, the bundler makes a file of every module that two pages share, most below 2 KB: 144
 * for an incident, of which a browser loads six at once where a proxy speaks HTTP/1.1. With these chunks a page loads
 * about ten, and sign-in and the dashboard nothing that only others need.
 */
const chunkOf: CodeSplittingNameFunction = (id, graph) => {
  parts ??= partsOf(graph)
  for (const rule of RULES) {
    const name = rule(id, parts)
    if (name !== undefined) return name
  }
  return null
}

/** The groups of the bundler: one, that does not bring along what its modules import. */
export const CHUNKS = [{ name: chunkOf, includeDependenciesRecursively: false }]
