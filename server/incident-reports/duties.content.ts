import type { ClockState } from '#contract/duties/schema.ts'
import { wholeName } from '#contract/kit/files.ts'
import { fullName } from '#contract/kit/names.ts'
import type { HeldClock } from '#server/duties/store.ts'
import { say } from '#server/incident-timeline/sentences.content.ts'
import { readRichText } from '#server/kit/core/rich-text.ts'
import type { Block, Cell, Line } from '#server/kit/pdf/pdf.ts'

import type { Writers } from './command.content.ts'

const STATES: { readonly [S in ClockState]: string } = {
  RUNNING: 'Not filed yet',
  FILED: 'Filed',
  NOT_NEEDED: 'Not needed',
}
const named = (name: string, text: string | null): Line[] => (text ? [say(`${name}: ${text}`)] : [])

type Write = Pick<Writers, 'times' | 'who' | 'timeTitle'>
const stateOf = (clock: HeldClock, write: Write): Line[] => {
  const { state, filedTimestamp, filedBy, reason, reference, link, files } = clock
  return [
    say(STATES[state], 'strong'),
    ...(filedTimestamp === null || filedBy === null
      ? []
      : [...write.times(filedTimestamp), say(write.who(filedBy), 'muted')]),
    ...named('Reference number', reference),
    ...named('Link', link),
    ...named('Files', files.map(wholeName).join(', ')),
    ...named('Reason', reason),
  ]
}

/** The duties to report with their times and the proof of what was filed, then their drafts; nothing without one. */
export function dutyBlocks(clocks: readonly HeldClock[], write: Write): Block[] {
  if (clocks.length === 0) return []
  const rows = clocks.map((clock): Cell[] => [
    [
      say(clock.name, 'strong'),
      ...named('To', clock.filedTo),
      ...named('Files it', clock.holder && (fullName(clock.holder) || clock.holder.email)),
    ],
    write.times(clock.awareTimestamp),
    write.times(clock.dueTimestamp),
    stateOf(clock, write),
  ])
  const columns = [
    { title: 'Duty' },
    { title: write.timeTitle('Time of awareness'), width: 110 },
    { title: write.timeTitle('Time due'), width: 110 },
    { title: 'State', width: 140 },
  ]
  const drafts = clocks
    .filter(({ draft }) => draft !== '')
    .flatMap(({ name, state, draft }): Block[] => [
      { kind: 'note', text: state === 'FILED' ? `Text of ${name}:` : `Draft of ${name}:` },
      { kind: 'rich', blocks: readRichText(draft) },
    ])
  return [{ kind: 'heading', text: 'Duties to report' }, { kind: 'table', columns, rows }, ...drafts]
}
