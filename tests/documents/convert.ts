import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import {
  NO_PROPOSAL,
  NO_START,
  type PlaybookTemplate,
  type StarterPlaybook,
} from '#contract/playbooks/schema.ts'
import { renderDocx } from '#server/kit/docx/docx.ts'
import { renderPdf } from '#server/kit/pdf/pdf.ts'
import { documentOf } from '#server/playbook-exports/document.content.ts'
import { STARTERS } from '#server/playbook-imports/starters/library.content.ts'
import { pdfText, READS_PDF } from '#tests/support/pdf.ts'

/*
 * `npm run check:documents`: LibreOffice converts exports of the starter library, and of a playbook with
 * difficult texts. Every title has to appear in the result, and LibreOffice must not complain.
 */
const HARD: StarterPlaybook = {
  id: 'hard',
  name: 'Flood <1> & "2" \u0001\u202E 🚨',
  purpose: '',
  description: 'First line\r\n\u000bsecond & <third>\n\n\u0627\u0644\u0641\u064A\u0636\u0627\u0646',
  activities: ['\u05E9\u05DC\u05D5\u05DD', 'x'.repeat(255), '- 1. # *a*', ' spaces '].map((title, n) => ({
    type: n === 0 ? 'HEADING' : 'TASK',
    title,
    formattedDescription: null,
    description: n === 0 ? '' : `${title}\n`.repeat(40),
    level: 1,
    condition: null,
    priority: 'HIGH',
    idealTitleToExecute: '<Role>',
    expectedTimeToComplete: 5,
  })),
}
const AT = '2026-01-01T12:00:00.000Z'
function playbookOf(starter: StarterPlaybook): PlaybookTemplate {
  const activities = starter.activities.map((activity, index) => ({
    ...activity,
    id: String(index),
    index,
    attachedFileIds: [],
  }))
  return {
    ...starter,
    activities,
    activitiesCount: activities.length,
    tasksCount: activities.filter(({ type }) => type === 'TASK').length,
    categoryId: null,
    attachmentsFolderId: starter.id,
    createdBy: 'planner@demo.example',
    createTimestamp: AT,
    updatedBy: 'planner@demo.example',
    updateTimestamp: AT,
    owner: null,
    reviewDate: '2027-01-01',
    sharedBy: null,
    version: 1,
    isPublished: true,
    draft: null,
    archiveTimestamp: null,
    lastUsedTimestamp: null,
    usesCount: 0,
    proposal: NO_PROPOSAL,
    start: NO_START,
  }
}

/** Converts a document with LibreOffice. Returns its messages, except a remark about Java, which it does not need. */
function converted(folder: string, file: string): string {
  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`
  const target = ['--headless', '--convert-to', 'pdf', '--outdir', join(folder, 'out')]
  // LibreOffice opens PDFs in Draw by default.
  const filter = file.endsWith('.pdf') ? ['--infilter=writer_pdf_import'] : []
  const { stderr, status } = spawnSync('soffice', [profile, ...filter, ...target, join(folder, file)], {
    encoding: 'utf8',
    timeout: 120_000,
  })
  const complaints = stderr.split('\n').filter((line) => line.trim() !== '' && !line.includes('javaldx'))
  return [...complaints, ...(status === 0 ? [] : [`It ended with ${status}.`])].join('\n')
}
/** Titles without characters that a page breaks or leaves out. */
const letters = (text: string) => text.replace(/[^a-z0-9]/gi, '')

async function checkOne(folder: string, starter: StarterPlaybook): Promise<string[]> {
  const facts = { playbook: playbookOf(starter), categoryName: null, files: [], organisation: 'Fjord & Co' }
  const document = documentOf({ ...facts, at: AT })
  const files = { docx: await renderDocx(document), pdf: await renderPdf(document) }
  return Object.entries(files).flatMap(([ending, bytes]) => {
    const file = `${starter.id}.${ending}`
    writeFileSync(join(folder, file), bytes)
    rmSync(join(folder, 'out'), { recursive: true, force: true })
    const complaint = converted(folder, file)
    if (complaint !== '') return [`${file}: ${complaint}`]
    const text = letters(pdfText(readFileSync(join(folder, 'out', `${starter.id}.pdf`))))
    const missing = starter.activities.filter(({ title }) => !text.includes(letters(title)))
    return missing.map(({ title }) => `${file}: “${title}” is missing.`)
  })
}

const hasOffice = spawnSync('soffice', ['--version']).error === undefined
if (!hasOffice || !READS_PDF)
  console.log('Skipped: soffice and pdftotext are needed, from libreoffice-writer and poppler-utils.')
else {
  const folder = mkdtempSync(join(tmpdir(), 'muster-documents-'))
  try {
    const problems: string[] = []
    for (const starter of [...STARTERS, HARD]) problems.push(...(await checkOne(folder, starter)))
    console.log(
      problems.length === 0 ? 'All documents were converted without a complaint.' : problems.join('\n'),
    )
    process.exitCode = problems.length === 0 ? 0 : 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
