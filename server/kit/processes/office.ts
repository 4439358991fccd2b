import { execFile, spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'

import { MEGABYTE } from '#contract/kit/files.ts'

import { limitConcurrency } from '../core/concurrency.ts'
import { Refusal } from '../core/refusal.ts'

const NOT_SHOWN = 'This document cannot be shown. Please download it.'
const TOO_MUCH = 'This document takes too long to be shown. Please download it.'
const SECONDS = 60
/** Address space of each process, in KB. */
const KILOBYTES = 4 * 1024 * 1024
const PDF_MAX = 100 * MEGABYTE

/** LibreOffice takes some 300 MB and a whole core, so that documents queue up. */
const limited = limitConcurrency({ concurrency: 1, queueMax: 20 })

/** Security options of LibreOffice: nothing runs, and links to other files and hosts stay unread. */
const OPTIONS: Readonly<Record<string, string>> = {
  MacroSecurityLevel: '3',
  DisableMacrosExecution: 'true',
  DisableActiveContent: 'true',
  BlockUntrustedRefererLinks: 'true',
}
const PROFILE = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
${Object.entries(OPTIONS)
  .map(
    ([name, value]) =>
      `<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`,
  )
  .join('\n')}
</oor:items>
`

const HEADLESS = ['--headless', '--norestore', '--nolockcheck', '--nodefault', '--nologo']

type Sandbox = (folder: string, converter: string) => readonly string[]
/** System folders that the converter reads. */
const SYSTEM = [
  '/usr',
  '/bin',
  '/lib',
  '/lib64',
  '/opt',
  '/etc/alternatives',
  '/etc/fonts',
  '/etc/libreoffice',
  '/etc/ld.so.cache',
]
const ISOLATED =
  'bwrap --unshare-all --die-with-parent --new-session --proc /proc --dev /dev --tmpfs /tmp'.split(' ')
const UNSHARED = 'unshare --user --map-current-user --net --ipc --pid --fork --kill-child'.split(' ')
const readOnly = (paths: readonly string[]) => paths.flatMap((path) => ['--ro-bind-try', path, path])
/** Ways to take the network from a program, best first: `bwrap` hides all other files, too. */
const SANDBOXES: readonly Sandbox[] = [
  (folder, converter) => [
    ...ISOLATED,
    ...readOnly([...SYSTEM, dirname(converter)]),
    '--bind',
    folder,
    folder,
  ],
  () => UNSHARED,
  // Without namespaces: other systems than Linux, and containers that forbid them.
  () => [],
]
const run = promisify(execFile)
async function works(sandbox: Sandbox): Promise<boolean> {
  const [command, ...args] = sandbox(tmpdir(), '/usr/bin/true')
  if (command === undefined) return true
  return run(command, [...args, 'true']).then(
    () => true,
    () => false,
  )
}
let found: Promise<Sandbox> | undefined
async function firstThatWorks(): Promise<Sandbox> {
  for (const sandbox of SANDBOXES) if (await works(sandbox)) return sandbox
  return () => []
}
const sandboxOf = (): Promise<Sandbox> => (found ??= firstThatWorks())

interface OfficeDocument {
  /** Path of LibreOffice's `soffice`. */
  readonly converter: string
  /** Tells the format; letters and digits only. */
  readonly extension: string
  /** Opens the file when its turn comes. */
  readonly read: () => Promise<Buffer | Readable>
}

/**
 * A document of an office program as PDF, by LibreOffice: without network, with limits, and in a folder of its own that
 * is deleted afterwards (docs/decisions/088).
 * @throws Refusal 413 too much work, 415 a damaged document or one with a password, 503 too many at once
 */
export function officeAsPdf(document: OfficeDocument): Promise<Buffer> {
  return limited(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'muster-office-'))
    try {
      return await convertedIn(folder, document)
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 3 })
    }
  })
}

async function convertedIn(folder: string, { converter, extension, read }: OfficeDocument): Promise<Buffer> {
  const input = join(folder, `document.${extension}`)
  const content = await read()
  await pipeline(Buffer.isBuffer(content) ? Readable.from([content]) : content, createWriteStream(input))
  await mkdir(join(folder, 'profile/user'), { recursive: true })
  await writeFile(join(folder, 'profile/user/registrymodifications.xcu'), PROFILE)
  const sandbox = (await sandboxOf())(folder, converter)
  await convert(folder, [
    ...sandbox,
    converter,
    ...HEADLESS,
    `-env:UserInstallation=file://${join(folder, 'profile')}`,
    '--convert-to',
    'pdf',
    '--outdir',
    folder,
    input,
  ])
  const output = join(folder, 'document.pdf')
  const size = await stat(output).then(
    (found) => found.size,
    () => 0,
  )
  if (size === 0) throw new Refusal(415, NOT_SHOWN)
  if (size > PDF_MAX) throw new Refusal(413, TOO_MUCH)
  return readFile(output)
}

/** Runs a command with limits of time and memory. Its exit code says nothing: LibreOffice returns 0 for failures. */
function convert(folder: string, command: readonly string[]): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  // Not every shell knows each limit.
  const limits = `ulimit -v ${KILOBYTES} 2>/dev/null; ulimit -t ${SECONDS} 2>/dev/null; exec "$@"`
  const child = spawn('/bin/sh', ['-c', limits, 'sh', ...command], {
    cwd: folder,
    stdio: 'ignore',
    // A group of its own, which ends as a whole.
    detached: true,
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      TMPDIR: folder,
      LANG: 'C.UTF-8',
      // A proxy that nobody runs, for systems without namespaces.
      http_proxy: 'http://127.0.0.1:9',
      https_proxy: 'http://127.0.0.1:9',
    },
  })
  const timer = setTimeout(() => reject(new Refusal(413, TOO_MUCH)), SECONDS * 1_000)
  child.once('error', reject)
  child.once('exit', () => resolve())
  return promise.finally(() => {
    clearTimeout(timer)
    endGroup(child.pid)
  })
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // The group has ended.
  }
}
