import { wholeName } from '#contract/kit/files.ts'
import type { PlaybookActivity, PlaybookTemplate } from '#contract/playbooks/schema.ts'
import type { FileRow } from '#server/attachments/store.ts'
import { readRichText } from '#server/kit/core/rich-text.ts'
import type { Block, Line, PdfDocument, Step } from '#server/kit/pdf/pdf.ts'

/** The facts of an exported playbook at one moment. */
export interface PlaybookFacts {
  readonly playbook: PlaybookTemplate
  readonly categoryName: string | null
  readonly files: readonly Pick<FileRow, 'id' | 'name' | 'extension' | 'size'>[]
  readonly organisation: string
  /** Time of the export. */
  readonly at: string
}

const utc = (at: string) => `${at.slice(0, 16).replace('T', ' ')} UTC`
const say = (text: string, tone?: Line['tone']): Line => ({ runs: [{ text }], ...(tone ? { tone } : {}) })
/** The description of a heading or a task, with its formatting. */
const described = ({ description, formattedDescription: html }: PlaybookActivity): Line =>
  html === null ? say(description) : { runs: [], rich: readRichText(html) }
const PRIORITY_NAMES = { LOW: 'Low priority', HIGH: 'High priority' } as const
const minutesText = (minutes: number) => `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`

/** A human-readable size. */
function sizeText(bytes: number): string {
  const kilobytes = bytes / 1_024
  if (kilobytes < 1) return `${bytes} bytes`
  return kilobytes < 1_024 ? `${Math.round(kilobytes)} KB` : `${(kilobytes / 1_024).toFixed(1)} MB`
}

function linesOf(task: PlaybookActivity, names: ReadonlyMap<string, string>): Line[] {
  const { title, description, formattedDescription, priority } = task
  const { idealTitleToExecute: role, expectedTimeToComplete: minutes } = task
  const files = task.attachedFileIds.flatMap((id) => names.get(id) ?? [])
  const details = [
    // The default priority is omitted.
    ...(priority === 'MEDIUM' ? [] : [PRIORITY_NAMES[priority]]),
    ...(role === null ? [] : [role]),
    ...(minutes === null ? [] : [minutesText(minutes)]),
  ]
  return [
    say(title, 'strong'),
    ...(description === title && formattedDescription === null ? [] : [described(task)]),
    ...(details.length > 0 ? [say(details.join(' · '), 'muted')] : []),
    ...(files.length > 0 ? [say(`Files: ${files.join(', ')}`, 'muted')] : []),
  ]
}

/** The contents in order. Tasks are numbered throughout, so that people can refer to them on the phone. */
function contentsOf({ playbook, files }: PlaybookFacts): Block[] {
  const names = new Map(files.map((file) => [file.id, wholeName(file)]))
  const sections: { heading: Extract<Block, { kind: 'steps' }>['heading']; steps: Step[] }[] = []
  let number = 0
  for (const activity of playbook.activities) {
    const { type, title, level, description, condition } = activity
    if (type === 'HEADING') {
      const below = [
        ...(condition === null ? [] : [say(`Only if ${condition}`, 'strong')]),
        ...(description.trim() === '' ? [] : [described(activity)]),
      ]
      sections.push({ heading: { text: title, level, below }, steps: [] })
    } else {
      if (sections.length === 0) sections.push({ heading: null, steps: [] })
      number += 1
      sections.at(-1)!.steps.push({ marker: `${number}.`, lines: linesOf(activity, names) })
    }
  }
  return sections.map((section) => ({ kind: 'steps', ...section }))
}

const FILES = [{ title: 'File' }, { title: 'Size', width: 92 }]

/** A playbook as a complete document for printing. */
export function documentOf(facts: PlaybookFacts): PdfDocument {
  const { playbook, categoryName, files, organisation, at } = facts
  const { name, description, version, updatedBy, updateTimestamp, owner, reviewDate } = playbook
  const blocks: Block[] = [
    { kind: 'title', over: 'PLAYBOOK', text: name },
    {
      kind: 'facts',
      rows: [
        ['Category', categoryName ?? 'Uncategorized'],
        ['Version', `${version}, saved ${utc(updateTimestamp)} by ${updatedBy}`],
        ...(owner === null ? [] : [['Owner', owner] as const]),
        ...(reviewDate === null ? [] : [['Review', reviewDate] as const]),
      ],
    },
    { kind: 'heading', text: 'Incident Brief' },
    ...briefBlocks(description),
    { kind: 'heading', text: 'Contents' },
    ...contentsOf(facts),
    { kind: 'heading', text: 'Attachments' },
    files.length === 0
      ? { kind: 'note', text: 'No files are attached.' }
      : {
          kind: 'table',
          columns: FILES,
          rows: files.map((file) => [[say(wholeName(file))], [say(sizeText(file.size))]]),
        },
  ]
  return {
    title: `Playbook: ${name}`,
    author: organisation,
    header: [organisation, name],
    footer: `Version ${version}. Printed ${utc(at)}.`,
    createTimestamp: at,
    blocks,
  }
}

function briefBlocks(description: string): Block[] {
  if (description.trim() === '') return [{ kind: 'note', text: 'No description to show.' }]
  const lines = description.split(/\r?\n/)
  return [{ kind: 'rich', blocks: lines.map((text) => ({ kind: 'paragraph', depth: 0, runs: [{ text }] })) }]
}
