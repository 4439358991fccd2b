import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

interface Chunk {
  readonly file: string
  readonly name?: string
  readonly imports?: readonly string[]
}
type Manifest = Readonly<Record<string, Chunk>>

const ENTRY = 'start'
/**
 * Maximum scripts of a page until it is idle: where a proxy speaks HTTP/1.1, six load in parallel. One more than the
 * design's 25 for the table of users, whose form loads telephone numbers apart.
 */
const FILES_MAX = 26
const APP = 'application'
const CONSOLE = 'console'
/** Chunks that every page loads after its first view, and those of lists on desktops. */
const TEXTS = 'providers/i18n/english.ts'
const CONSOLE_TEXTS = 'providers/i18n/consoleEnglish.ts'
const AFTERWARDS = ['src/app/Initialisation.tsx', TEXTS]
const GRID = 'src/kit/resource/ResourceGrid.tsx'

interface Page {
  readonly page: string
  /** Files loaded beside the entry, each the root of a chunk, or chunks by their names (`vite.chunks.ts`). */
  readonly chunks: readonly string[]
  /** Files loaded after the first view. */
  readonly afterwards: readonly string[]
  /** KB of JavaScript allowed for rendering (design §10). */
  readonly budget: number
}
const publicPage = (page: string, ...chunks: readonly string[]): Page => ({
  page,
  chunks,
  afterwards: [],
  budget: 230,
})
const pageOf = (page: string, file: string, ...afterwards: readonly string[]): Page => ({
  page,
  chunks: [APP, file],
  afterwards: [...AFTERWARDS, ...afterwards],
  budget: 450,
})
const consolePage = (page: string, file: string, ...afterwards: readonly string[]): Page => ({
  page,
  chunks: [CONSOLE, file],
  afterwards: [TEXTS, CONSOLE_TEXTS, ...afterwards],
  budget: 450,
})
const PAGES: readonly Page[] = [
  publicPage('sign-in, setup'),
  publicPage('code of sign-in', 'src/sign-in/SecondFactor.tsx'),
  publicPage('set password', 'src/sign-in/SetPasswordPage.tsx'),
  publicPage('staff sign-in', 'src/staff-sign-in/StaffSignInPage.tsx'),
  publicPage('welcome', 'src/welcome/WelcomePage.tsx'),
  publicPage('link', 'src/file-links/LinkPage.tsx', 'src/file-links/LinkContents.tsx'),
  publicPage('link, drop box', 'src/file-links/LinkPage.tsx', 'src/file-links/DropBox.tsx'),
  { page: 'dashboard', chunks: [APP, 'dashboard'], afterwards: AFTERWARDS, budget: 300 },
  pageOf('incidents', 'src/incidents/list/IncidentFeedPage.tsx'),
  pageOf('incident', 'src/incidents/page/IncidentPage.tsx'),
  pageOf('incident form', 'src/incidents/form/IncidentFormPage.tsx'),
  pageOf('playbooks', 'src/playbooks/PlaybooksPage.tsx'),
  {
    page: 'playbook editor',
    chunks: [APP, 'src/playbooks/PlaybooksPage.tsx', 'src/playbooks/editor/PlaybookEditor.tsx'],
    afterwards: AFTERWARDS,
    budget: 465,
  },
  // Loaded on an open page when a person begins to write.
  {
    page: 'text editor',
    chunks: [APP, 'src/kit/rich-text/RichTextEditor.tsx'],
    afterwards: AFTERWARDS,
    budget: 560,
  },
  pageOf('chat', 'src/chat/ChatPage.tsx'),
  pageOf('files', 'src/files/FilesPage.tsx'),
  pageOf('notifications', 'src/mass-notifications/MassNotificationsPage.tsx', GRID),
  pageOf('send', 'src/mass-notifications/SendNotificationPage.tsx'),
  pageOf('contacts', 'src/contacts/ContactsPage.tsx', GRID),
  pageOf('templates', 'resources/notification-templates.tsx'),
  pageOf('users', 'resources/users.tsx', GRID),
  {
    page: 'users, phone',
    chunks: [APP, 'resources/users.tsx', 'src/kit/resource/ResourceCards.tsx'],
    afterwards: AFTERWARDS,
    budget: 450,
  },
  pageOf('api-keys', 'resources/api-keys.tsx', GRID),
  consolePage('organisations', 'resources/managed-organisations.tsx', GRID),
  consolePage('instance', 'src/management/InstancePage.tsx'),
]

interface PageSize {
  readonly page: string
  /** Gzip, in KB of 1,000 bytes. */
  readonly size: number
  readonly budget: number
  /** Script requests until the first view, and until the page is idle, which matter where a proxy speaks HTTP/1.1. */
  readonly files: number
  readonly allFiles: number
  readonly holds: boolean
}

/** Scripts required by some chunks: their own and, transitively, their imports. */
function scriptsOf(manifest: Manifest, names: readonly string[]): ReadonlySet<string> {
  const found = new Set<Chunk>()
  const add = (chunk: Chunk | undefined, name: string) => {
    if (!chunk) throw new Error(`The build has no chunk ${name}.`)
    if (found.has(chunk)) return
    found.add(chunk)
    for (const imported of chunk.imports ?? []) add(manifest[imported], imported)
  }
  for (const name of names)
    add(manifest[name] ?? Object.values(manifest).find((chunk) => chunk.name === name), name)
  return new Set([...found].map(({ file }) => file).filter((file) => file.endsWith('.js')))
}

/** JavaScript that each page of a build needs to render, against its budget. */
function measureSizes(dist: string): PageSize[] {
  const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Manifest
  const sizes = new Map<string, number>()
  const sizeOf = (file: string) => {
    if (!sizes.has(file)) sizes.set(file, gzipSync(readFileSync(join(dist, file)), { level: 9 }).length)
    return sizes.get(file)!
  }
  return PAGES.map(({ page, chunks, afterwards, budget }) => {
    const scripts = scriptsOf(manifest, [ENTRY, ...chunks])
    const { size: allFiles } = scriptsOf(manifest, [ENTRY, ...chunks, ...afterwards])
    const size = [...scripts].reduce((sum, file) => sum + sizeOf(file), 0) / 1_000
    const holds = size <= budget && allFiles <= FILES_MAX
    return { page, size, budget, files: scripts.size, allFiles, holds }
  })
}

if (import.meta.main) {
  const dist = process.argv[2] ?? join(import.meta.dirname, '../../dist')
  if (!existsSync(dist)) throw new Error('There is no build to measure: run `npm run build` first.')
  const pages = measureSizes(dist)
  for (const { page, size, budget, files, allFiles, holds } of pages)
    console.log(
      `${page.padEnd(16)} ${size.toFixed(1).padStart(6)} KB of ${budget} KB in ${files} files, ${allFiles} of ${FILES_MAX} until idle${holds ? '' : ' TOO LARGE'}`,
    )
  if (pages.some(({ holds }) => !holds)) process.exitCode = 1
}
