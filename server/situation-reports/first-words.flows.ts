import { isIncomplete, isTaskOverdue, SEVERITY_WORDS } from '#contract/incidents/rules.ts'
import { cut } from '#contract/kit/cut.ts'
import { fullName } from '#contract/kit/names.ts'
import { escapedText } from '#contract/kit/paragraphs.ts'
import { listDecisions } from '#server/incident-decisions/store.ts'
import { nextUpdateOf } from '#server/incident-roles/rhythm.flows.ts'
import { type AssignedRow, listActivitiesOf } from '#server/incidents/activities.store.ts'
import type { IncidentWithTargets } from '#server/incidents/reading.store.ts'
import { teamStatus } from '#server/incidents/team.flows.ts'
import { clock } from '#server/kit/core/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import type { Acting } from '#server/kit/http/serve.ts'

/** Rows of each list, so that the words fit into a report. */
const ROWS_MAX = 20
/** Characters of an update. */
const UPDATE_MAX = 400

const paragraph = (words: string): string => `<p>${escapedText(words)}</p>`
const heading = (words: string): string => `<h2>${escapedText(words)}</h2>`
const listed = (rows: readonly string[], rest: number): string =>
  `<ul>${[...rows, ...(rest > 0 ? [`and ${rest} more`] : [])]
    .map((row) => `<li><p>${escapedText(row)}</p></li>`)
    .join('')}</ul>`
const counted = (count: number, one: string, several: string): string =>
  `${count} ${count === 1 ? one : several}`

/** Writes times in the organisation's zone, with its name. */
const timeWriter = (timeZone: string) => {
  const format = new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: timeZone || 'UTC',
  })
  return (at: string): string => `${format.format(new Date(at))} ${timeZone || 'UTC'}`
}
type TimeWriter = ReturnType<typeof timeWriter>

/** The updates since the last report, the newest first. */
function changesSince(activities: readonly AssignedRow[], since: string | null, time: TimeWriter): string {
  const updates = activities
    .filter(({ type, parentActivityId, createTimestamp }) => {
      const isUpdate = type === 'UPDATE' && parentActivityId === null
      return isUpdate && (since === null || createTimestamp > since)
    })
    .sort((a, b) => b.createTimestamp.localeCompare(a.createTimestamp))
  if (updates.length === 0)
    return paragraph(since === null ? 'No update was added yet.' : `No update since ${time(since)}.`)
  const rows = updates
    .slice(0, ROWS_MAX)
    .map(({ createTimestamp, description }) => `${time(createTimestamp)}: ${cut(description, UPDATE_MAX)}`)
  return listed(rows, updates.length - rows.length)
}

function openTasks(activities: readonly AssignedRow[], time: TimeWriter): string {
  const open = activities.filter(isIncomplete)
  if (open.length === 0) return paragraph('No task is open.')
  const rows = open.slice(0, ROWS_MAX).map((task) => {
    const { title, firstName, lastName, email, dueTimestamp } = task
    const owner =
      email === null ? 'nobody' : fullName({ firstName: firstName ?? '', lastName: lastName ?? '' }) || email
    const due = dueTimestamp === null ? '' : `, due ${time(dueTimestamp)}`
    return `${title} – ${owner}${due}${isTaskOverdue(task, clock.now()) ? ' (overdue)' : ''}`
  })
  return listed(rows, open.length - rows.length)
}

/** Decisions since the last report, the newest first; none where none was decided. */
async function decisionsSince(db: OrgDb, incidentId: string, since: string | null): Promise<string> {
  const { rows } = await listDecisions(db, incidentId, { size: ROWS_MAX, offset: 0 })
  const decided = rows.filter(
    ({ state, recordedTimestamp: at }) =>
      state === 'DECIDED' && at !== null && (since === null || at > since),
  )
  if (decided.length === 0) return ''
  const lines = decided.map(
    ({ number, title, decision }) => `D${number} ${title}: ${cut(decision, UPDATE_MAX)}`,
  )
  return heading('Decisions') + listed(lines, 0)
}

/**
 * The words that a report begins with, as HTML: what is known of the incident now.
 * @param since time of the last published report
 */
export async function firstWords(
  db: OrgDb,
  by: Acting,
  incident: IncidentWithTargets,
  since: string | null,
): Promise<string> {
  const time = timeWriter(by.config.timeZone)
  const activities = await listActivitiesOf(db, incident.id)
  const range = { offset: 0, size: 1, onlyWaiting: false, waitingFirst: false }
  const { checkedInCount, waitingCount, helpCount } = await teamStatus(db, by, incident.id, range)
  const { dueTimestamp } = await nextUpdateOf(db, by, incident, [])
  const state = incident.isActive
    ? `Ongoing since ${time(incident.createTimestamp)}.`
    : `Resolved at ${time(incident.resolveTimestamp!)}.`
  const help = helpCount === 0 ? '' : `, ${counted(helpCount, 'needs', 'need')} help`
  return [
    heading('State'),
    paragraph(`${SEVERITY_WORDS[incident.severity]} severity. ${state}`),
    heading('What changed'),
    changesSince(activities, since, time),
    await decisionsSince(db, incident.id, since),
    heading('Open tasks'),
    openTasks(activities, time),
    heading('People'),
    paragraph(`${checkedInCount} checked in, ${waitingCount} waiting${help}.`),
    heading('Next update'),
    paragraph(dueTimestamp === null ? 'No time is set.' : `At ${time(dueTimestamp)}.`),
  ].join('')
}
