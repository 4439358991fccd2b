import type { RoleHolding } from '#contract/incident-roles/schema.ts'
import { fullName } from '#contract/kit/names.ts'
import type { SituationReport } from '#contract/situation-reports/schema.ts'
import { say } from '#server/incident-timeline/sentences.content.ts'
import { readRichText } from '#server/kit/core/rich-text.ts'
import type { Block, Cell, Line } from '#server/kit/pdf/pdf.ts'

/** Holders of the roles of an incident, and its published situation reports. */
export interface CommandFacts {
  /** Oldest first. */
  readonly holdings: readonly RoleHolding[]
  /** By number. */
  readonly situationReports: readonly SituationReport[]
}
/** Writers of times and people, as the rest of the report has them. */
export interface Writers {
  readonly times: (at: string) => Line[]
  readonly stamp: (at: string) => string
  readonly who: (email: string) => string
  readonly timeTitle: (title: string) => string
  /** Time of the resolution; null while the incident goes on. */
  readonly end: string | null
}

/** Roles with who held them from when to when, and what was said at the handover. */
export function roleBlocks({ holdings }: CommandFacts, write: Writers): Block[] {
  if (holdings.length === 0) return []
  const rows = holdings.map(
    ({ title, holder, fromTimestamp, untilTimestamp, givenBy, statement }): Cell[] => {
      const until = untilTimestamp ?? write.end
      return [
        [say(title, 'strong')],
        [
          say(fullName(holder) || holder.email),
          say(holder.email, 'muted'),
          ...(givenBy === holder.email ? [] : [say(`Given by ${write.who(givenBy)}`, 'muted')]),
          ...(statement === null ? [] : [say(statement)]),
        ],
        write.times(fromTimestamp),
        until === null ? [say('Still held')] : write.times(until),
      ]
    },
  )
  const columns = [
    { title: 'Role', width: 90 },
    { title: 'Name' },
    { title: write.timeTitle('Time from'), width: 110 },
    { title: write.timeTitle('Time until'), width: 110 },
  ]
  return [
    { kind: 'heading', text: 'Roles' },
    { kind: 'table', columns, rows },
  ]
}

/** The published situation reports as they stand. */
export const situationBlocks = ({ situationReports }: CommandFacts, write: Writers): Block[] =>
  situationReports.flatMap(
    ({ number, correctsNumber, content, publishedBy, approvedBy, publishedTimestamp }): Block[] => {
      const corrects = correctsNumber === null ? '' : ` It corrects no. ${correctsNumber}.`
      const approved = approvedBy === null ? '' : `, approved by ${write.who(approvedBy)}`
      const byline = `Published ${write.stamp(publishedTimestamp!)} by ${write.who(publishedBy!)}${approved}.${corrects}`
      return [
        { kind: 'heading', text: `Situation report no. ${number}` },
        { kind: 'note', text: byline },
        { kind: 'rich', blocks: readRichText(content) },
      ]
    },
  )
