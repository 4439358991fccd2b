import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
}
type Manifest = Readonly<Record<string, Chunk>>

const ENTRY = 'index.html'
/** Scripts of a page: where a proxy speaks HTTP/1.1, six of them are loaded at once. */
const FILES_MAX = 30
const APP = 'src/app/App.tsx'
const CONSOLE = 'src/app/console/Console.tsx'

/** What each page loads beside the entry, and how many KB of JavaScript it may cost to render it (design §10). */
const PAGES: readonly { page: string; chunks: readonly string[]; budget: number }[] = [
  { page: 'sign-in, setup', chunks: ['src/app/PublicApp.tsx'], budget: 170 },
  {
    page: 'staff sign-in',
    chunks: ['src/app/PublicApp.tsx', 'src/staff-sign-in/StaffSignInPage.tsx'],
    budget: 170,
  },
  { page: 'welcome', chunks: ['src/welcome/WelcomePage.tsx'], budget: 170 },
  { page: 'dashboard', chunks: [APP, 'src/dashboard/DashboardPage.tsx'], budget: 230 },
  { page: 'incidents', chunks: [APP, 'src/incidents/list/IncidentFeedPage.tsx'], budget: 420 },
  { page: 'incident', chunks: [APP, 'src/incidents/page/IncidentPage.tsx'], budget: 420 },
  { page: 'playbooks', chunks: [APP, 'src/playbooks/PlaybooksPage.tsx'], budget: 420 },
  {
    page: 'playbook editor',
    chunks: [APP, 'src/playbooks/PlaybooksPage.tsx', 'src/playbooks/editor/PlaybookEditor.tsx'],
    budget: 420,
  },
  { page: 'chat', chunks: [APP, 'src/chat/ChatPage.tsx'], budget: 420 },
  { page: 'files', chunks: [APP, 'src/files/FilesPage.tsx'], budget: 420 },
  {
    page: 'notifications',
    chunks: [APP, 'src/mass-notifications/MassNotificationsPage.tsx'],
    budget: 420,
  },
  { page: 'send', chunks: [APP, 'src/mass-notifications/SendNotificationPage.tsx'], budget: 420 },
  { page: 'contacts', chunks: [APP, 'src/contacts/ContactsPage.tsx'], budget: 420 },
  { page: 'templates', chunks: [APP, 'resources/notification-templates.tsx'], budget: 420 },
  { page: 'users', chunks: [APP, 'resources/users.tsx'], budget: 420 },
  { page: 'api-keys', chunks: [APP, 'resources/api-keys.tsx'], budget: 420 },
  { page: 'organisations', chunks: [CONSOLE, 'resources/managed-organisations.tsx'], budget: 420 },
  { page: 'instance', chunks: [CONSOLE, 'src/management/InstancePage.tsx'], budget: 420 },
]

interface PageSize {
  readonly page: string
  /** Gzip, in KB of 1,000 bytes. */
  readonly size: number
  readonly budget: number
  /** Requests for scripts, which matter where a proxy speaks HTTP/1.1. */
  readonly files: number
  readonly holds: boolean
}

/** The files that must be there before a chunk runs: its own and, over and over, those that it imports. */
function closureOf(manifest: Manifest, names: readonly string[], found = new Set<string>()): Set<string> {
  for (const name of names) {
    if (found.has(name)) continue
    found.add(name)
    closureOf(manifest, manifest[name]?.imports ?? [], found)
  }
  return found
}

/** The JavaScript that each page of a build needs to render, against its budget. Pages not built are left out. */
function measureSizes(dist: string): PageSize[] {
  const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Manifest
  const sizes = new Map<string, number>()
  const sizeOf = (file: string) => {
    if (!sizes.has(file)) sizes.set(file, gzipSync(readFileSync(join(dist, file)), { level: 9 }).length)
    return sizes.get(file)!
  }
  return PAGES.filter(({ chunks }) => chunks.every((name) => manifest[name])).map(
    ({ page, chunks, budget }) => {
      const files = [...closureOf(manifest, [ENTRY, ...chunks])].map((name) => manifest[name]!.file)
      const scripts = new Set(files.filter((file) => file.endsWith('.js')))
      const size = [...scripts].reduce((sum, file) => sum + sizeOf(file), 0) / 1_000
      const holds = size <= budget && scripts.size <= FILES_MAX
      return { page, size, budget, files: scripts.size, holds }
    },
  )
}

if (import.meta.main) {
  const dist = process.argv[2] ?? join(import.meta.dirname, '../../dist')
  if (!existsSync(dist)) throw new Error('There is no build to measure: run `npm run build` first.')
  const pages = measureSizes(dist)
  for (const { page, size, budget, files, holds } of pages)
    console.log(
      `${page.padEnd(16)} ${size.toFixed(1).padStart(6)} KB of ${budget} KB in ${files} of ${FILES_MAX} files ${holds ? '' : ' TOO LARGE'}`,
    )
  if (pages.some(({ holds }) => !holds)) process.exitCode = 1
}
