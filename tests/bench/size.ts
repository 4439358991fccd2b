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
/** Scripts of a page until it is idle: where a proxy speaks HTTP/1.1, six of them are loaded at once. */
const FILES_MAX = 25
const PUBLIC = 'src/app/PublicApp.tsx'
const APP = 'application'
const CONSOLE = 'src/app/console/Console.tsx'
/** What every page loads after its first view, and what a list does at a desk. */
const AFTERWARDS = ['kit', 'texts']
const OF_A_LIST = [...AFTERWARDS, 'grid']

interface Page {
  readonly page: string
  /** What it loads beside the entry: files that begin a chunk, or chunks by their names (`vite.chunks.ts`). */
  readonly chunks: readonly string[]
  /** What it loads after its first view; by default what every page of an application does. */
  readonly afterwards?: readonly string[]
  /** How many KB of JavaScript it may cost to render it (design §10). */
  readonly budget: number
}
const PAGES: readonly Page[] = [
  { page: 'sign-in, setup', chunks: [PUBLIC], afterwards: [], budget: 230 },
  { page: 'code of sign-in', chunks: [PUBLIC, 'src/sign-in/SecondFactor.tsx'], afterwards: [], budget: 230 },
  { page: 'set password', chunks: [PUBLIC, 'src/sign-in/SetPasswordPage.tsx'], afterwards: [], budget: 230 },
  {
    page: 'staff sign-in',
    chunks: [PUBLIC, 'src/staff-sign-in/StaffSignInPage.tsx'],
    afterwards: [],
    budget: 230,
  },
  { page: 'welcome', chunks: ['src/welcome/WelcomePage.tsx'], afterwards: [], budget: 230 },
  { page: 'dashboard', chunks: [APP, 'src/dashboard/DashboardPage.tsx'], budget: 300 },
  { page: 'incidents', chunks: [APP, 'IncidentFeedPage'], budget: 450 },
  { page: 'incident', chunks: [APP, 'IncidentPage'], budget: 450 },
  { page: 'incident form', chunks: [APP, 'src/incidents/form/IncidentFormPage.tsx'], budget: 450 },
  {
    page: 'text editor',
    chunks: [APP, 'src/kit/rich-text/RichTextEditor.tsx'],
    afterwards: [],
    budget: 530,
  },
  { page: 'playbooks', chunks: [APP, 'PlaybooksPage'], budget: 450 },
  {
    page: 'playbook editor',
    chunks: [APP, 'PlaybooksPage', 'src/playbooks/editor/PlaybookEditor.tsx'],
    budget: 450,
  },
  { page: 'chat', chunks: [APP, 'ChatPage'], budget: 450 },
  { page: 'files', chunks: [APP, 'FilesPage'], budget: 450 },
  {
    page: 'notifications',
    chunks: [APP, 'MassNotificationsPage'],
    afterwards: OF_A_LIST,
    budget: 450,
  },
  { page: 'send', chunks: [APP, 'SendNotificationPage'], budget: 450 },
  { page: 'contacts', chunks: [APP, 'ContactsPage'], afterwards: OF_A_LIST, budget: 450 },
  { page: 'templates', chunks: [APP, 'resources/notification-templates.tsx'], budget: 450 },
  { page: 'users', chunks: [APP, 'users'], afterwards: OF_A_LIST, budget: 450 },
  { page: 'users, phone', chunks: [APP, 'users', 'src/kit/resource/ResourceCards.tsx'], budget: 450 },
  { page: 'api-keys', chunks: [APP, 'resources/api-keys.tsx'], afterwards: OF_A_LIST, budget: 450 },
  {
    page: 'organisations',
    chunks: [CONSOLE, 'resources/managed-organisations.tsx'],
    afterwards: OF_A_LIST,
    budget: 450,
  },
  { page: 'instance', chunks: [CONSOLE, 'src/management/InstancePage.tsx'], budget: 450 },
]

interface PageSize {
  readonly page: string
  /** Gzip, in KB of 1,000 bytes. */
  readonly size: number
  readonly budget: number
  /** Requests for scripts until its first view, and until it is idle, which matter where a proxy speaks HTTP/1.1. */
  readonly files: number
  readonly allFiles: number
  readonly holds: boolean
}

/** The scripts that must be there before some chunks run: their own and, over and over, those that they import. */
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

/** The JavaScript that each page of a build needs to render, against its budget. */
function measureSizes(dist: string): PageSize[] {
  const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Manifest
  const sizes = new Map<string, number>()
  const sizeOf = (file: string) => {
    if (!sizes.has(file)) sizes.set(file, gzipSync(readFileSync(join(dist, file)), { level: 9 }).length)
    return sizes.get(file)!
  }
  return PAGES.map(({ page, chunks, afterwards = AFTERWARDS, budget }) => {
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
