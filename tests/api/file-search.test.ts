import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'

import type { Config } from '#contract/config/catalogue.ts'
import type { FoundItem } from '#contract/files/schema.ts'
import { tidyTexts } from '#server/file-texts/flows.ts'

import { docxBomb, docxOf, pdfOf, pptxOf, protectedPdfOf, workbookOf } from '../support/documents.ts'
import { type Caller, type Organisation, startTestServer } from '../support/server.ts'
import { storageFor } from '../support/storage.ts'

const muster = await startTestServer()
const { anOrganisation, signedInAs, inside, services } = muster
const { upload, folder, group } = storageFor(muster)

async function aWorld(config: Partial<Config> = {}) {
  const organisation = await anOrganisation({
    groupsEnabled: true,
    allowedFileExtensions: ['pdf', 'txt', 'csv', 'docx', 'xls', 'xlsx', 'pptx', 'png'],
    ...config,
  })
  const admin = await signedInAs(organisation, 'ADMIN')
  return { organisation, admin, ana: await signedInAs(organisation), bo: await signedInAs(organisation) }
}

/** Waits until the texts of all files have been read. */
const readAll = (organisation: Organisation) =>
  vi.waitFor(
    async () => {
      const { rows } = await inside(organisation, (db) =>
        sql<{ left: number }>`select count(*) as left from file_texts where not is_read`.execute(db),
      )
      expect(rows[0]!.left).toBe(0)
    },
    { timeout: 60_000, interval: 50 },
  )
const countTexts = async (organisation: Organisation) => {
  const { rows } = await inside(organisation, (db) =>
    sql<{ texts: number; passages: number }>`
      select (select count(*) from file_texts) as texts, (select count(*) from file_passages) as passages`.execute(
      db,
    ),
  )
  return rows[0]!
}
const search = async (who: Caller, words: string, more = '') =>
  who.get(`/sfs/search?query=${encodeURIComponent(words)}${more}`)
const found = async (who: Caller, words: string): Promise<string[]> =>
  ((await search(who, words)).body as FoundItem[]).map(({ name }) => name)
/** The snippet of the only result, with marks around the words. */
async function snippet(who: Caller, words: string): Promise<string> {
  const [item] = (await search(who, words)).body as FoundItem[]
  return item!.textMatch!.snippet.map(({ text, isMatch }) => (isMatch ? `[${text}]` : text)).join('')
}

describe('a search finds files by their text', () => {
  test('in every format, with the place where it found it', async () => {
    const { organisation, ana } = await aWorld()
    const files: [string, Buffer | string, string, string][] = [
      [
        'a.pdf',
        pdfOf(['Nothing here', 'The Evacuation of hall three']),
        'evacu hall',
        'The [Evacuation] of [hall] three',
      ],
      ['b.pdf', pdfOf([{ japanese: '第三避難所は閉鎖' }]), '避難所', '第三[避難所]は閉鎖'],
      [
        'c.docx',
        await docxOf('Shut the valve', 'Überdruck im Kessel'),
        'uberdruck',
        'Shut the valve [Überdruck] im Kessel',
      ],
      [
        'd.xlsx',
        workbookOf('xlsx', [
          ['Camp', 'Beds'],
          ['Lindenhof', 4_711],
        ]),
        '4711',
        'Camp Beds Lindenhof [4711]',
      ],
      ['e.xls', workbookOf('biff8', [['Camp'], ['Rosenhof']]), 'rosenhof', 'Camp [Rosenhof]'],
      [
        'f.csv',
        Buffer.from('Name,Street\nDoré,Rue du Lac\n', 'latin1'),
        'dore',
        'Name,Street [Doré],Rue du Lac',
      ],
      ['g.txt', Buffer.from('\uFEFFGenerator läuft', 'utf16le'), 'läuft', 'Generator [läuft]'],
      ['h.pptx', pptxOf('Welcome', 'Sandbags &amp; pumps'), 'sandbags', 'Welcome [Sandbags] & pumps'],
    ]
    for (const [name, bytes] of files) expect((await upload(ana, bytes, name)).status, name).toBe(201)
    await readAll(organisation)
    for (const [name, , words, shown] of files) {
      expect(await found(ana, words), name).toEqual([name[0]])
      expect(await snippet(ana, words), name).toContain(shown)
    }
    const [pdf] = (await search(ana, 'evacuation')).body as FoundItem[]
    expect(pdf).toMatchObject({ path: [], textMatch: { page: 2 } })
    expect(((await search(ana, 'dore')).body as FoundItem[])[0]!.textMatch!.page).toBeNull()
  })

  test('of all of the words, by their beginning, and not by a letter alone', async () => {
    const { organisation, ana } = await aWorld()
    await upload(ana, 'A pump in hall 3 runs.', 'one.txt')
    await upload(ana, 'Hall 33 is dry. A pump waits.', 'two.txt')
    await readAll(organisation)
    expect(await found(ana, 'pum hal')).toEqual(['one', 'two'])
    expect(await found(ana, 'hall 3')).toEqual(['one'])
    expect(await found(ana, 'ump')).toEqual([])
    expect(await found(ana, 'pump fire')).toEqual([])
    expect(await found(ana, 'a')).toEqual([])
    expect(await found(ana, "'; drop | & ! :*")).toEqual([])
  })

  test('behind those found by their name, in pages, with the count of both', async () => {
    const { organisation, ana, bo } = await aWorld()
    const plans = await folder(ana, 'Water plans')
    for (const name of ['zebra', 'yak', 'ant']) await upload(ana, `${name} needs water`, `${name}.txt`)
    await upload(ana, 'Water twice is found once', 'water.txt')
    await upload(bo, 'of water', 'bee.txt', { parentFolderId: plans.id })
    await readAll(organisation)
    expect(await found(ana, 'water')).toEqual(['Water plans', 'water', 'ant', 'bee', 'yak', 'zebra'])
    const pageOf = async (first: number, last: number, more = '') => {
      const { body, headers } = await search(ana, 'water', `&range=[${first},${last}]${more}`)
      return [(body as FoundItem[]).map(({ name }) => name), headers.get('content-range')]
    }
    expect(await pageOf(0, 0)).toEqual([['Water plans'], 'items 0-0/6'])
    expect(await pageOf(1, 2)).toEqual([['water', 'ant'], 'items 1-2/6'])
    expect(await pageOf(4, 9)).toEqual([['yak', 'zebra'], 'items 4-5/6'])
    expect((await pageOf(1, 5, '&sort=["name","DESC"]'))[0]).toEqual(['water', 'zebra', 'yak', 'bee', 'ant'])
    expect((await pageOf(0, 9, '&filter={"isCreatedByMe":true}'))[0]).not.toContain('bee')
  })
})

describe('what a search finds', () => {
  test('is only what the person may open, also in its count', async () => {
    const { organisation, admin, ana, bo } = await aWorld()
    const crew = await group(admin, 'Crew', [ana])
    const secret = await folder(ana, 'Folder of the crew', { folderType: 'PRIVATE', groupIds: [crew] })
    const inner = await folder(ana, 'Inner', { parentFolderId: secret.id })
    await upload(ana, 'The codeword is marmalade.', 'note.txt', { parentFolderId: inner.id })
    const open = (await upload(ana, 'Marmalade is in the kitchen.', 'kitchen.txt')).body
    await readAll(organisation)
    const seen = async (who: Caller) => {
      const { body, headers } = await search(who, 'marmalade', '&range=[0,9]')
      return [(body as FoundItem[]).map(({ name }) => name), headers.get('content-range')]
    }
    expect(await seen(ana)).toEqual([['kitchen', 'note'], 'items 0-1/2'])
    expect(await seen(admin)).toEqual([['kitchen', 'note'], 'items 0-1/2'])
    expect(await seen(bo)).toEqual([['kitchen'], 'items 0-0/1'])
    expect((await search(bo, 'codeword')).text).not.toContain('codeword')
    // At once where a file moves below the restricted folder.
    await ana.post('/sfs/move', { ids: [open.id], parentFolderId: secret.id })
    expect(await found(bo, 'marmalade')).toEqual([])
    const stranger = await signedInAs(await anOrganisation(), 'ADMIN')
    expect(await found(stranger, 'marmalade')).toEqual([])
  })

  test('is the present content, outside the trash', async () => {
    const { organisation, admin, ana } = await aWorld()
    const { body: file } = await upload(ana, 'First about water', 'plan.txt')
    await readAll(organisation)
    await upload(ana, 'Then about fire', 'plan.txt')
    expect(await found(ana, 'water')).toEqual([])
    await readAll(organisation)
    expect([await found(ana, 'water'), await found(ana, 'fire')]).toEqual([[], ['plan']])
    await ana.post(`/sfs/item/${file.id}/versions/1/restore`)
    await readAll(organisation)
    expect([await found(ana, 'water'), await found(ana, 'fire')]).toEqual([['plan'], []])
    await ana.delete(`/sfs/${file.id}`)
    expect(await found(ana, 'water')).toEqual([])
    await ana.post(`/sfs/trash/${file.id}/restore`)
    expect(await found(ana, 'water')).toEqual(['plan'])
    await ana.delete(`/sfs/${file.id}`)
    await admin.delete(`/sfs/trash/${file.id}`)
    expect(await countTexts(organisation)).toEqual({ texts: 0, passages: 0 })
  })
})

describe('a file without a text', () => {
  test('is stored like any other, and read once', async () => {
    const { organisation, ana } = await aWorld()
    const whole = await docxOf('Water')
    const files: [string, Buffer][] = [
      ['protected.pdf', protectedPdfOf('Water')],
      ['damaged.pdf', Buffer.from('%PDF-1.7\nwater')],
      ['damaged.docx', whole.subarray(0, whole.length - 30)],
      ['bomb.docx', docxBomb(100_000_000)],
      ['empty.txt', Buffer.from(' \n')],
      ['control.pdf', pdfOf(['\\000\\001 marmalade \\000'])],
    ]
    for (const [name, bytes] of files) expect((await upload(ana, bytes, name)).status, name).toBe(201)
    await readAll(organisation)
    expect(await found(ana, 'water')).toEqual([])
    expect(await found(ana, 'marmalade')).toEqual(['control'])
    expect(await countTexts(organisation)).toEqual({ texts: 6, passages: 1 })
    // Nothing is left to be read again.
    expect(await tidyTexts(services)).toBe(0)
  })

  test('beyond a million characters is found by its beginning', async () => {
    const { organisation, ana } = await aWorld()
    // More different words than an index takes of one text.
    const numbers = Array.from({ length: 250_000 }, (_, n) => `n${1_000_000 + n * 7}`).join(' ')
    await upload(ana, `beginning ${numbers} finish`, 'numbers.txt')
    await readAll(organisation)
    await upload(ana, '避難所は閉鎖\n'.repeat(300_000), 'long.csv')
    await readAll(organisation)
    expect(await found(ana, '避難所')).toEqual(['long'])
    expect(await found(ana, 'beginning n1000007')).toEqual(['numbers'])
    expect(await found(ana, 'finish')).toEqual([])
  })
})

describe('fileContentSearch', () => {
  const change = (who: Caller, value: unknown) =>
    who.put('/config/enterpriseConfigDetails', {
      databaseKey: 'fileContentSearch',
      valueJson: JSON.stringify(value),
    })

  test('switched off deletes the texts, and switched on has the files read in the background', async () => {
    const { organisation, admin, ana } = await aWorld()
    await upload(ana, 'About water', 'one.txt')
    await readAll(organisation)
    expect((await change(admin, false)).status).toBe(200)
    expect(await countTexts(organisation)).toEqual({ texts: 0, passages: 0 })
    await upload(ana, 'About water', 'two.txt')
    expect(await countTexts(organisation)).toEqual({ texts: 0, passages: 0 })
    expect(await found(ana, 'water')).toEqual([])
    expect((await change(admin, true)).status).toBe(200)
    expect(await tidyTexts(services)).toBe(2)
    await readAll(organisation)
    expect(await found(ana, 'water')).toEqual(['one', 'two'])
  })

  test('switched off by the provider hides the texts at once, and a round deletes them', async () => {
    const { organisation, ana } = await aWorld()
    await upload(ana, 'About water', 'one.txt')
    await readAll(organisation)
    const set = (value: boolean | null) =>
      services.database.withProvider({ kind: 'system', id: null, name: 'test' }, async (db) => {
        await db.deleteFrom('global_config').where('key', '=', 'fileContentSearch').execute()
        if (value !== null)
          await sql`insert into global_config (key, value) values ('fileContentSearch', ${JSON.stringify(value)}::jsonb)`.execute(
            db,
          )
        await sql`select pg_notify('muster_configuration', 'fileContentSearch')`.execute(db)
      })
    await set(false)
    await vi.waitFor(async () => expect(await found(ana, 'water')).toEqual([]))
    await tidyTexts(services)
    expect(await countTexts(organisation)).toEqual({ texts: 0, passages: 0 })
    await set(null)
  })
})
