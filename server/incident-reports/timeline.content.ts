import {
  about,
  actor,
  actOfEntry,
  type Act,
  grouped,
  isNews,
  type Lookups,
  numbersOf,
  plain,
  playbooksOf,
  say,
  stamp,
  timeLines,
  timeTitle,
  TOLD,
} from '#server/incident-timeline/sentences.content.ts'
import type { Block, Cell } from '#server/kit/pdf/pdf.ts'

import type { ReportFacts } from './report.ts'

/** Acts that happened at another time than their event was recorded: entries by hand, and decided decisions. */
function datedActs({ happened, entries, decisions }: ReportFacts): Act[] {
  const times = new Map(decisions.map(({ id, decidedTimestamp }) => [id, decidedTimestamp]))
  const decided = happened.filter(isDecided).map((event): Act => {
    const at = times.get(event.record) ?? event.at
    return { ...event, at, ...(at !== event.at && { recordedAt: event.at }) }
  })
  return [...decided, ...entries.map(actOfEntry)].sort((a, b) => a.at.localeCompare(b.at))
}
const isDecided = ({ noun, verb }: Act): boolean => noun === 'incident-decisions' && verb === 'decided'

/** The stream in its order, with the dated acts where they happened. */
function actsOf(facts: ReportFacts): Act[] {
  const dated = datedActs(facts)
  const acts: Act[] = []
  let next = 0
  for (const event of facts.happened) {
    if (!TOLD.includes(event.noun) || !isNews(event) || isDecided(event)) continue
    while (next < dated.length && dated[next]!.at < event.at) acts.push(dated[next++]!)
    acts.push(event)
  }
  return [...acts, ...dated.slice(next)]
}

/** The timeline of a report: a row for each act, or for several of one author, second and kind. */
export function timeline(facts: ReportFacts): Extract<Block, { kind: 'table' }> {
  const lookups: Lookups = {
    ...facts,
    answersUntil: 'this report',
    numbers: numbersOf(facts),
    playbooks: playbooksOf(facts.happened),
  }
  const rows = grouped(actsOf(facts)).map((acts, n): Cell[] => {
    const [{ at, recordedAt, actor: by }] = acts
    return [
      plain(String(n + 1)),
      [...timeLines(facts, at), ...actor(facts, by.name)],
      [
        ...about(lookups, acts),
        ...(recordedAt === undefined ? [] : [say(`Recorded ${stamp(facts, recordedAt)}`, 'muted')]),
      ],
    ]
  })
  const columns = [
    { title: 'No.', width: 26 },
    { title: timeTitle(facts, 'Time, author'), width: 136 },
    { title: 'What happened' },
  ]
  return { kind: 'table', columns, rows }
}
