import { JSDOM } from 'jsdom'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'

import type { PlaybookExport } from '#contract/playbook-exports/schema.ts'
import type { ImportedActivity } from '#contract/playbook-imports/schema.ts'
import type { OpenedPlaybook, PlaybookActivity } from '#contract/playbooks/schema.ts'
import { clock, DAY } from '#server/kit/core/clock.ts'
import { chores } from '#server/kit/jobs/housekeeping.ts'
import type { JobHandler } from '#server/kit/jobs/jobs.ts'
import { makePlaybookExports } from '#server/playbook-exports/flows.ts'
import { filesFor } from '#tests/support/attachments.ts'
import { PDF } from '#tests/support/files.ts'
import { pdfText, READS_PDF } from '#tests/support/pdf.ts'
import { type Caller, type Organisation, startTestServer } from '#tests/support/server.ts'
import { WIKI_FILES } from '#tests/support/wiki-files.ts'
import { unzip } from '#tests/support/zip.ts'

const muster = await startTestServer()
const { anOrganisation, inside, services, signedInAs, url } = muster
const { upload } = filesFor(muster)

let [planner, reader] = [] as unknown as [Caller, Caller]
let organisation: Organisation
beforeEach(async () => {
  organisation = await anOrganisation({ playbookMaxTemplates: 100 })
  planner = await signedInAs(organisation, 'PLAYBOOK_MANAGER')
  reader = await signedInAs(organisation, 'BUSINESS_USER')
})
const realNow = clock.now
afterEach(() => {
  clock.now = realNow
})

const FLOOD = {
  name: 'Flood',
  description: 'Water in the <hall>.\nSecond line',
  activities: [
    { type: 'HEADING', title: 'First hour' },
    {
      title: 'Close the valve & lock it',
      description: 'The red one, behind pump 3.\n\nNote the time.',
      priority: 'HIGH',
      idealTitleToExecute: 'Site manager',
      expectedTimeToComplete: 15,
    },
    { type: 'HEADING', title: 'Next day', level: 2, description: 'When it is light.\nNot before.' },
    { title: 'Call the insurer', description: 'Call the insurer' },
  ],
}
async function made(changes: object = {}): Promise<OpenedPlaybook> {
  const { status, body } = await planner.post('/playbook/template', { ...FLOOD, ...changes })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
async function fetched(who: Caller, path: string) {
  const response = await fetch(`${url}/api${path}`, { headers: who.headers })
  const { status, headers } = response
  return {
    status,
    type: headers.get('content-type'),
    name: /filename\*=UTF-8''(.*)$/.exec(headers.get('content-disposition') ?? '')?.[1],
    bytes: Buffer.from(await response.arrayBuffer()),
  }
}
const partsOf = (docx: Buffer) =>
  new Map([...unzip(docx)].map(([name, bytes]) => [name, bytes.toString('utf8')]))
/** All parts of the document as XML. Throws for malformed ones. */
const parsed = (docx: Buffer) =>
  new Map(
    [...partsOf(docx)]
      .filter(([name]) => /\.(xml|rels)$/.test(name))
      .map(([name, xml]) => [name, new JSDOM(xml, { contentType: 'application/xml' }).window.document]),
  )

describe('a playbook as a document', () => {
  test.skipIf(!READS_PDF)('is a PDF with everything in order, also for readers', async () => {
    const { id } = await made()
    await upload(planner, id, PDF, 'Site plan.pdf', 'PLAYBOOK')
    const file = await fetched(reader, `/playbook/template/file/${id}?type=PDF`)
    expect([file.status, file.type]).toEqual([200, 'application/pdf'])
    expect(file.name).toMatch(/^Playbooks_Export_\d\d-\d\d-\d{4}_\d\d-\d\d-\d\d\.pdf$/)
    expect(file.bytes.subarray(0, 5).toString()).toBe('%PDF-')
    const text = pdfText(file.bytes)
    const order = [
      'Flood', 'Uncategorized', 'Water in the <hall>.', 'First hour', '1.', 'Close the valve & lock it', 'The red one',
      'Note the time.', 'High priority · Site manager · 15 minutes', 'Next day',
      'When it is light.', 'Not before.', '2.', 'Call the insurer',
      'Site plan.pdf',
    ] // prettier-ignore
    const found = order.reduce((at, words) => {
      const next = text.indexOf(words, at)
      expect(next, words).toBeGreaterThanOrEqual(at)
      return next
    }, 0)
    expect(found).toBeGreaterThan(0)
    // A description that only repeats the title is left out.
    expect(text.split('Call the insurer')).toHaveLength(2)
  })

  test('is a Word file with its own headings, a numbered list, tables and page numbers', async () => {
    const { id } = await made({ name: 'Flood <1> & "2" \u0001' })
    const file = await fetched(reader, `/playbook/template/file/${id}?type=DOCX`)
    expect(file.name).toMatch(/\.docx$/)
    expect(file.bytes.subarray(0, 2).toString()).toBe('PK')
    const parts = parsed(file.bytes)
    const document = parts.get('word/document.xml')!
    const paragraphs = [...document.getElementsByTagName('w:p')].map((one) => ({
      style: one.getElementsByTagName('w:pStyle')[0]?.getAttribute('w:val'),
      isNumbered: one.getElementsByTagName('w:numId').length > 0,
      text: [...one.getElementsByTagName('w:t')].map(({ textContent }) => textContent).join(''),
    }))
    const styled = (style: string) => paragraphs.filter((one) => one.style === style).map(({ text }) => text)
    expect(styled('Title')).toEqual(['Flood <1> & "2" '])
    expect(styled('Heading1')).toEqual(['Incident Brief', 'Contents', 'Attachments'])
    expect(styled('Heading2')).toEqual(['First hour'])
    expect(styled('Heading3')).toEqual(['Next day'])
    expect(paragraphs.map(({ text }) => text)).toContain('When it is light.Not before.')
    expect(paragraphs.filter(({ isNumbered }) => isNumbered).map(({ text }) => text)).toEqual([
      'Close the valve & lock it',
      'Call the insurer',
    ])
    expect(document.getElementsByTagName('w:tbl')).toHaveLength(1)
    const styles = [...parts.get('word/styles.xml')!.getElementsByTagName('w:style')]
    expect(styles.map((one) => one.getAttribute('w:styleId'))).toEqual(
      expect.arrayContaining(['Title', 'Heading1', 'Heading2']),
    )
    expect(partsOf(file.bytes).get('word/footer1.xml')).toContain('PAGE')
    expect(parts.get('docProps/core.xml')!.documentElement.textContent).toContain('Playbook: Flood')
  })

  test('is refused in another format, and where it does not exist', async () => {
    const { id } = await made()
    expect((await fetched(reader, `/playbook/template/file/${id}?type=ODT`)).status).toBe(400)
    expect((await fetched(reader, `/playbook/template/file/${crypto.randomUUID()}?type=PDF`)).status).toBe(
      404,
    )
    expect((await fetched(reader, `/playbook/templates/archived?ids=&type=PDF`)).status).toBe(400)
  })
})

describe('a playbook as a source', () => {
  test.each(['MARKDOWN', 'JSON'])('comes back equal from %s', async (type) => {
    const { body: category } = await planner.post('/playbook/category', { name: 'Water' })
    const playbook = await made({ categoryId: category.id, name: '../Flood: "A" <1>' })
    const file = await fetched(reader, `/playbook/template/source/${playbook.id}?type=${type}`)
    expect(decodeURIComponent(file.name!)).toBe(`_Flood_ _A_ _1_.${type === 'JSON' ? 'json' : 'md'}`)
    const fileName = decodeURIComponent(file.name!)
    const { body } = await planner.post('/playbook/import/preview', {
      fileName,
      content: file.bytes.toString('utf8'),
    })
    expect(body).toMatchObject({
      format: type,
      playbooks: [
        {
          name: playbook.name,
          categoryName: 'Water',
          description: playbook.description,
          activities: playbook.activities.map(
            ({ id: _id, index: _index, attachedFileIds: _files, ...activity }) => activity,
          ),
          notes: [],
        },
      ],
    })
  })
})

describe.each(Object.entries(WIKI_FILES))('a playbook of %s', (kind, content) => {
  const preview = async (
    text: string,
  ): Promise<Pick<OpenedPlaybook, 'name' | 'description' | 'activities'>> => {
    const { body } = await planner.post('/playbook/import/preview', { fileName: `${kind}.md`, content: text })
    const [{ name, description, activities }] = body.playbooks
    // As the dialog fills in what a task needs.
    const filled = activities.map(({ line: _line, ...one }: ImportedActivity) =>
      one.type === 'HEADING' ? one : { ...one, description: one.description || one.title },
    )
    return { name, description, activities: filled }
  }
  const bare = (text: string) => text.replaceAll(/[\s\u00ad]+/g, '')
  /** The lines of a description, or the texts of a formatted one: documents draw its lists and tables. */
  const wordsOf = (one: Pick<PlaybookActivity, 'description' | 'formattedDescription'>) =>
    one.formattedDescription?.replaceAll(/<[^<>]*>/g, '\n') ?? one.description
  /** Lines of the playbook that a text lacks, however it is broken. */
  const missingIn = (text: string, { name, description, activities }: Awaited<ReturnType<typeof preview>>) =>
    [name, description, ...activities.flatMap((one) => [one.title, wordsOf(one)])]
      .flatMap((words) => words.split('\n'))
      .filter((line) => !bare(text).includes(bare(line)))

  test('comes back equal, and its documents hold every line', async () => {
    const read = await preview(content)
    const { status, body: playbook } = await planner.post('/playbook/template', read)
    expect(status, JSON.stringify(playbook)).toBe(201)
    const source = await fetched(reader, `/playbook/template/source/${playbook.id}?type=MARKDOWN`)
    expect(await preview(source.bytes.toString('utf8'))).toEqual(read)
    const docx = parsed((await fetched(reader, `/playbook/template/file/${playbook.id}?type=DOCX`)).bytes)
    expect(missingIn(docx.get('word/document.xml')!.documentElement.textContent, read)).toEqual([])
    if (!READS_PDF) return
    const pdf = await fetched(reader, `/playbook/template/file/${playbook.id}?type=PDF`)
    expect(missingIn(pdfText(pdf.bytes), read)).toEqual([])
  })
})

describe('an archive', () => {
  test('has a file for each, and equal names are told apart', async () => {
    const ids = [(await made()).id, (await made()).id, (await made({ name: '../../etc/CON' })).id]
    const file = await fetched(reader, `/playbook/templates/archived?ids=${ids.join(',')}&type=DOCX`)
    expect([file.status, file.type]).toEqual([200, 'application/zip'])
    expect(file.name).toMatch(/^Playbooks_Export_[\d-]+_[\d-]+\.zip$/)
    const entries = unzip(file.bytes)
    expect([...entries.keys()]).toEqual(['Flood.docx', 'Flood (2).docx', '_.._etc_CON.docx'])
    for (const entry of entries.values()) expect(parsed(entry).has('word/document.xml')).toBe(true)
  })

  test('of a single playbook is the document itself', async () => {
    const { id } = await made()
    const file = await fetched(reader, `/playbook/templates/archived?ids=${id}&type=PDF`)
    expect([file.type, file.bytes.subarray(0, 5).toString()]).toEqual(['application/pdf', '%PDF-'])
  })
})

describe('an export in the background', () => {
  let attempt: JobHandler<{ id: string }>
  beforeAll(() => {
    makePlaybookExports({
      ...services,
      jobs: { ...services.jobs, handle: (_, handler) => void (attempt = handler as typeof attempt) },
    })
  })
  const requested = async (ids: readonly string[], type = 'MARKDOWN'): Promise<PlaybookExport> => {
    const { status, body } = await reader.post('/playbook/exports', { ids, type })
    expect(status, JSON.stringify(body)).toBe(201)
    return body
  }
  const progress = ({ id }: PlaybookExport) => reader.get(`/playbook/exports/${id}`)
  const settled = (one: PlaybookExport) =>
    vi.waitFor(async () => expect((await progress(one)).body.state).not.toBe('MAKING'), {
      interval: 100,
    })

  test('is made, fetched by the person who asked, and dropped after a day', async () => {
    const ids = [(await made()).id, (await made({ name: 'Fire' })).id]
    const one = await requested(ids)
    await settled(one)
    expect((await progress(one)).body).toMatchObject({ state: 'READY', progress: 100 })
    const file = await fetched(reader, `/playbook/exports/${one.id}/file`)
    expect(
      [...unzip(file.bytes)].map(([name, bytes]) => `${name} ${bytes.toString('utf8').split('\n')[0]}`),
    ).toEqual(['Flood.md # Flood', 'Fire.md # Fire'])
    expect((await planner.get(`/playbook/exports/${one.id}`)).status).toBe(404)
    const now = realNow() + DAY + 1_000
    clock.now = () => now
    const tidy = chores({ database: services.database, blobs: services.blobs }).get('exports')!
    expect(await tidy.run()).toBeGreaterThanOrEqual(1)
    const left = await inside(organisation, async (db) => ({
      exports: await db.selectFrom('playbook_exports').selectAll().execute(),
      blobs: await db.selectFrom('blobs').selectAll().execute(),
    }))
    expect(left).toEqual({ exports: [], blobs: [] })
  })

  /** A pending export as a job finds it, without a job. */
  const waiting = async (ids: readonly string[], changes: object = {}) => {
    const now = clock.timestamp()
    const row = {
      id: crypto.randomUUID(),
      requested_by: reader.uuid,
      type: 'JSON' as const,
      playbook_ids: [...ids],
      state: 'MAKING' as const,
      progress: 0,
      tries: 0,
      file_name: null,
      blob_id: null,
      create_timestamp: now,
      update_timestamp: now,
      expire_timestamp: new Date(clock.now() + DAY).toISOString(),
      ...changes,
    }
    await inside(organisation, (db) => db.insertInto('playbook_exports').values(row).execute())
    const run = () =>
      attempt({ organisationId: organisation.id, data: { id: row.id }, last: false, isStopping: () => false })
    return { run, row: async () => (await progress(row as never)).body, id: row.id }
  }

  test('leaves out what was deleted meanwhile, and fails when nothing is left', async () => {
    const [kept, gone] = [await made(), await made({ name: 'Gone' })]
    const [some, none] = [await waiting([gone.id, kept.id]), await waiting([gone.id])]
    await planner.delete(`/playbook/template/${gone.id}`)
    await some.run()
    await none.run()
    const file = await fetched(reader, `/playbook/exports/${some.id}/file`)
    expect([...unzip(file.bytes).keys()]).toEqual(['Flood.json'])
    expect(await none.row()).toMatchObject({ state: 'FAILED' })
    expect((await fetched(reader, `/playbook/exports/${none.id}/file`)).status).toBe(409)
  })

  test('that was begun before its process died is made again, once', async () => {
    const { run, row } = await waiting([(await made()).id], { tries: 1, progress: 40 })
    await run()
    await run()
    expect(await row()).toMatchObject({ state: 'READY', progress: 100 })
    const blobs = await inside(organisation, (db) => db.selectFrom('blobs').selectAll().execute())
    expect(blobs).toHaveLength(1)
  })

  test('that fails is tried three times, and then says so', async () => {
    const { run, row } = await waiting([(await made()).id])
    const write = vi.spyOn(services.blobs, 'write').mockRejectedValue(new Error('The disk is full.'))
    await expect(run()).rejects.toThrow('The disk is full.')
    await expect(run()).rejects.toThrow('The disk is full.')
    await run()
    write.mockRestore()
    expect(await row()).toMatchObject({ state: 'FAILED' })
  })

  test('is refused where a playbook does not exist, and without any', async () => {
    const { id } = await made()
    expect(
      (await reader.post('/playbook/exports', { ids: [id, crypto.randomUUID()], type: 'PDF' })).status,
    ).toBe(404)
    expect((await reader.post('/playbook/exports', { ids: [], type: 'PDF' })).body.fields).toEqual({
      ids: 'Please select at least one playbook.',
    })
  })
})
