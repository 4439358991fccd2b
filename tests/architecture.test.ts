import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'

import { describe, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const ROOMS = ['contract', 'server', 'providers', 'resources', 'src'] as const

interface Room {
  /** Such as `src`, or `src/kit` for a room with special parts. */
  readonly room: string
  /** The folder within a room of nouns: `incidents`; empty for the room's own files. */
  readonly noun: string
}
const CLIENT_PARTS = ['app', 'kit']

function roomOf(path: string): Room {
  const [room = '', folder = '', ...rest] = path.split('/')
  const noun = rest.length > 0 ? folder : ''
  if (room === 'src' && CLIENT_PARTS.includes(noun)) return { room: `src/${noun}`, noun: '' }
  if ((room === 'contract' || room === 'server') && noun === 'kit') return { room: `${room}/kit`, noun: '' }
  return { room, noun }
}

/** Permitted imports between rooms (docs/architecture.md). Any other is a trespass. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'contract/kit': ['contract/kit'],
  contract: ['contract/kit', 'contract'],
  'server/kit': ['contract/kit', 'contract', 'server/kit'],
  server: ['contract/kit', 'contract', 'server/kit', 'server'],
  providers: ['contract/kit', 'contract', 'providers'],
  'src/kit': ['contract/kit', 'providers', 'src/kit'],
  src: ['contract/kit', 'contract', 'providers', 'src/kit', 'src'],
  resources: ['contract/kit', 'contract', 'providers', 'src/kit', 'src'],
  'src/app': ['contract/kit', 'contract', 'providers', 'resources', 'src/kit', 'src', 'src/app'],
}

/**
 * The only file names inside a noun. The server may have several flows and stores (`activities.flows.ts`). In
 * the browser a component's file has the component's name, and other files start with a small letter.
 */
const NOUN_FILES: Readonly<Record<string, RegExp>> = {
  contract: /^(schema|rules|api|access|catalogue)(\.test)?\.ts$/,
  server: /^(routes|hooks|([a-z-]+\.)?(store|flows|content|task)|report)(\.test)?\.ts$/,
  src: /^([A-Z]\w*(\.test)?\.tsx|[a-z]\w*(\.(frame|worker|test))?\.tsx?)$/,
}
const FREE_FOLDERS = ['i18n']
/** Levels of folders below a room's noun or kit, such as `src/incidents/feed`. */
const DEEPEST = 3

function filesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
}
const files = ROOMS.flatMap(filesBelow)

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^'"]*?from\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]|(?:^|\n)import\s*['"]([^'"]+)['"]/g
interface Import {
  /** Path from the root of the project. */
  readonly target: string
  readonly typeOnly: boolean
  readonly isReExport: boolean
}
function importsOf(file: string): Import[] {
  const text = readFileSync(join(ROOT, file), 'utf8')
  return [...text.matchAll(IMPORT)].flatMap((match) => {
    const specifier = match[1] ?? match[2] ?? match[3] ?? ''
    const typeOnly = /^\s*(import|export)\s+type\s/.test(match[0])
    const isReExport = /^\s*export\s/.test(match[0])
    if (specifier.startsWith('#')) return [{ target: specifier.slice(1), typeOnly, isReExport }]
    if (specifier.startsWith('.'))
      return [{ target: posix.normalize(posix.join(dirname(file), specifier)), typeOnly, isReExport }]
    return []
  })
}
const isTest = (file: string) => /\.test\.tsx?$/.test(file)

/**
 * Load the pages of the resources, of the organisation's application and of the console; a resource never
 * imports another.
 */
const RESOURCE_LISTS = ['resources/files.ts', 'resources/index.ts', 'resources/console.ts']

function trespass(file: string, { target, typeOnly, isReExport }: Import): string | undefined {
  const from = roomOf(file)
  const to = roomOf(target)
  const say = (why: string) => `${file} imports ${target}: ${why}`
  if (isReExport && (from.room !== to.room || from.noun !== to.noun))
    return say('nothing is re-exported through a wall')
  if (from.room === 'server' && from.noun === '') return undefined
  if (from.room === 'src' && from.noun === '') return undefined
  if (RESOURCE_LISTS.includes(file) && to.room === 'resources') return undefined
  if (!(MAY_IMPORT[from.room] ?? []).includes(to.room)) return say(`${from.room} may not import ${to.room}`)
  if (from.noun === to.noun || to.noun === '') {
    const ownDoor = from.room === 'resources' && to.room === 'resources' && file !== target
    return ownDoor ? say('a resource may not import another') : undefined
  }
  if (
    from.room === 'contract' &&
    to.room === 'contract' &&
    !/\/(schema|catalogue|rules|access)\.ts$/.test(target)
  )
    return say("a noun uses only another's schema, rules or access")
  if (from.room === 'server' && to.room === 'server') {
    if (FREE_FOLDERS.includes(to.noun)) return undefined
    // Sentences of a noun have neither state nor effects, so that the document of another noun prints them too.
    if (target.endsWith('sentences.content.ts')) return undefined
    // Importing a row's type only describes what is read; using another noun is up to the flows.
    if (!typeOnly && !/[/.]flows\.ts$/.test(file))
      return say('a noun reaches another noun only from flows.ts')
    if (!/[/.](store|flows)\.ts$/.test(target)) return say("flows reach only another noun's store or flows")
  }
  return undefined
}

/** All circles of dependencies, such as `a → b → a`. */
function circlesOf(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>()
  const circles: string[] = []
  const walk = (one: string, path: readonly string[]): void => {
    if (path.includes(one)) return void circles.push([...path.slice(path.indexOf(one)), one].join(' → '))
    if (done.has(one)) return
    for (const next of graph.get(one) ?? []) walk(next, [...path, one])
    done.add(one)
  }
  for (const one of graph.keys()) walk(one, [])
  return circles
}

/** The folders of the server's kit, lowest first: each may import those before it. Files beside the folders stand above all. */
const KIT_FLOORS = [
  'core',
  'processes',
  'pdf',
  'docx',
  'hosted-chat',
  'database',
  'security',
  'blobs',
  'events',
  'http',
  'live',
  'jobs',
  'backup',
  'messages',
  'openapi',
]

/** The nouns of the server, lowest first: each may import those before it. What goes up is a hook (decision 083). */
const NOUN_ORDER = `
  organisations config second-factors import-reports users sessions verifications account api-keys notifications carrier-outages groups
  audit-log staff features organisation-access config-items
  managed-organisations managed-users managed-incidents provider-log instance
  files file-texts file-links attachments playbooks playbook-categories playbook-imports
  incident-kinds incident-fields incident-labels incidents incident-playbooks incident-timeline incident-decisions incident-roles situation-reports follow-ups duties calendar-feed incident-figures stakeholder-links incident-reports playbook-exports playbook-shares
  chat calls room-exports channels confirmations declarations webhooks
  contacts suppressions import-columns imports notification-templates mass-notifications notification-approvals readiness incident-nudges dashboard welcome demo metrics rescue`
  .trim()
  .split(/\s+/)

describe('the rooms', () => {
  test('import only what their walls allow', () => {
    const found = files
      .filter((file) => !isTest(file))
      .flatMap((file) => importsOf(file).map((one) => trespass(file, one)))
      .filter(Boolean)
    expect(found).toEqual([])
  })

  test("of the server's kit import only what is below them, types too", () => {
    const floorOf = (file: string): number => {
      const [, , folder, ...below] = file.split('/')
      return below.length === 0 ? KIT_FLOORS.length : KIT_FLOORS.indexOf(folder!)
    }
    const kit = filesBelow('server/kit').filter((file) => !isTest(file))
    expect(kit.filter((file) => floorOf(file) < 0)).toEqual([])
    const upward = kit.flatMap((file) =>
      importsOf(file)
        .filter(({ target }) => target.startsWith('server/kit/') && dirname(target) !== dirname(file))
        .filter(({ target }) => floorOf(target) >= floorOf(file))
        .map(({ target }) => `${file} imports ${target}`),
    )
    expect(upward).toEqual([])
  })

  test('of the nouns of the server import only nouns below them, types too', () => {
    const nouns = files.filter((file) => roomOf(file).room === 'server' && roomOf(file).noun !== '')
    const known = new Set(nouns.map((file) => roomOf(file).noun))
    expect([...known].sort()).toEqual(NOUN_ORDER.toSorted())
    const upward = nouns
      .filter((file) => !isTest(file))
      .flatMap((file) =>
        importsOf(file)
          .filter(({ target }) => {
            const to = roomOf(target)
            const isOther = to.room === 'server' && to.noun !== '' && to.noun !== roomOf(file).noun
            return isOther && NOUN_ORDER.indexOf(to.noun) > NOUN_ORDER.indexOf(roomOf(file).noun)
          })
          .map(({ target }) => `${file} imports ${target}`),
      )
    expect(upward).toEqual([])
  })

  test('give no second name to a schema of another noun', () => {
    const found = filesBelow('contract').flatMap((file) => {
      const text = readFileSync(join(ROOT, file), 'utf8')
      const imported = [...text.matchAll(/^import (?:type )?\{([^}]*)\} from '#/gm)].flatMap(
        ({ 1: names = '' }) =>
          names.split(',').map((name) =>
            name
              .trim()
              .replace(/^type /, '')
              .replace(/^.* as /, ''),
          ),
      )
      return [...text.matchAll(/^export (?:const|type) \w+ = ([A-Z][a-z]\w*)$/gm)]
        .filter(({ 1: name = '' }) => imported.includes(name))
        .map(([declaration]) => `${file}: ${declaration}`)
    })
    expect(found).toEqual([])
  })

  test("have the hosted chat's packages in one folder", () => {
    const HOSTED = 'providers/chat/hosted/'
    const found = files.filter(
      (file) =>
        !file.startsWith(HOSTED) &&
        /['"]stream-chat(-react)?['"/]/.test(readFileSync(join(ROOT, file), 'utf8')),
    )
    expect(found).toEqual([])
    // The service's client is a chunk of its own, so only the file that loads it lazily may be imported.
    const loaded = files
      .filter((file) => !file.startsWith(HOSTED) && !isTest(file))
      .flatMap((file) => importsOf(file).map(({ target }) => target))
      .filter((target) => target.startsWith(HOSTED))
    expect([...new Set(loaded)]).toEqual([`${HOSTED}later.ts`])
  })

  test("reach the browser's storage and the channel between tabs through one file", () => {
    const found = files.filter(
      (file) =>
        file !== 'providers/storage.ts' &&
        !isTest(file) &&
        /\b(localStorage|sessionStorage|new BroadcastChannel|document\.cookie|indexedDB)\b/.test(
          readFileSync(join(ROOT, file), 'utf8'),
        ),
    )
    expect(found).toEqual([])
  })

  test('load parts by the function that waits for a connection', () => {
    const others = files.filter(
      (file) =>
        file !== 'src/kit/browser/lazy.ts' &&
        /import \{[^}]*\blazy\b[^}]*\} from 'react'/.test(readFileSync(join(ROOT, file), 'utf8')),
    )
    expect(others).toEqual([])
  })

  test('hold only files of known names', () => {
    const strays = files.filter((file) => {
      const { room, noun } = roomOf(file)
      const allowed = NOUN_FILES[room]
      return allowed && noun !== '' && !FREE_FOLDERS.includes(noun) && !allowed.test(posix.basename(file))
    })
    expect(strays).toEqual([])
  })

  test('have one level of sub-folders', () => {
    const depth = (file: string) => dirname(file).split('/').length
    const roots = files.filter((file) => !FREE_FOLDERS.some((folder) => file.includes(`/${folder}/`)))
    expect(roots.filter((file) => depth(file) > DEEPEST)).toEqual([])
  })

  test('cross doors by their # names and with the extension', () => {
    const crossing = files.flatMap((file) => {
      const text = readFileSync(join(ROOT, file), 'utf8')
      return [...text.matchAll(IMPORT)]
        .map((match) => match[1] ?? match[2] ?? match[3] ?? '')
        .filter((specifier) => {
          if (!specifier.startsWith('.') && !specifier.startsWith('#')) return false
          // The bundler accepts queries after the extension, such as `?worker&url`.
          if (!/\.(tsx?|css|json|svg)(\?[a-z&]+)?$/.test(specifier)) return true
          if (specifier.startsWith('#')) return false
          return (
            roomOf(posix.normalize(posix.join(dirname(file), specifier))).room.split('/')[0] !==
            file.split('/')[0]
          )
        })
        .map((specifier) => `${file} imports ${specifier}`)
    })
    expect(crossing).toEqual([])
  })

  test('hold no declaration of a resource that no page shows', () => {
    const listed = [
      ...RESOURCE_LISTS,
      ...RESOURCE_LISTS.flatMap((list) => importsOf(list).map(({ target }) => target)),
    ]
    const declared = files.filter((file) => dirname(file) === 'resources')
    expect(declared.filter((file) => !listed.includes(file))).toEqual([])
  })

  test('import in no circle', () => {
    const graph = new Map(
      files.map((file) => [
        file,
        importsOf(file)
          .filter(({ typeOnly }) => !typeOnly)
          .map(({ target }) => target),
      ]),
    )
    expect(circlesOf(graph)).toEqual([])
  })

  test('have nouns of the browser that know each other in no circle', () => {
    const graph = new Map<string, string[]>()
    for (const file of filesBelow('src')) {
      const from = roomOf(file)
      if (from.room !== 'src' || from.noun === '' || isTest(file)) continue
      const known = importsOf(file).flatMap(({ target }) => {
        const to = roomOf(target)
        return to.room === 'src' && to.noun !== from.noun ? [to.noun] : []
      })
      graph.set(from.noun, [...(graph.get(from.noun) ?? []), ...known])
    }
    expect(circlesOf(graph)).toEqual([])
  })

  test('hold no file that only passes others on', () => {
    const barrels = files.filter((file) => {
      const code = readFileSync(join(ROOT, file), 'utf8')
        .split('\n')
        .filter((line) => line.trim() !== '' && !/^\s*(\/\/|\/\*|\*)/.test(line))
      return code.length > 0 && code.every((line) => /^export .* from /.test(line))
    })
    expect(barrels).toEqual([])
  })
})

test('every tenant table protects itself in the migration that makes it', () => {
  const migrations = readdirSync(join(ROOT, 'server/migrations')).filter((name) =>
    /^\d{4}-.*\.sql$/.test(name),
  )
  const found = migrations.flatMap((name) => {
    const text = readFileSync(join(ROOT, 'server/migrations', name), 'utf8')
    const tables = [...text.matchAll(/create table (\w+) \(\s*organisation_id/g)].map((match) => match[1]!)
    return tables.map((table) => ({ table, isProtected: text.includes(`protect_tenant_table('${table}')`) }))
  })
  expect(found.length).toBeGreaterThan(5)
  expect(found.filter(({ isProtected }) => !isProtected)).toEqual([])
})
