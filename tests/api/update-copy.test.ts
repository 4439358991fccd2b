import { mkdir, mkdtemp, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, onTestFinished, test, vi } from 'vitest'

import { rowsOfFolder } from '../support/backups.ts'
import { inDatabase, signIn, startProduct } from '../support/product.ts'

vi.setConfig({ testTimeout: 120_000 })

test('the start keeps the database as it was before it migrates it, and the earlier one can take its place', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-update-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const copies = async () =>
    (await readdir(folder)).filter((name) => name.startsWith('database.before-')).toSorted()
  await (await startProduct({}, folder)).stop()
  await (await startProduct({}, folder)).stop()
  expect(await copies()).toEqual([])

  const notes = join(folder, 'database.migrations')
  const names = (await readFile(notes, 'utf8')).trimEnd().split('\n')
  await writeFile(notes, names.slice(0, -1).join('\n'))
  for (const old of ['20200101000000', '20210101000000']) await mkdir(join(folder, `database.before-${old}`))
  const before = await rowsOfFolder(folder)
  const updated = await startProduct({}, folder)
  const [older, copy] = await copies()
  expect(older).toBe('database.before-20210101000000')
  expect(updated.printed()).toContain(
    `The database was updated: ${names.at(-1)}. It is kept as it was in ${join(folder, copy!)}.`,
  )
  await inDatabase(folder, (client) => client.query('delete from contacts'))
  await updated.stop()

  await rename(join(folder, 'database'), join(folder, 'database.newer'))
  await rename(join(folder, copy!), join(folder, 'database'))
  const after = await rowsOfFolder(folder)
  expect([...before.keys()].filter((name) => before.get(name) !== after.get(name))).toEqual([])
  const again = await startProduct({}, folder)
  await signIn(again.url, 'admin@demo.example')
  await again.stop()
})

test('an update without room for the copy is refused, and changes nothing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-update-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await (await startProduct({ DEMO: '0' }, folder)).stop()
  await writeFile(join(folder, 'database.migrations'), '')
  // A sparse file takes no room, but a copy of it would.
  const sparse = await open(join(folder, 'database', 'sparse'), 'w')
  await sparse.truncate(2 ** 42)
  await sparse.close()
  await expect(startProduct({ DEMO: '0' }, folder)).rejects.toThrow('there is no room for a copy of it')
  expect((await readdir(folder)).filter((name) => name.startsWith('database.before-'))).toEqual([])
})
