import { readdirSync, readFileSync } from 'node:fs'

import { utils, write } from '@e965/xlsx'

import { addOrganisation, DEMO_PASSWORD, signIn, startMeasured } from '../support/product.ts'

const PEOPLE = 50_000
const LISTS = 40
const SAMPLED_MS = 20

/** A table of contacts with names and numbers of their own. */
const table = (count: number): string[][] => [
  ['Name', 'Email Address', 'Phone Number', 'Contact List'],
  ...Array.from({ length: count }, (_, n) => [
    `Person ${String.fromCharCode(65 + (n % 26))} Number ${n}`,
    `person${n}@company.example`,
    `+1 (416) 555-${String(n % 10_000).padStart(4, '0')}`,
    n % 5 === 0 ? `List ${n % LISTS}; Everybody` : `List ${n % LISTS}`,
  ]),
]
const asCsv = (rows: readonly (readonly string[])[]) =>
  new Blob([rows.map((row) => row.map((cell) => `"${cell}"`).join(',')).join('\r\n')])
function asWorkbook(rows: string[][]): Blob {
  const book = utils.book_new()
  utils.book_append_sheet(book, utils.aoa_to_sheet(rows), 'People')
  return new Blob([write(book, { type: 'array', bookType: 'xlsx', compression: true }) as ArrayBuffer])
}

const statOf = (pid: number, name: string): number => {
  try {
    return Number(
      new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0,
    )
  } catch {
    return 0
  }
}
/** Resident bytes of a server and the Node processes that it started. */
function residentOf(pid: number): number {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && statOf(Number(name), 'PPid') === pid)
    .map(Number)
    .filter((child) => /node/.test(commandOf(child)))
  return [pid, ...children].reduce((sum, one) => sum + statOf(one, 'VmRSS') * 1_024, 0)
}
const commandOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

/** Previews, imports and undoes 50,000 contacts as XLSX and CSV, and as the rows of a screen. */
export async function imports(args: readonly string[]): Promise<void> {
  const count = Number(args[0] ?? PEOPLE)
  const rows = table(count)
  const files = { csv: asCsv(rows), xlsx: asWorkbook(rows) }
  const product = await startMeasured()
  try {
    const email = await addOrganisation(product.dataDir, 'imports', {
      contactsAndMassNotificationsEnabled: true,
      contactsUploadMaxLimit: 100_000,
    })
    const { headers, call } = await signIn(product.url, email, DEMO_PASSWORD, 'imports')
    const { 'Content-Type': _, ...mine } = headers
    const at = product.url
    const measured = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
      let [peak, took] = [0, 0]
      let result: T | undefined
      const timer = setInterval(() => (peak = Math.max(peak, residentOf(product.pid))), SAMPLED_MS)
      const blocked = await product.stretchDuring(async () => {
        const began = performance.now()
        result = await work()
        took = performance.now() - began
      })
      clearInterval(timer)
      console.log(
        `${name.padEnd(16)} ${(took / 1_000).toFixed(1)} s, server and reader at most ${Math.round(peak / 1_048_576)} MB, main thread at most ${Math.round(blocked)} ms`,
      )
      return result!
    }
    const sendFile = async (kind: 'csv' | 'xlsx', fields: Readonly<Record<string, string>>) => {
      const form = new FormData()
      for (const [field, value] of Object.entries(fields)) form.append(field, value)
      form.append('file', files[kind], `people.${kind}`)
      const answer = await fetch(`${at}/api/imports/contacts`, { method: 'POST', headers: mine, body: form })
      if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`)
      return (await answer.json()) as { id: string; added: number; unchanged: number }
    }
    console.log(`${count} contacts; CSV ${files.csv.size} bytes, XLSX ${files.xlsx.size} bytes`)
    for (const kind of ['csv', 'xlsx'] as const) {
      await measured(`${kind} preview`, () => sendFile(kind, { dryRun: 'true' }))
      const done = await measured(`${kind} import`, () => sendFile(kind, {}))
      await measured(`${kind} again`, () => sendFile(kind, {}))
      await measured(`${kind} undo`, async () => {
        const { status, body } = await call('POST', `/imports/${done.id}/undo`)
        if (status >= 300) throw new Error(JSON.stringify(body))
      })
    }
    const body = rows
      .slice(1)
      .flatMap(([name, address, phone, lists]) =>
        lists!.split('; ').map((list) => ({ name, email: address, phone, list })),
      )
    const { importId } = await measured('screen import', async () => {
      const { status, body: result } = await call('POST', '/contact', body)
      if (status >= 300) throw new Error(JSON.stringify(result).slice(0, 500))
      return result as { importId: string }
    })
    await measured('screen undo', () => call('POST', `/imports/${importId}/undo`))
  } finally {
    await product.stop()
  }
}
