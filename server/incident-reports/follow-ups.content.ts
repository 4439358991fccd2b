import { fullName } from '#contract/kit/names.ts'
import type { OwnedRow } from '#server/follow-ups/store.ts'
import { say } from '#server/incident-timeline/sentences.content.ts'
import type { Block, Cell } from '#server/kit/pdf/pdf.ts'

import type { Writers } from './command.content.ts'

/** The follow-ups with owner, due time and state, open ones first; nothing without one. */
export function followUpBlocks(
  followUps: readonly OwnedRow[],
  write: Pick<Writers, 'times' | 'who' | 'timeTitle'>,
): Block[] {
  if (followUps.length === 0) return []
  const rows = followUps.map(({ title, details, owner, dueTimestamp, doneBy, doneTimestamp }): Cell[] => [
    [say(title, 'strong'), ...(details === null ? [] : [say(details)])],
    owner === null ? [say('Nobody')] : [say(fullName(owner) || owner.email), say(owner.email, 'muted')],
    write.times(dueTimestamp),
    doneTimestamp === null || doneBy === null
      ? [say('Open')]
      : [say('Done'), ...write.times(doneTimestamp), say(write.who(doneBy), 'muted')],
  ])
  const columns = [
    { title: 'Follow-up' },
    { title: 'Owner', width: 110 },
    { title: write.timeTitle('Time due'), width: 110 },
    { title: 'State', width: 110 },
  ]
  return [
    { kind: 'heading', text: 'Follow-ups' },
    { kind: 'table', columns, rows },
  ]
}
