import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, onTestFinished, test, vi } from 'vitest'

import type { Contact } from '#contract/contacts/schema.ts'
import type { FileImport, ImportReport } from '#contract/imports/schema.ts'
import { inDatabase, type Product, signIn, startProduct } from '#tests/support/product.ts'

const PEOPLE = 90
const HEADINGS = 'Name,Email Address,Phone Number,Contact List'
const FILE = [
  HEADINGS,
  ...Array.from(
    { length: PEOPLE },
    (_, n) => `Person ${n},person${n}@partner.example,+1416555${1_000 + n},All`,
  ),
].join('\n')

async function aKey({ url }: Product): Promise<Record<string, string>> {
  const { call } = await signIn(url, 'admin@demo.example')
  const made = await call('POST', '/apiManagement/credentials', { name: 'Nightly', mayImportUsers: false })
  return { 'X-Api-Key': (made.body as { key: string }).key }
}
async function sendFile({ url }: Product, headers: Record<string, string>): Promise<FileImport> {
  const body = new FormData()
  body.append('file', new Blob([FILE]), 'people.csv')
  const answer = await fetch(`${url}/api/imports/contacts`, { method: 'POST', headers, body })
  const text = await answer.text()
  expect([answer.status, answer.ok ? '' : text]).toEqual([200, ''])
  return JSON.parse(text) as FileImport
}
const read = async <T>({ url }: Product, path: string, headers: Record<string, string>): Promise<T> =>
  (await (await fetch(`${url}/api${path}`, { headers })).json()) as T

test(
  'a process that is killed during an import leaves nothing of it, and the repeated call imports it once',
  { timeout: 120_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'muster-import-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const first = await startProduct({}, folder)
    const key = await aKey(first)
    const contactsIn = (product: Product) => read<Contact[]>(product, '/contact/asList', key)
    const reportsIn = (product: Product) => read<ImportReport[]>(product, '/imports', key)
    const before = { contacts: await contactsIn(first), reports: await reportsIn(first) }
    const headers = { ...key, 'Idempotency-Key': crypto.randomUUID() }
    await inDatabase(folder, async (client) => {
      await client.query('begin; lock table contacts in share mode')
      const lost = sendFile(first, headers).then(
        () => 'answered',
        () => 'lost',
      )
      await vi.waitFor(async () => {
        const waiting = await client.query(
          `select from pg_locks where relation = 'contacts'::regclass and not granted`,
        )
        expect(waiting.rowCount).toBeGreaterThan(0)
      })
      await first.kill('SIGKILL')
      expect(await lost).toBe('lost')
      await client.query('rollback')
    })

    const second = await startProduct({}, folder)
    onTestFinished(() => second.stop())
    expect({ contacts: await contactsIn(second), reports: await reportsIn(second) }).toEqual(before)
    const imported = await sendFile(second, headers)
    expect(imported).toMatchObject({ added: PEOPLE, changed: 0 })
    expect(await sendFile(second, headers)).toEqual(imported)
    expect(await contactsIn(second)).toHaveLength(before.contacts.length + PEOPLE)
    expect(await reportsIn(second)).toHaveLength(before.reports.length + 1)
  },
)
