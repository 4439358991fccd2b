import type { DecisionState } from '#contract/incident-decisions/schema.ts'
import type { LinkedDecision } from '#server/incident-decisions/store.ts'
import {
  actor,
  nameOf,
  plain,
  say,
  stamp,
  timeLines,
  timeTitle,
} from '#server/incident-timeline/sentences.content.ts'
import type { Block, Cell, Line } from '#server/kit/pdf/pdf.ts'

import type { ReportFacts } from './report.ts'

const STATES: { readonly [S in DecisionState]: string } = {
  PROPOSED: 'Proposed',
  DECIDED: 'Decided',
  SUPERSEDED: 'Superseded',
}
const stateOf = ({ state, supersededBy }: LinkedDecision): string =>
  state === 'SUPERSEDED' && supersededBy ? `Superseded by D${supersededBy.number}` : STATES[state]

const named = (name: string, text: string | null): Line[] => (text ? [say(`${name}: ${text}`)] : [])

function wordsOf(facts: ReportFacts, one: LinkedDecision): Cell {
  const { title, context, options, decision, reason, acceptedRisk, onBehalfReason, supersedes } = one
  return [
    say(title, 'strong'),
    ...(supersedes ? [say(`Supersedes D${supersedes.number}`, 'muted')] : []),
    ...named('Context', context),
    ...named('Options', options.join(' · ')),
    ...named('Decision', decision),
    ...named('Reason', reason),
    ...named('Accepted risk', acceptedRisk),
    ...(onBehalfReason === null
      ? []
      : [
          say(
            `Confirmed by ${nameOf(facts, one.decidedBy!) ?? one.decidedBy!} on behalf: ${onBehalfReason}`,
            'muted',
          ),
        ]),
    ...(one.recordedTimestamp !== null && one.recordedTimestamp !== one.decidedTimestamp
      ? [say(`Recorded ${stamp(facts, one.recordedTimestamp)}`, 'muted')]
      : []),
  ]
}

/** The decisions in the order of their numbers; nothing without one. */
export function decisionsTable(facts: ReportFacts): Block[] {
  if (facts.decisions.length === 0) return []
  const rows = facts.decisions.map((one): Cell[] => [
    plain(`D${one.number}`),
    wordsOf(facts, one),
    actor(facts, one.decider),
    [say(stateOf(one)), ...(one.decidedTimestamp === null ? [] : timeLines(facts, one.decidedTimestamp))],
  ])
  const columns = [
    { title: 'No.', width: 30 },
    { title: 'Decision' },
    { title: 'Who decides', width: 110 },
    { title: timeTitle(facts, 'Time, state'), width: 122 },
  ]
  return [{ kind: 'table', columns, rows }]
}
